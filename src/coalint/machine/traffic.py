"""What an access costs: sectors for global memory, wavefronts for shared memory, each beside its ideal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.costs import Cost, Unit
from coalint.core.facts.lanes import Lanes, Service
from coalint.core.lazy import np
from coalint.core.records import record
from coalint.machine.global_memory.sectors import ideal_sectors, sector_counts
from coalint.machine.shared_memory.async_copies import bypass_sectors, bypass_wavefronts, copy_wavefronts
from coalint.machine.shared_memory.banks import (
    conflict_ways,
    ideal_wavefronts,
    lanes_by_bank,
    most_in_bank,
    turn_counts,
    wavefront_counts,
)
from coalint.machine.shared_memory.contention import most_at_address

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.machine.architecture import Architecture


@record(frozen=True, slots=True)
class Traffic:
    """The mean cost of one executed warp instruction.

    Attributes:
        count: Sectors (global memory) or wavefronts (shared memory) per request.
        ideal: What the same bytes would take if they were packed, in the same unit.
    """

    count: float
    ideal: float

    @property
    def excess(self) -> float:
        """What is moved beyond the ideal; never negative, since a broadcast needs less than its ideal."""
        return max(0.0, self.count - self.ideal)


def cost_of(access: Access, traffic: Traffic) -> Cost:
    """Return the traffic of an access, as one instruction makes it, as findings carry it."""
    unit = Unit.WAVEFRONTS if access.space is Space.SHARED else Unit.SECTORS
    return Cost(count=traffic.count, ideal=traffic.ideal, unit=unit, bytes=access.bytes, exact=access.result.exact)


def traffic(access: Access, arch: Architecture) -> Traffic | None:
    """Return what the access costs on `arch`.

    None for uncounted spaces, unknown lanes, code that no lane reaches, and asynchronous copies without a known law.
    """
    lanes = access.result.lanes
    if lanes is None:
        return None
    if access.space is Space.GLOBAL:
        if access.served.service is Service.BYPASS:
            return _bypass_traffic(access)
        return global_traffic(lanes, access.bytes, access.op, arch)
    if access.space is not Space.SHARED:
        return None
    if access.served.service in (Service.COPY, Service.BYPASS):
        return _copy_traffic(access, arch)
    if access.served.service in TURN_WAVEFRONTS:
        return atomic_traffic(lanes, access.bytes, access.served.service, arch)
    # Rows of a matrix are loads of 16 bytes, but two phases are never served as one.
    op = Operation.STORE if access.served.service is Service.ROWS else access.op
    return shared_traffic(lanes, access.bytes, op, arch)


def settled(access: Access, arch: Architecture) -> Access:
    """Return the access as unknown where `arch` has no such instruction, or no law is known of what it costs."""
    if access.result.lanes is None:
        return access
    if arch.compute_capability < access.served.since:
        major, minor = access.served.since
        return _unknown(access, f"its lanes are known from compute capability {major}.{minor} on")
    if access.served.partner is not None and access.result.lanes.active.any() and traffic(access, arch) is None:
        return _unknown(access, "how an asynchronous copy between such addresses is served is not known")
    return access


def _unknown(access: Access, reason: str) -> Access:
    result = replace(access.result, lanes=None, exact=False, assumed=(), unknown=reason)
    return replace(access, result=result, served=replace(access.served, partner=None))


def takes_turns(access: Access) -> bool:
    """Whether the lanes of one bank are served one by one, those that ask for the same word included."""
    return access.space is Space.SHARED and access.served.service in TURN_WAVEFRONTS


def shares_words(access: Access, arch: Architecture) -> bool:
    """Whether the lanes of a shared atomic that wait for one another do so at one word, not at several of one bank."""
    if access.result.lanes is None or not takes_turns(access):
        return False
    return int(most_at_address(access.result.lanes).max(initial=0)) >= max(2, ways(access, arch))


TURN_WAVEFRONTS = {Service.SERIALIZED: 1, Service.CAS: 2, Service.CAS_LOOP: 2}
"""Wavefronts for each turn, as counted on an H200.

