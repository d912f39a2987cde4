"""Global memory: the lines and sectors that one warp's request touches, and which lanes use which bytes of them.

`sectors` counts for many warps at once; here the sectors of one warp are listed, and their number is that count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.core.facts.lanes import Lanes


@record(frozen=True, slots=True)
class Use:
    """The bytes of a sector that a lane uses: `begin` counts from the sector's first byte."""

    lane: int
    begin: int
    bytes: int


@record(frozen=True, slots=True)
class Sector:
    """One sector of a line. `offset` is its first byte, counted from the common base of the lanes.

    `requests` is how often it is moved: 0 where no lane touches it and the line is not fetched as a whole, more than 1
    only by copies past L1.
    """

    offset: int
    requests: int
    uses: tuple[Use, ...] = ()

    @property
    def bytes_used(self) -> int:
        """How many different bytes of it are used."""
        return len({byte for use in self.uses for byte in range(use.begin, use.begin + use.bytes)})


@record(frozen=True, slots=True)
class Line:
    """One line, of which at least one sector is touched, with all of its sectors; `offset` as for a Sector.

    Lines of different groups are at distances that are not known (see `Lanes`).
    """

    offset: int
    sectors: tuple[Sector, ...]
    group: int = 0

    @property
    def requests(self) -> int:
        """How many sectors of it are moved."""
        return sum(sector.requests for sector in self.sectors)


def touched_lines(
    lanes: Lanes,
    bytes_per_lane: int,
    sector_bytes: int = 32,
    line_bytes: int = 128,
    granule: int = 32,
    requests: Mapping[tuple[int, int], int] | None = None,
) -> tuple[Line, ...]:
    """Return the lines that one warp touches (`lanes` has one row and one warp), by their offsets. Sizes in bytes.

    Memory is fetched in aligned pieces of `granule` bytes. `requests` says of sectors, by their group and their number
    from the base, how often they are moved where that is more than once. The base counts as a multiple of `line_bytes`.
    """
    uses: dict[tuple[int, int], list[Use]] = defaultdict(list)
    for lane in range(lanes.active.shape[2]):
        if not lanes.active[0, 0, lane]:
            continue
        offset = int(lanes.offsets[0, 0, lane])
        group = 0 if lanes.groups is None else int(lanes.groups[..., lane].reshape(-1)[0])
        for sector in range(offset // sector_bytes, (offset + bytes_per_lane - 1) // sector_bytes + 1):
            begin = max(offset, sector * sector_bytes)
            end = min(offset + bytes_per_lane, (sector + 1) * sector_bytes)
            uses[group, sector].append(Use(lane, begin - sector * sector_bytes, end - begin))
    per_line, per_granule = line_bytes // sector_bytes, granule // sector_bytes
    fetched = {(group, sector // per_granule) for group, sector in uses}
    lines: list[Line] = []
    for group, line in sorted({(group, sector // per_line) for group, sector in uses}):
        sectors = tuple(
            Sector(
                sector * sector_bytes,
                (requests or {}).get((group, sector), 1) if (group, sector // per_granule) in fetched else 0,
                tuple(uses.get((group, sector), ())),
            )
            for sector in range(line * per_line, (line + 1) * per_line)
        )
        lines.append(Line(line * line_bytes, sectors, group))
    return tuple(lines)
