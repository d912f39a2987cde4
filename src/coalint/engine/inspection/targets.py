"""Parses `FILE:LINE[:COLUMN]` arguments of `inspect`, and narrows an inspection to them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from coalint.core.records import record
from coalint.core.source.spans import Span
from coalint.engine.report import Inspected, Inspection

_PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::(?P<column>\d+))?")


@record(frozen=True, slots=True)
class TargetPlace:
    """A path, or a line or column of a file.

    Attributes:
        path: The file or folder.
        line: The line, from 1; None for all of it.
        column: The column, from 1; None for all of the line.
    """

    path: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        """Return `k.cu:29:15`."""
        return ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)


def meets(span: Span, line: int, column: int | None) -> bool:
    """Whether a span begins on a line; with a column, whether it covers that place."""
    if column is None:
        return span.line == line
    return (span.line, span.column) <= (line, column) < (span.end_line, span.end_column)


def split_places(arguments: Sequence[str]) -> tuple[TargetPlace, ...]:
    """Return the places of `k.cu:29` and `k.cu:29:15`; an argument that is the name of a file stands for that."""
    places: list[TargetPlace] = []
    for argument in arguments:
        match = _PLACE.fullmatch(argument)
        if match and not os.path.exists(argument):
            column = match["column"]
            places.append(TargetPlace(match["path"], int(match["line"]), int(column) if column else None))
        else:
            places.append(TargetPlace(argument))
    return tuple(places)


def at_places(inspection: Inspection, places: Sequence[TargetPlace]) -> tuple[Inspection, tuple[str, ...]]:
    """Return the inspection narrowed to places, and a remark for each place that has no access and no barrier."""
    if all(place.line is None for place in places):
        return inspection, ()
    spans = dict.fromkeys(span for item in inspection.kernels for span in _spans(item))
    real = {name: os.path.realpath(name) for name in {span.file for span in spans}}

    def asked(span: Span) -> bool:
        return any(_covers(place, real[span.file], span) for place in places)

    kernels = tuple(narrowed for item in inspection.kernels if (narrowed := _narrow(item, asked)) is not None)
    remarks = tuple(
        _remark(place, [span for span in spans if real[span.file] == os.path.realpath(place.path)])
        for place in places
        if place.line is not None and not any(_covers(place, real[span.file], span) for span in spans)
    )
    return replace(inspection, kernels=kernels), remarks


def _covers(place: TargetPlace, file: str, span: Span) -> bool:
    path = os.path.realpath(place.path)
    if place.line is None:
        return file == path or file.startswith(path + os.sep)
    return file == path and meets(span, place.line, place.column)


def _spans(item: Inspected) -> Iterator[Span]:
    yield from (access.span for access in item.analysis.accesses)
    yield from (barrier.span for barrier in item.analysis.barriers)


def _narrow(item: Inspected, asked: Callable[[Span], bool]) -> Inspected | None:
    analysis = item.analysis
    indices = [index for index, access in enumerate(analysis.accesses) if asked(access.span)]
    barriers = tuple(barrier for barrier in analysis.barriers if asked(barrier.span))
    if not indices and not barriers:
        return None
    accesses = tuple(analysis.accesses[index] for index in indices)
    narrowed = replace(analysis, accesses=accesses, barriers=barriers)
    return replace(item, analysis=narrowed, instructions=tuple(item.instructions[index] for index in indices))


def _remark(place: TargetPlace, spans: Sequence[Span]) -> str:
    head = f"{place}: there is no access or barrier of an analysed kernel here"
    if not spans:
        return f"{head}, nor elsewhere in this file"
    near = min((span.line for span in spans), key=lambda line: (abs(line - (place.line or 0)), line))
    if near == place.line:
        columns = sorted({span.column for span in spans if span.line == near})
        word = "columns" if len(columns) > 1 else "column"
        return f"{head}; those of the line begin at {word} {', '.join(map(str, columns))}"
    return f"{head}; the nearest is at line {near}"
