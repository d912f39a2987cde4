"""Source that stands in a file of another kind: its text, and where in that file each character of it stands."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from coalint.core.records import record
from coalint.core.source.spans import Cell, Span
from coalint.frontend.cuda.build.kernel_marks import first_kernel
from coalint.frontend.python.embedded.raw_launches import host_lines
from coalint.frontend.python.embedded.sources import CudaSource
from coalint.frontend.python.embedded.string_literals import Piece
from coalint.frontend.python.notebooks import Notebook, cells_path


@record(frozen=True)
class EmbeddedUnit:
    """Source in a file of another kind, under a name of its own below that of its host: so what is said of that holds.

    The host is a Python file with CUDA source in it, or a notebook (`notebook`) with either. Lines have the numbers
    that they have in the host, where that is possible (`aligned`). For each character there are the offsets in the
    host at which what stands for it begins and ends.
    """

    path: str
    host: str
    text: str
    begins: Sequence[int]
    ends: Sequence[int]
    pieces: tuple[Piece, ...]
    aligned: bool
    lines: Lines
    own: Lines
    notebook: Notebook | None = None

    def span(self, span: Span) -> Span:
        """Return the place in the host."""
        first, last = self._offsets(span)
        begin = self.begins[first]
        end = self.ends[last - 1] if last > first else begin
        return host_span(self.host, self.lines, begin, end, self.notebook)

    def takes(self, span: Span, replacement: str) -> bool:
        """Whether a text can be written there as it is: within one literal, and as that spells it."""
        first, last = self._offsets(span)
        piece = next((p for p in self.pieces if p.first <= first and last <= p.last), None)
        if piece is None or self.ends[max(first, last - 1)] - self.begins[first] != max(1, last - first):
            return False
        refused = "\\\"'" + ("{}" if piece.formatted else "") + ("" if piece.triple else "\n")
        return not any(character in refused for character in replacement)

    def _offsets(self, span: Span) -> tuple[int, int]:
        last = len(self.text) - 1
        first = min(self.own.offset(span.line, span.column), last)
        return first, max(first, min(self.own.offset(span.end_line, span.end_column), last + 1))


class Lines:
    """The lines of a text."""

    def __init__(self, text: str) -> None:
        self.starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))[:-1]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a place."""
        return self.starts[min(line, len(self.starts)) - 1] + column - 1


def host_span(host: str, lines: Lines, begin: int, end: int, notebook: Notebook | None = None) -> Span:
    """Return the place between two offsets of a host; of a notebook with the place in its cell."""
    span = Span(host, *lines.place(begin), *lines.place(end))
    if notebook is None:
        return span
    first, last = notebook.place(begin), notebook.place(max(begin, end - 1))
    if first is None or last is None:
        return span
    behind = (last[1], last[2] + (end > begin)) if last[0] == first[0] else first[1:]
    return replace(span, cell=Cell(*first, *behind))


def cuda_unit(
    file: str, source: CudaSource, lines: Lines, names: set[str], notebook: Notebook | None = None
) -> EmbeddedUnit | None:
    """Return the unit for a source under a name that is none of `names`; None where it is empty."""
    parts = [part for part in source.parts if part.text]
    if not parts:
        return None
    text = "".join(f"{line}\n" for line in source.prelude)
    begins = [parts[0].begins[0]] * len(text)
    ends = list(begins)
    pieces: list[Piece] = []
    for part in parts:
        line = lines.place(part.begins[0])[0]
        # What comes before is moved down: a prelude needs lines of Python above it, as there are for the imports.
        gap = max(line - 1 - text.count("\n"), 1 if begins and text[-1:] != "\n" else 0)
        text, begins, ends = text + "\n" * gap, [*begins, *[part.begins[0]] * gap], [*ends, *[part.begins[0]] * gap]
        shift = len(text)
        pieces += (Piece(p.first + shift, p.last + shift, p.triple, p.formatted) for p in part.pieces)
        text += part.text
        begins += part.begins
        ends += part.ends
    text, begins, ends = text + "\n", [*begins, ends[-1]], [*ends, ends[-1]]
    launches = source.launches
    lines_of_host = host_lines(launches) if launches else []
    for number, line_of_host in enumerate(lines_of_host):
        launch = launches[min(max(number - 1, 0), len(launches) - 1)]
        text += line_of_host + "\n"
        begins += [launch.begin] * (len(line_of_host) + 1)
        ends += [launch.end] * (len(line_of_host) + 1)
    own = Lines(text)
    numbered = ((own.place(shift + n)[0], lines.place(begin)[0]) for n, begin in enumerate(part.begins))
    aligned = all(mine == theirs for mine, theirs in numbered)
    stem = first_kernel(text) or "source"
    name, number = os.path.join(file, f"{stem}.cu"), 1
    while name in names:
        number += 1
        name = os.path.join(file, f"{stem}-{number}.cu")
    return EmbeddedUnit(name, file, text, begins, ends, tuple(pieces), aligned, lines, own, notebook)


def cells_unit(file: str, notebook: Notebook, lines: Lines) -> EmbeddedUnit:
    """Return the unit for the Python of a notebook."""
    text, begins, ends = notebook.text + "\n", list(notebook.begins), list(notebook.ends)
    own = Lines(text)
    aligned = all(
        own.place(cell.begin)[0] == lines.place(begins[cell.begin])[0]
        and own.place(cell.end - 1)[0] == lines.place(begins[cell.end - 1])[0]
        for cell in notebook.cells
    )
    pieces = tuple(Piece(cell.begin, cell.end, triple=False, formatted=False) for cell in notebook.cells)
    last = ends[-1] if ends else 0
    return EmbeddedUnit(
        cells_path(file), file, text, [*begins, last], [*ends, last], pieces, aligned, lines, own, notebook
    )
