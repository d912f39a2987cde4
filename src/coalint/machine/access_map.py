"""The map of one access for one warp: its lanes, and the sectors or banks that they touch. Pure data.

What it costs is what `traffic` says of that warp alone, so that a map never has numbers of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.lanes import Lanes, Service
from coalint.core.lazy import np
from coalint.core.records import record
from coalint.machine.architecture import Architecture
from coalint.machine.global_memory.lines import Line, touched_lines
from coalint.machine.shared_memory.async_copies import sector_requests
from coalint.machine.shared_memory.wavefronts import (
    Wavefront,
    bypass_wavefronts_of,
    copy_wavefronts_of,
    plain_wavefronts,
    turn_wavefronts,
    ways_of,
)
from coalint.machine.traffic import TURN_WAVEFRONTS, Traffic, traffic


class NotPlaced(Exception):
    """An access that has no map; the text says why."""


@record(frozen=True, slots=True)
class Lane:
    """One lane: its thread (x, y, z), None where the block has none for it, and the byte that it begins at.

    `offset` counts from the common base of the warp's lanes and is None for a lane that does not take part; `group` is
    that of the lanes (see `Lanes`).
    """

    lane: int
    thread: tuple[int, int, int] | None
    offset: int | None
    group: int = 0

    @property
    def active(self) -> bool:
        """Whether it takes part."""
        return self.offset is not None


@record(frozen=True, slots=True)
class AccessMap:
    """What one warp of a block touches in one execution of an access.

    `warp` counts the warps of the block, `row` those of `access.result.lanes`; `counters` are the iterations and
    blocks that the row stands for, as numbers from 0. Every lane moves `access.bytes` bytes. `lines` are those of
    global memory, `wavefronts` those of shared memory: one of the two is empty, and both are where no lane takes
    part; `traffic` is None then.
    """

    access: Access
    warp: int
    row: int
    counters: tuple[tuple[str, int], ...]
    lanes: tuple[Lane, ...]
    lines: tuple[Line, ...]
    wavefronts: tuple[Wavefront, ...]
    traffic: Traffic | None
    sector_bytes: int = 32

    @property
    def active(self) -> tuple[Lane, ...]:
        """The lanes that take part."""
        return tuple(lane for lane in self.lanes if lane.active)

    @property
    def bytes_used(self) -> int:
        """How many different bytes the lanes touch."""
        size = self.access.bytes
        begins = {(lane.group, lane.offset) for lane in self.lanes if lane.offset is not None}
        return len({(group, begin + byte) for group, begin in begins for byte in range(size)})

    @property
    def sectors(self) -> int:
        """How many sectors are moved."""
        return sum(line.requests for line in self.lines)

    @property
    def bytes_moved(self) -> int:
        """The bytes of the sectors that are moved; 0 for shared memory."""
        return self.sectors * self.sector_bytes

    @property
    def served(self) -> int:
        """How many wavefronts it takes."""
        return sum(wavefront.times for wavefront in self.wavefronts)

    @property
    def ways(self) -> Mapping[int, int]:
        """For each bank that is asked, in how many wavefronts of one phase it is needed."""
        return ways_of(self.wavefronts)


def access_map(access: Access, arch: Architecture, warp: int = 0, row: int = 0) -> AccessMap:
    """Return the map of a warp at one row of the access's lanes.

    Raises NotPlaced, and IndexError where there is no such.
    """
    lanes = access.result.lanes
    if access.result.unknown is not None or lanes is None or access.space not in (Space.GLOBAL, Space.SHARED):
        raise NotPlaced(access.result.unknown or f"{access.space.value} memory has neither sectors nor banks to count")
    partner = access.served.partner
    alone = access.with_lanes(_alone(lanes, row, warp), partner and _alone(partner, row, warp))
    assert alone.result.lanes is not None
    any_lane = bool(alone.result.lanes.active.any())
    is_global = access.space is Space.GLOBAL
    return AccessMap(
        access,
        warp,
        row,
        tuple((name, int(values[row])) for name, values in lanes.counters),
        _lanes(alone.result.lanes, access.specialization.block, warp),
        _lines(alone, alone.result.lanes, arch) if is_global and any_lane else (),
        _wavefronts(alone, alone.result.lanes, arch) if any_lane and not is_global else (),
        traffic(alone, arch),
        arch.sector_bytes,
    )


def rows_of(lanes: Lanes, counters: Mapping[str, int]) -> list[int]:
    """Return the rows at which the counters have these values; those that are not enumerated choose nothing."""
    chosen = np.ones(len(lanes.weights), dtype=np.bool_)
    for name, values in lanes.counters:
        if name in counters:
            chosen &= values == counters[name]
    return [int(row) for row in np.flatnonzero(chosen)]


def _alone(lanes: Lanes, row: int, warp: int) -> Lanes:
    """Return one warp at one row."""
    groups = lanes.groups
    if groups is not None:
        groups = groups[warp : warp + 1] if groups.ndim == 2 else groups[row : row + 1, warp : warp + 1]
    return Lanes(
        lanes.offsets[row, warp].reshape(1, 1, -1),
        lanes.active[row, warp].reshape(1, 1, -1),
        np.ones(1, dtype=np.int64),
        lanes.alignment,
        groups,
    )


def _lanes(lanes: Lanes, block: tuple[int, int, int], warp: int) -> tuple[Lane, ...]:
    x, y, z = block
    mapped = []
    for lane, (offset, active) in enumerate(
        zip(lanes.offsets[0, 0].tolist(), lanes.active[0, 0].tolist(), strict=True)
    ):
        linear = warp * lanes.offsets.shape[2] + lane
        thread = (linear % x, linear // x % y, linear // (x * y)) if linear < x * y * z else None
        group = 0 if lanes.groups is None else int(lanes.groups[..., lane].reshape(-1)[0])
        mapped.append(Lane(lane, thread, offset if active else None, group))
    return tuple(mapped)


def _lines(access: Access, lanes: Lanes, arch: Architecture) -> tuple[Line, ...]:
    """Return as `traffic.global_traffic` fetches, or as a copy past L1 does."""
    granule = arch.load_granularity_bytes if access.op is Operation.LOAD else arch.store_granularity_bytes
    requests = None
    if access.served.service is Service.BYPASS and access.served.partner is not None:
        granule, requests = arch.sector_bytes, sector_requests(lanes, access.served.partner)
    return touched_lines(lanes, access.bytes, arch.sector_bytes, arch.line_bytes, granule, requests)


def _wavefronts(access: Access, lanes: Lanes, arch: Architecture) -> tuple[Wavefront, ...]:
    """Return by the way in which the access is served, as `traffic.traffic` tells them apart."""
    if access.served.service is Service.BYPASS and access.served.partner is not None:
        return bypass_wavefronts_of(access.served.partner, lanes, arch)
    if access.served.service is Service.COPY and access.served.partner is not None:
        return copy_wavefronts_of(access.served.partner, lanes, access.bytes, arch)
    if access.served.service in TURN_WAVEFRONTS:
        return turn_wavefronts(lanes, access.bytes, arch, TURN_WAVEFRONTS[access.served.service])
    load = access.op is Operation.LOAD and access.served.service is not Service.ROWS
    return plain_wavefronts(lanes, access.bytes, arch, load=load)