In 128 patterns each, of which the half random: add, sub, min, max, and, or, xor, exch, inc and dec on 4 bytes, exch on
8 bytes, compare-and-swap on 4 and 8 bytes; and over all rounds of its loop, the add of float.
"""


def atomic_traffic(lanes: Lanes, bytes_per_lane: int, service: Service, arch: Architecture) -> Traffic | None:
    """Return wavefronts per request of a shared atomic whose lanes take turns.

    A loop (`Service.CAS_LOOP`) is one request here, though the counters count each of its rounds, one for each turn, at
    two wavefronts.
    """
    each = TURN_WAVEFRONTS[service]
    count = mean_per_request(each * turn_counts(lanes, bytes_per_lane, arch), lanes)
    ideal = mean_per_request(each * ideal_wavefronts(lanes, bytes_per_lane, arch), lanes)
    return None if count is None or ideal is None else Traffic(count, ideal)


def spin_rounds(lanes: Lanes, bytes_per_lane: int, arch: Architecture) -> tuple[float, float]:
    """Return rounds of the loop of a spinning atomic, and lanes that take part in them, over the rows of its lanes.

    Each round serves one lane of every bank, and costs two wavefronts (counted on an H200).
    """
    asked = lanes_by_bank(lanes, bytes_per_lane, arch)
    rounds = asked.max(axis=3).sum(axis=(1, 2)) @ lanes.weights
    taking_part = (asked * (asked + 1) // 2).sum(axis=(1, 2, 3)) @ lanes.weights
    return float(rounds), float(taking_part)


def ways(access: Access, arch: Architecture) -> int:
    """Return how many lanes at most ask one bank at once: different words of it, or any where the lanes take turns."""
    if access.result.lanes is None:
        return 0
    if takes_turns(access):
        return int(most_in_bank(access.result.lanes, access.bytes, arch).max(initial=0))
    return conflict_ways(access.result.lanes, access.bytes, arch)


def _copy_traffic(access: Access, arch: Architecture) -> Traffic | None:
    lanes, source = access.result.lanes, access.served.partner
    if lanes is None or source is None:
        return None
    if access.served.service is Service.BYPASS:
        counts = bypass_wavefronts(source, lanes)
    else:
        counts = copy_wavefronts(source, lanes, access.bytes, arch)
    if counts is None:
        return None
    count = mean_per_request(counts, lanes)
    ideal = mean_per_request(ideal_wavefronts(lanes, access.bytes, arch), lanes)
    return None if count is None or ideal is None else Traffic(count, ideal)


def _bypass_traffic(access: Access) -> Traffic | None:
    lanes, target = access.result.lanes, access.served.partner
    counts = bypass_sectors(lanes, target) if lanes is not None and target is not None else None
    if lanes is None or counts is None:
        return None
    count = mean_per_request(counts, lanes)
    ideal = mean_per_request(ideal_sectors(lanes, access.bytes), lanes)
    return None if count is None or ideal is None else Traffic(count, ideal)


def global_traffic(lanes: Lanes, bytes_per_lane: int, op: Operation, arch: Architecture) -> Traffic | None:
    """Return sectors per request; a load that fetches whole lines counts each line as all of its sectors."""
    loads = op is Operation.LOAD
    granule = arch.load_granularity_bytes if loads else arch.store_granularity_bytes
    sectors = granule // arch.sector_bytes
    count = mean_per_request(sector_counts(lanes, bytes_per_lane, granule), lanes)
    ideal = mean_per_request(ideal_sectors(lanes, bytes_per_lane, granule), lanes)
    return None if count is None or ideal is None else Traffic(sectors * count, sectors * ideal)


def shared_traffic(lanes: Lanes, bytes_per_lane: int, op: Operation, arch: Architecture) -> Traffic | None:
    """Return wavefronts per request. A request served in fewer than its bytes need (a merged load) is its own ideal."""
    counts = wavefront_counts(lanes, bytes_per_lane, arch, load=op is Operation.LOAD)
    ideals = np.minimum(ideal_wavefronts(lanes, bytes_per_lane, arch), counts)
    count = mean_per_request(counts, lanes)
    ideal = mean_per_request(ideals, lanes)
    return None if count is None or ideal is None else Traffic(count, ideal)


def mean_per_request(counts: NDArray[np.int64], lanes: Lanes) -> float | None:
    """Return the mean of `counts` (E, W) over the warps that execute: those with an active lane, weighted by row."""
    times = lanes.active.any(axis=2) * lanes.weights[:, None]
    requests = int(times.sum())
    return float((counts * times).sum() / requests) if requests else None
