"""`FILE:LINE` arguments of `inspect`: taken apart, and the inspection narrowed to them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from coalint.report import Inspected, Inspection

_PLACE = re.compile(r"(?P<path>.+):(?P<line>\d+)")


@dataclass(frozen=True, slots=True)
class Place:
    """A path, and the line that is asked for; None means all of it."""

    path: str
    line: int | None


def split_places(arguments: Sequence[str]) -> tuple[Place, ...]:
    """Split `k.cu:29` into path and line, unless a file has just that name."""
    places: list[Place] = []
    for argument in arguments:
        match = _PLACE.fullmatch(argument)
        if match and not os.path.exists(argument):
            places.append(Place(match["path"], int(match["line"])))
        else:
            places.append(Place(argument, None))
    return tuple(places)


def at_places(inspection: Inspection, places: Sequence[Place]) -> tuple[Inspection, tuple[str, ...]]:
    """Keep what stands at the lines that were asked for; a remark for each line where nothing stands."""
    if all(place.line is None for place in places):
        return inspection, ()
    real = {name: os.path.realpath(name) for name in {file for item in inspection.kernels for file, _ in _lines(item)}}

    def asked(file: str, line: int) -> bool:
        return any(_covers(place, real[file], line) for place in places)

    kernels = tuple(kept for item in inspection.kernels if (kept := _narrow(item, asked)) is not None)
    met = {(real[file], line) for item in inspection.kernels for file, line in _lines(item)}
    remarks = tuple(
        _remark(place, sorted(line for file, line in met if file == os.path.realpath(place.path)))
        for place in places
        if place.line is not None and (os.path.realpath(place.path), place.line) not in met
    )
    return replace(inspection, kernels=kernels), remarks


def _covers(place: Place, file: str, line: int) -> bool:
    path = os.path.realpath(place.path)
    if place.line is None:
        return file == path or file.startswith(path + os.sep)
    return file == path and line == place.line


def _lines(item: Inspected) -> Iterator[tuple[str, int]]:
    spans = [access.span for access in item.analysis.accesses] + [barrier.span for barrier in item.analysis.barriers]
    yield from ((span.file, span.line) for span in spans)


def _narrow(item: Inspected, asked: Callable[[str, int], bool]) -> Inspected | None:
    analysis = item.analysis
    kept = [index for index, access in enumerate(analysis.accesses) if asked(access.span.file, access.span.line)]
    barriers = tuple(barrier for barrier in analysis.barriers if asked(barrier.span.file, barrier.span.line))
    if not kept and not barriers:
        return None
    accesses = tuple(analysis.accesses[index] for index in kept)
    narrowed = replace(analysis, accesses=accesses, barriers=barriers)
    return replace(item, analysis=narrowed, traffics=tuple(item.traffics[index] for index in kept))


def _remark(place: Place, lines: Sequence[int]) -> str:
    head = f"{place.path}:{place.line}: no access and no barrier of an analysed kernel stands here"
    if not lines:
        return f"{head}, nor elsewhere in this file"
    near = min(lines, key=lambda line: abs(line - (place.line or 0)))
    return f"{head}; the nearest is at line {near}"
