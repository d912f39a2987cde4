"""What `show` is asked to draw: a place, and the launch, warp, iteration and numbers."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence

from coalint.core.facts.assumptions import Given
from coalint.core.records import record
from coalint.core.source.spans import Span, cell_name

_PLACE = re.compile(r"(?P<path>.+?)(?::cell (?P<cell>\d+))?:(?P<line>\d+)(?::(?P<column>\d+))?")


class ShowError(Exception):
    """A request cannot be drawn; the text says why and what to do."""


@record(frozen=True, slots=True)
class Spot:
    """A line of a file, and perhaps a column.

    Attributes:
        path: The file.
        line: The line, from 1.
        column: The column, from 1; None for all of the line.
        cell: The cell of a notebook that line and column are about, from 1; None where they are those of the file.
    """

    path: str
    line: int
    column: int | None = None
    cell: int | None = None

    def __str__(self) -> str:
        """Return `k.cu:29:15`, or `nb.ipynb:cell 3:4:5`."""
        name = self.path if self.cell is None else cell_name(self.path, self.cell)
        return f"{name}:{self.line}" + ("" if self.column is None else f":{self.column}")

    def is_in_file_of(self, span: Span) -> bool:
        """Whether a span lies in the file, and in the cell where there is one."""
        is_in_cell = self.cell is None or (span.cell is not None and span.cell.number == self.cell)
        return is_in_cell and os.path.realpath(span.file) == os.path.realpath(self.path)

    def counted(self, span: Span) -> Span:
        """Return a span with lines counted as those of this place."""
        return span if self.cell is None else span.shown


def spot_at(span: Span) -> Spot:
    """Return the place at which a span begins."""
    at = span.shown
    return Spot(path=span.file, line=at.line, column=at.column, cell=None if span.cell is None else span.cell.number)


@record(frozen=True, slots=True)
class Request:
    """What is drawn of a place.

    Attributes:
        spot: The place.
        warp: The warp of the block, from 0; None for the first that executes the access.
        iteration: Iterations, from 0, by the loop's variable.
        values: Numbers for parameters and other quantities, by name.
        block: Threads of a block in x, y and z, in place of the launch's.
        kernel: A part of the title of the wanted specialization.
    """

    spot: Spot
    warp: int | None = None
    iteration: tuple[tuple[str, int], ...] = ()
    values: tuple[tuple[str, int], ...] = ()
    block: tuple[int, int, int] | None = None
    kernel: str = ""

    @property
    def command(self) -> str:
        """The command line of the request, without options for reading sources and for output."""
        words = [f"coalint show {quoted(str(self.spot))}"]
        words += [f"--warp {self.warp}"] if self.warp is not None else []
        words += [f"--iteration {quoted(name)}={value}" for name, value in self.iteration]
        words += [f"--let {quoted(name)}={value}" for name, value in self.values]
        words += [f"--block {','.join(map(str, self.block))}"] if self.block is not None else []
        words += [f"--kernel {quoted(self.kernel)}"] if self.kernel else []
        return " ".join(words)

    def given(self, defaults: Mapping[str, int]) -> Given:
        """Return what the analysis assumes for the request; `defaults` are weaker than its own numbers."""
        return Given(tuple({**defaults, **dict(self.values), **dict(self.iteration)}.items()), self.block)


def quoted(text: str) -> str:
    """Return a word quoted for a shell."""
    return shlex.quote(text)


def spot_of(argument: str) -> Spot:
    """Return the place that `k.cu:29`, `k.cu:29:15` or `nb.ipynb:cell 3:4` names. Raises ShowError."""
    match = _PLACE.fullmatch(argument)
    if match is None or os.path.exists(argument):
        raise ShowError(
            f"{argument}: which line? write {argument}:LINE; `coalint inspect {argument}` lists the accesses"
        )
    column = match["column"]
    cell = int(match["cell"]) if match["cell"] else None
    return Spot(path=match["path"], line=int(match["line"]), column=int(column) if column else None, cell=cell)


def one_file(spot: Spot, files: Sequence[str]) -> str:
    """Return the one file of a place. Raises ShowError where the path is a folder."""
    if len(files) != 1 or os.path.isdir(spot.path):
        raise ShowError(f"{spot}: {spot.path} is a folder; name one file of it")
    return files[0]
