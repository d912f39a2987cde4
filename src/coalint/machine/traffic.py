"""What an access costs: sectors for global memory, wavefronts for shared memory, each beside its ideal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from coalint.analysis.access import Access, Lanes, Operation, Space
from coalint.analysis.intrinsics import is_native_atomic
from coalint.machine.banks import atomic_wavefront_counts, ideal_wavefronts, wavefront_counts
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

    A shared atomic takes turns (`takes_turns`), or is counted as a load of the same addresses, which is a lower bound.
    """
    lanes = access.lanes
    if lanes is None:
        return None
    if access.space is Space.GLOBAL:
        return global_traffic(lanes, access.bytes, access.op, arch)
    if access.space is Space.SHARED:
        if takes_turns(access):
            return atomic_traffic(lanes, arch)
        return shared_traffic(lanes, access.bytes, access.op, arch)
    return None


def takes_turns(access: Access) -> bool:
    """Whether a shared atomic is surely one that serves the lanes of a bank one by one, those of one word included.

    So counted on an H200 for the functions of `is_native_atomic` (fixtures/shared-bank-conflict/
    shared_atomics.cu). Not told apart, and so not among them:
    - `atomicAdd`, which takes turns as well, unless it adds a constant 1 and nothing uses the result: that is
      `ATOMS.POPC.INC`, which costs like a load. Neither is part of an access.
    - One address for all lanes of the block: nvcc may fold the lanes of a warp into one beforehand.
    - `atomicCAS`, counted with two wavefronts a lane, in too few patterns to make a rule of it.
    - Floats and 64 bits, which are a loop of compare-and-swap that runs once for each lane that meets another.
    """
    return (
        access.op is Operation.ATOMIC
        and access.space is Space.SHARED
        and access.memory is not None
        and access.bytes == 4
        and is_native_atomic(access.expression, access.memory.type_name)
        and access.lanes is not None
        and not _one_address(access.lanes)
    )


def _one_address(lanes: Lanes) -> bool:
    """Whether all active lanes of the block meet at one address, each time that the access executes."""
    far = np.iinfo(np.int64).max
    low = np.where(lanes.active, lanes.offsets, far).min(axis=(1, 2))
    high = np.where(lanes.active, lanes.offsets, -far).max(axis=(1, 2))
    return lanes.groups is None and bool((high <= low).all())


def atomic_traffic(lanes: Lanes, arch: Architecture) -> Traffic | None:
    """Wavefronts per request of a shared atomic that takes turns."""
    count = mean_per_request(atomic_wavefront_counts(lanes, arch), lanes)
    ideal = mean_per_request(ideal_wavefronts(lanes, arch.bank_bytes, arch), lanes)
    return None if count is None or ideal is None else Traffic(count, ideal)


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
