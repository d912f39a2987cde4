"""Prints maps as one SVG picture, self-contained, for light and dark pages, with title and description as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from coalint.engine.inspection.showing import Showing, Shown
from coalint.machine.access_map import AccessMap
from coalint.reporters.show.captions import expression, heading, notes, origin, paragraph, position, totals
from coalint.reporters.show.cells import Cell, Grid, Row, Shade, grid_of
from coalint.reporters.show.map_description import describe_map

MOST = 6
"""How many maps of one line are drawn."""
WIDTH = 800  # of the picture, in pixels
_MARGIN = 12
_LABEL = 76  # for the labels of rows
_CELL_WIDTH, _CELL_HEIGHT = 21, 17
_GAP = 5  # between sectors, and every eighth bank
_LETTERS = 100  # of a line of text: 7 pixels each

STYLE = """\
svg { color-scheme: light dark; }
text { font: 12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #1f2328; }
.title { font-weight: bold; font-size: 13px; }
.quiet, .label { fill: #59636e; }
.label { font-size: 11px; }
.lane { font-size: 11px; fill: #ffffff; }
.paper { fill: #ffffff; }
.used { fill: #1a7f37; }
.shared { fill: #0969da; }
.moved { fill: #ffd7d0; stroke: #e0796c; stroke-width: 0.5; }
.rest { fill: #eff1f3; }
.absent { fill: none; stroke: #d1d9e0; stroke-width: 0.5; stroke-dasharray: 2 2; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.quiet, .label { fill: #9198a1; }
.lane { fill: #ffffff; }
.paper { fill: #0d1117; }
.used { fill: #238636; }
.shared { fill: #1f6feb; }
.moved { fill: #5d1f1a; stroke: #a5463c; }
.rest { fill: #21262d; }
.absent { stroke: #3d444d; }
}
"""


class _Canvas:
    """The elements of the picture, collected from top to bottom.

    Attributes:
        elements: The SVG elements.
        y: The bottom of what is drawn, in pixels.
    """

    def __init__(self) -> None:
        self.elements: list[str] = []
        self.y = _MARGIN

    def text(self, text: str, kind: str = "", x: int = _MARGIN, anchor: str = "") -> None:
        """Add one line of text, with its baseline at `y`."""
        attributes = (f' class="{kind}"' if kind else "") + (f' text-anchor="{anchor}"' if anchor else "")
        self.elements.append(f'<text x="{x}" y="{self.y}"{attributes}>{escape(text, quote=False)}</text>')

    def paragraph(self, text: str, kind: str = "") -> None:
        """Add text in as many lines as it takes."""
        for line in paragraph(text, _LETTERS):
            self.y += 16
            self.text(line, kind)


def showing_text(showing: Showing) -> str:
    """Return the picture."""
    canvas = _Canvas()
    canvas.paragraph(showing.title, "title")
    for shown in showing.shown[:MOST]:
        canvas.y += 10
        _draw(canvas, shown, showing)
    rest = len(showing.shown) - MOST
    if rest > 0:
        canvas.paragraph(f"and {rest} more accesses", "quiet")
    return _document(canvas, showing.command, " ".join(_described(showing)))


def _described(showing: Showing) -> Iterator[str]:
    for shown in showing.shown[:MOST]:
        yield f"{expression(shown.access)}, {heading(shown)}:"
        yield (
            f"{totals(shown.map)}. {describe_map(shown.map)}"
            if shown.map is not None
            else f"not drawn, {shown.reason}."
        )


def _document(canvas: _Canvas, title: str, description: str) -> str:
    height = canvas.y + _MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'role="img" aria-labelledby="title desc">\n'
        f'<title id="title">{escape(title, quote=False)}</title>\n'
        f'<desc id="desc">{escape(description, quote=False)}</desc>\n'
        f"<style>\n{STYLE}</style>\n"
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="6"/>\n'
    )
    return head + "\n".join(canvas.elements) + "\n</svg>\n"


def _draw(canvas: _Canvas, shown: Shown, showing: Showing) -> None:
    span = shown.access.span.shown
    canvas.paragraph(f"{span.file}:{span.line}:{span.column}: {expression(shown.access)}", "title")
    canvas.paragraph(heading(shown), "quiet")
    if shown.map is not None:
        canvas.paragraph(position(shown.map), "quiet")
        _map(canvas, shown.map)
        grid = grid_of(shown.map)
        text = origin(shown.map, showing, 0 if grid is None else grid.start)
        canvas.paragraph(text[:1].upper() + text[1:], "quiet")
    for note in notes(shown, showing):
        canvas.paragraph(note, "quiet")


def _map(canvas: _Canvas, part: AccessMap) -> None:
    """Draw the grid of a map, its key, its totals and its description."""
    grid = grid_of(part)
    if grid is not None:
        _grid(canvas, grid)
        _key(canvas, grid)
    canvas.y += 4
    canvas.paragraph(totals(part))
    canvas.paragraph(describe_map(part))


def _left(column: int) -> int:
    """Return the x coordinate of a column of cells, in pixels."""
    return _MARGIN + _LABEL + column * _CELL_WIDTH + column // 8 * _GAP


def _grid(canvas: _Canvas, grid: Grid) -> None:
    canvas.y += 22
    canvas.text(grid.corner, "label", _MARGIN + _LABEL - 8, "end")
    for number, name in enumerate(grid.columns):
        canvas.text(name, "label", _left(8 * number))
    canvas.y += 6
    for row in grid.rows:
        if row.head:
            canvas.y += 15
            canvas.text(row.head, "label", _left(0))
            canvas.y += 5
        _row(canvas, row, grid.resting)
        canvas.y += _CELL_HEIGHT + 2


def _row(canvas: _Canvas, row: Row, resting: bool) -> None:
    """Draw a row; adjacent cells of one lane are one box, as are those of a sector without a lane."""
    top, baseline = canvas.y, canvas.y + 13
    canvas.elements.append(
        f'<text x="{_MARGIN + _LABEL - 8}" y="{baseline}" class="label" text-anchor="end">{row.label}</text>'
    )
    for first, cells in _boxes(row.cells):
        left = _left(first)
        width = _left(first + len(cells) - 1) + _CELL_WIDTH - left - 1
        kind = "rest" if resting and cells[0].shade is Shade.MOVED else cells[0].shade.value
        canvas.elements.append(
            f'<rect class="{kind}" x="{left}" y="{top}" width="{width}" height="{_CELL_HEIGHT}" rx="2"/>'
        )
        if cells[0].lane is not None:
            middle = left + width // 2
            canvas.elements.append(
                f'<text x="{middle}" y="{baseline}" class="lane" text-anchor="middle">{cells[0].lane}</text>'
            )


def _boxes(cells: Sequence[Cell]) -> Iterator[tuple[int, list[Cell]]]:
    """Yield the first column of each box, and its cells."""
    first, box = 0, list[Cell]()
    for column, cell in enumerate(cells):
        same_group = box and column % 8 and cell.shade is box[-1].shade
        same_lane = cell.lane == box[-1].lane and not cell.begins if box and cell.lane is not None else True
        if box and not (same_group and same_lane):
            yield first, box
            first, box = column, []
        box.append(cell)
    yield first, box


def _key(canvas: _Canvas, grid: Grid) -> None:
    """Draw the key of the colours that occur."""
    shades = {cell.shade for row in grid.rows for cell in row.cells}
    words = {
        Shade.USED: "used by the lane named",
        Shade.SHARED: "used by several, the first is named",
        Shade.MOVED: "idle bank" if grid.resting else "moved but unused",
        Shade.ABSENT: "not moved",
    }
    canvas.y += 8
    x = _left(0)
    for shade, text in words.items():
        if shade in shades:
            width = 20 + 7 * len(text)
            if x + width > WIDTH - _MARGIN:
                x = _left(0)
                canvas.y += 16
            kind = "rest" if shade is Shade.MOVED and grid.resting else shade.value
            canvas.elements.append(f'<rect class="{kind}" x="{x}" y="{canvas.y}" width="14" height="11" rx="2"/>')
            canvas.elements.append(f'<text x="{x + 20}" y="{canvas.y + 10}" class="label">{text}</text>')
            x += width + 18
    canvas.y += 12
