"""What an access costs: sectors for global memory, wavefronts for shared memory, each beside its ideal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from coalint.analysis.access import Access, Lanes, Operation, Space
from coalint.machine.banks import ideal_wavefronts, wavefront_counts
from coalint.machine.sectors import ideal_sectors, sector_counts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.machine.arch import Architecture


@dataclass(frozen=True, slots=True)
class Traffic:
    """The mean cost of one executed warp instruction: sectors (global) or wavefronts (shared)."""

    count: float
    ideal: float

    @property
    def excess(self) -> float:
        """What is moved beyond the ideal; never negative, since a broadcast needs less than its ideal."""
        return max(0.0, self.count - self.ideal)


def traffic(access: Access, arch: Architecture) -> Traffic | None:
    """What the access costs on `arch`; None for uncounted spaces, unknown lanes and code that no lane reaches.

    A shared atomic is counted as a load of the same addresses, which is a lower bound. Seen on an H200: native 32-bit
    atomics take one wavefront for every *lane* that asks a bank, the same word included (32 lanes on two words of one
    bank: 32), except that nvcc folds add, min and max to one uniform address into a single lane; float and 64-bit
    ones are a compare-and-swap loop that runs once for every lane that meets another in its bank.
    """
    lanes = access.lanes
    if lanes is None:
        return None
    if access.space is Space.GLOBAL:
        return global_traffic(lanes, access.bytes, access.op, arch)
    if access.space is Space.SHARED:
        return shared_traffic(lanes, access.bytes, access.op, arch)
    return None


def global_traffic(lanes: Lanes, bytes_per_lane: int, op: Operation, arch: Architecture) -> Traffic | None:
    """Sectors per request; a load that fetches whole lines counts each line as all of its sectors."""
    loads = op is Operation.LOAD
    granule = arch.load_granularity_bytes if loads else arch.store_granularity_bytes
    sectors = granule // arch.sector_bytes
    count = mean_per_request(sector_counts(lanes, bytes_per_lane, granule), lanes)
    ideal = mean_per_request(ideal_sectors(lanes, bytes_per_lane, granule), lanes)
    return None if count is None or ideal is None else Traffic(sectors * count, sectors * ideal)


def shared_traffic(lanes: Lanes, bytes_per_lane: int, op: Operation, arch: Architecture) -> Traffic | None:
    """Wavefronts per request. A request served in fewer than its bytes need (a merged load) is its own ideal."""
    counts = wavefront_counts(lanes, bytes_per_lane, arch, load=op is Operation.LOAD)
    ideals = np.minimum(ideal_wavefronts(lanes, bytes_per_lane, arch), counts)
    count = mean_per_request(counts, lanes)
    ideal = mean_per_request(ideals, lanes)
    return None if count is None or ideal is None else Traffic(count, ideal)


def mean_per_request(counts: NDArray[np.int64], lanes: Lanes) -> float | None:
    """The mean of `counts` (E, W) over the warps that execute: those with an active lane, weighted by row."""
    times = lanes.active.any(axis=2) * lanes.weights[:, None]
    requests = int(times.sum())
    return float((counts * times).sum() / requests) if requests else None
