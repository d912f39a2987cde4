"""Formats source lines for a terminal: expands tabs, measures wide characters, crops long lines, marks a span."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from coalint.core.records import record
from coalint.core.source.spans import Span

TAB = 4
LEAD = 12
"""Cells that are kept before a mark when a long line is cropped."""


@record(frozen=True, slots=True)
class FrameLine:
    """One printed line.

    Attributes:
        number: The number of the source line; None for the line of carets.
        text: The text.
    """

    number: int | None
    text: str


def quote(lines: Sequence[str], span: Span, width: int, context: int = 0) -> Iterator[FrameLine]:
    """Yield the span's first line with carets under it, and up to `context` lines around it.

    `width` counts terminal cells. Blank lines at the edges are left out; a span outside the text gives nothing.
    """
    if not 1 <= span.line <= len(lines):
        return
    first, last = max(1, span.line - context), min(len(lines), span.line + context)
    while first < span.line and not lines[first - 1].strip():
        first += 1
    while last > span.line and not lines[last - 1].strip():
        last -= 1
    shown = {number: _cells(lines[number - 1]) for number in range(first, last + 1)}
    begin, end = _extent(shown[span.line], span)
    shift = _shift(shown.values(), shown[span.line], begin, end, width)
    for number, cells in shown.items():
        yield FrameLine(number, _crop(cells, shift, width))
        if number == span.line:
            start, stop = max(0, begin - shift), min(width, end - shift)
            yield FrameLine(None, " " * start + "^" * max(1, stop - start))


Cell = tuple[int, str]
"""The cell at which a character begins, and the text that is printed for it."""


def _shift(shown: Iterable[list[Cell]], marked: list[Cell], begin: int, end: int, width: int) -> int:
    """Return how many cells to crop on the left for the marked line to fit: indentation first, then code."""
    overflow = marked[-1][0] - width
    if overflow <= 0:
        return 0
    common = min(_indent(cells) for cells in shown if len(cells) > 1)
    if end - common <= width:
        return common
    return max(0, min(begin - LEAD, end - width + 1))


def _indent(cells: list[Cell]) -> int:
    return next((at for at, text in cells if not text.isspace()), 0)


def _cells(line: str) -> list[Cell]:
    """Return the cell of every character of a line; the last entry has no text and is the end of the line."""
    placed: list[Cell] = []
    at = 0
    for char in line.rstrip():
        shown = char
        if char == "\t":
            shown = " " * (TAB - at % TAB)
        elif unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co"):
            shown = "\N{REPLACEMENT CHARACTER}"
        placed.append((at, shown))
        at += len(shown) if char == "\t" else _width(shown)
    placed.append((at, ""))
    return placed


def _width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _extent(cells: list[Cell], span: Span) -> tuple[int, int]:
    length = len(cells) - 1
    begin = cells[min(span.column - 1, length)][0]
    if span.end_line == span.line and span.end_column > span.column:
        return begin, max(begin + 1, cells[min(span.end_column - 1, length)][0])
    return begin, max(begin + 1, cells[length][0])


def _crop(cells: list[Cell], shift: int, width: int) -> str:
    """Return `width` cells of a line from cell `shift` on, with an ellipsis where code is cropped."""
    end, left = cells[-1][0], _indent(cells) < shift
    cut = end > shift + width
    low, high = shift + left, shift + width - cut
    inside = [(at, text) for (at, text), (after, _) in pairwise(cells) if at >= low and after <= high]
    if not inside:
        return "…" if end > shift else ""
    pad = " " * (inside[0][0] - low)
    return ("…" if left else "") + pad + "".join(text for _, text in inside).rstrip() + ("…" if cut else "")
