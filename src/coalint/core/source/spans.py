"""Places in source text."""

from __future__ import annotations

from dataclasses import field

from coalint.core.records import record
from coalint.core.serialization import VOLATILE


@record(frozen=True, slots=True)
class Cell:
    """A stretch of text within one cell of a notebook: lines and columns as in a Span.

    `number` counts all cells of the notebook from 1, those without code too.
    """

    number: int
    line: int
    column: int
    end_line: int
    end_column: int


@record(frozen=True, slots=True, order=True)
class Span:
    """A stretch of source text: lines and columns count from 1, the end is exclusive.

    `bundled` says that it lies in a front end's own headers, which explain nothing to a user. `cell` is the same place
    within the cell of a notebook, whose file is JSON.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    bundled: bool = field(default=False, compare=False)
    cell: Cell | None = field(default=None, compare=False, metadata={VOLATILE: True})

    def lies_in(self, other: Span) -> bool:
        """Whether the other stretch holds all of this one."""
        starts = (other.line, other.column) <= (self.line, self.column)
        ends = (self.end_line, self.end_column) <= (other.end_line, other.end_column)
        return self.file == other.file and starts and ends

    @property
    def shown(self) -> Span:
        """The place as people read it: of a notebook within the cell, which stands for a file."""
        cell = self.cell
        if cell is None:
            return self
        name = cell_name(self.file, cell.number)
        return Span(name, cell.line, cell.column, cell.end_line, cell.end_column, self.bundled)


def cell_name(file: str, number: int) -> str:
    """Return what a cell of a notebook is called in reports for people."""
    return f"{file}:cell {number}"


@record(frozen=True, slots=True)
class Edit:
    """Replace the text of one span."""

    span: Span
    replacement: str
