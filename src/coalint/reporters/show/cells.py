"""Lays a map out as rows of cells of 4 bytes, for the terminal and for SVG alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from coalint.core.records import record
from coalint.machine.access_map import AccessMap
from coalint.machine.global_memory.lines import Line, Sector
from coalint.machine.shared_memory.wavefronts import Wavefront

FAR = 10**8
"""Offset in bytes from which on rows are labelled relative to the first of them."""
CELL = 4
"""The bytes of a cell: a word of a bank."""


class Shade(Enum):
    """How the bytes of a cell are used."""

    USED = "used"  # by one lane
    SHARED = "shared"  # by more than one
    MOVED = "moved"  # in a sector that moves, but unused; of a bank: idle
    ABSENT = "absent"  # not moved


@record(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes:
        shade: How its bytes are used.
        lane: The first lane that uses it; None where none does.
        begins: Whether `lane` is another than that of the cell before.
        lanes: All lanes that use it.
    """

    shade: Shade
    lane: int | None = None
    begins: bool = True
    lanes: tuple[int, ...] = ()


@record(frozen=True, slots=True)
class Row:
    """A row of 32 cells.

    Attributes:
        label: The offset of a line's first byte, or the number of a wavefront.
        cells: The cells.
        head: The title of a section that begins with the row; empty where none does.
    """

    label: str
    cells: tuple[Cell, ...]
    head: str = ""


@record(frozen=True, slots=True)
class Grid:
    """The rows of a map.

    Attributes:
        corner: What the labels of rows are.
        columns: The labels of every eighth column.
        rows: The rows.
        resting: Whether unused cells are idle banks, for which nothing is moved.
        start: The offset in bytes that labels of lines are relative to.
    """

    corner: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    resting: bool = False
    start: int = 0


def grid_of(part: AccessMap) -> Grid | None:
    """Return the layout of a map; None where no lane is active."""
    if part.lines:
        far = max(abs(line.offset) for line in part.lines) >= FAR
        start = part.lines[0].offset if far else 0
        return Grid("byte", ("0", "32", "64", "96"), tuple(_lines(part.lines, start)), start=start)
    if part.wavefronts:
        return Grid("wavefront", ("bank 0", "8", "16", "24"), tuple(_wavefronts(part.wavefronts)), resting=True)
    return None


def _lines(lines: Sequence[Line], start: int) -> Iterator[Row]:
    group = lines[0].group
    for line in lines:
        head = "" if line.group == group else "at an unknown distance:"
        group = line.group
        yield Row(f"{line.offset - start:+d}", tuple(cell for sector in line.sectors for cell in _sector(sector)), head)


def _sector(sector: Sector) -> Iterator[Cell]:
    """Yield the cells of a sector."""
    blank = Cell(Shade.MOVED if sector.requests else Shade.ABSENT)
    cells = [blank] * (32 // CELL)
    for number in range(len(cells)):
        users = [
            use for use in sector.uses if use.begin < (number + 1) * CELL and use.begin + use.bytes > number * CELL
        ]
        if users:
            lanes = tuple(dict.fromkeys(use.lane for use in users))
            begins = number == 0 or cells[number - 1].lane != lanes[0]
            cells[number] = Cell(Shade.SHARED if len(lanes) > 1 else Shade.USED, lanes[0], begins, lanes)
    yield from cells


def _wavefronts(wavefronts: Sequence[Wavefront]) -> Iterator[Row]:
    several = len({wavefront.first for wavefront in wavefronts}) > 1
    served, first = 0, -1
    for wavefront in wavefronts:
        cells = [Cell(Shade.MOVED)] * 32
        for word in wavefront.words:
            before = cells[word.bank - 1] if word.bank else None
            follows = before is not None and before.lane == word.lanes[0] and word.lanes == before.lanes
            shade = Shade.SHARED if len(word.lanes) > 1 else Shade.USED
            cells[word.bank] = Cell(shade, word.lanes[0], not follows, word.lanes)
        label = f"{served + 1}" if wavefront.times == 1 else f"{served + 1}-{served + wavefront.times}"
        head = f"lanes {wavefront.first} to {wavefront.last}:" if several and wavefront.first != first else ""
        yield Row(label, tuple(cells), head)
        served, first = served + wavefront.times, wavefront.first
