"""Maps for people, in a terminal of 80 columns: as readable without colour as with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from coalint.engine.inspection.showing import Showing, Shown
from coalint.machine.access_map import AccessMap, Lane
from coalint.reporters.show.captions import (
    expression,
    heading,
    mean,
    notes,
    origin,
    paragraph,
    position,
    totals,
    whole_launch,
)
from coalint.reporters.show.cells import Cell, Grid, Shade, grid_of
from coalint.reporters.show.map_description import describe_map
from coalint.rules.support.wording import plural

MOST = 6
"""How many maps of one line are drawn; more are counted."""
_LABEL = 9  # columns for the label of a row


def print_showing(showing: Showing, console: Console, lanes: Sequence[int] = ()) -> None:
    """Print the maps of a place, and beneath each map the addresses of `lanes`."""
    console.print(Text(showing.title, "coalint.title"))
    for shown in showing.shown[:MOST]:
        console.print()
        for line in _shown(shown, showing, console.width, lanes):
            console.print(line)
    rest = len(showing.shown) - MOST
    if rest > 0:
        console.print()
        console.print(f"{rest} more accesses are here: name a column, or use --output-format json")
    if showing.others:
        console.print()
        for text in _others(showing):
            console.print(Text(text, "coalint.quiet"))


def _others(showing: Showing) -> Iterator[str]:
    count = len(showing.others)
    yield f"{plural(count, 'more specialization')} of this line; --kernel TEXT draws the one that TEXT is in:"
    yield from (f"  {title}" for title in showing.others[:MOST])
    if count > MOST:
        yield f"  and {count - MOST} more"


def _shown(shown: Shown, showing: Showing, width: int, lanes: Sequence[int]) -> Iterator[Text]:
    span = shown.access.span.shown
    title = Text(f"{span.file}:{span.line}:{span.column}: ", "coalint.place")
    text = expression(shown.access)
    if len(title) + len(text) > width:
        title.rstrip()
        yield title
        title = Text("  ")
    title.append(text, "coalint.title")
    yield title
    yield from _plain(heading(shown), width)
    part = shown.map
    if part is not None:
        yield from _plain(position(part), width)
        grid = grid_of(part)
        if grid is not None:
            yield Text()
            yield from _grid(grid, 3 if width >= _LABEL + 2 + 4 * _eight(3) + 4 else 2)
            yield from _plain(_legend(grid, part, showing), width, "coalint.quiet")
        yield Text()
        yield from _plain(totals(part), width, "coalint.title")
        if average := mean(shown):
            yield from _plain(average, width)
        if launch := whole_launch(shown):
            yield from _plain(launch, width)
        yield from _plain(describe_map(part), width)
    for note in notes(shown, showing):
        yield from _plain(note, width, "coalint.quiet" if part is not None else "")
    if part is not None and lanes:
        yield Text()
        yield from _table(part, lanes)


def _plain(text: str, width: int, style: str = "") -> Iterator[Text]:
    yield from (Text(line, style) for line in paragraph(text, width, "  "))


def _legend(grid: Grid, part: AccessMap, showing: Showing) -> str:
    shades = {cell.shade for row in grid.rows for cell in row.cells}
    wide = any(not cell.begins for row in grid.rows for cell in row.cells)
    parts = ["a cell is 4 bytes"] if part.lines else ["a cell is a word of a bank"]
    parts.append("07: lane 7 uses it")
    parts += ["--: and this cell too"] if wide else []
    parts += ["a cell of several lanes names the first"] if Shade.SHARED in shades else []
    if part.lines:
        parts += ["..: moved but unused"] if Shade.MOVED in shades else []
        parts += ["blank: not moved"] if Shade.ABSENT in shades else []
    else:
        parts += ["..: idle bank"] if Shade.MOVED in shades else []
    parts.append(origin(part, showing, grid.start))
    return "; ".join(parts)


def _grid(grid: Grid, width: int) -> Iterator[Text]:
    """Yield the lines of a grid, with `width` columns per cell."""
    head = "|".join(f"{name:<{_eight(width)}}" for name in grid.columns)
    label = max(_LABEL, *(len(row.label) for row in grid.rows))
    yield Text(f"{grid.corner:>{label}} |{head}|", "coalint.quiet")
    for row in grid.rows:
        if row.head:
            yield Text(f"{'':>{label}}  {row.head}", "coalint.quiet")
        text = Text(f"{row.label:>{label}} ")
        for number, cell in enumerate(row.cells):
            if number % 8 == 0:
                text.append("|", "coalint.quiet")
            text.append(_cell(cell, width if number % 8 < 7 else 2), _style(cell, grid))
        text.append("|", "coalint.quiet")
        yield text


def _eight(width: int) -> int:
    """Return the width of eight cells; the last one has no space after it."""
    return 7 * width + 2


def _style(cell: Cell, grid: Grid) -> str:
    """Return the style of a cell; the styles of adjacent lanes differ."""
    if cell.lane is None:
        return "" if cell.shade is Shade.ABSENT else "coalint.quiet" if grid.resting else "red"
    bright = "bright_" if cell.lane % 2 else ""
    return f"black on {bright}{'cyan' if cell.shade is Shade.SHARED else 'green'}"


def _cell(cell: Cell, width: int) -> str:
    if cell.shade is Shade.ABSENT:
        return " " * width
    if cell.lane is None:
        return ".." + " " * (width - 2)
    return (f"{cell.lane:02d}" if cell.begins else "--") + " " * (width - 2)


# --- lanes one by one


def _table(part: AccessMap, chosen: Sequence[int]) -> Iterator[Text]:
    """Yield a line for each of the lanes: its thread, its first byte, and that byte's sector or bank."""
    lanes = [part.lanes[number] for number in chosen]
    rows = [_lane_row(part, lane) for lane in lanes]
    header = ("lane", "thread", "byte", *(("line", "sector") if part.lines else ("word", "bank", "wavefront")))
    widths = [max(len(row[column]) for row in (header, *rows) if column < len(row)) for column in range(len(header))]
    yield Text("  " + "  ".join(f"{cell:>{size}}" for cell, size in zip(header, widths, strict=True)), "coalint.quiet")
    for row in rows:
        yield Text("  " + "  ".join(f"{cell:>{size}}" for cell, size in zip(row, widths, strict=False)))


def _lane_row(part: AccessMap, lane: Lane) -> tuple[str, ...]:
    thread = "none" if lane.thread is None else ",".join(map(str, lane.thread))
    if lane.offset is None:
        return f"{lane.lane}", thread, "-"
    cells = (f"{lane.lane}", thread, f"{lane.offset:+d}")
    if part.lines:
        return *cells, f"{lane.offset // 128 * 128:+d}", f"{lane.offset % 128 // part.sector_bytes}"
    served, turns = 0, []
    for wavefront in part.wavefronts:
        if lane.lane in wavefront.lanes:
            turns.append(str(served + 1))
        served += wavefront.times
    return *cells, f"{lane.offset // 4:+d}", f"{lane.offset // 4 % 32}", ", ".join(turns)
