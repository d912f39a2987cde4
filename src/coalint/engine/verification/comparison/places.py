"""Assigns the instructions of a launch to lines of the source."""

from __future__ import annotations

from collections.abc import Iterable

from coalint.core.facts.access import Operation, Space
from coalint.engine.verification.comparison.predictions import Prediction
from coalint.engine.verification.comparison.records import Place
from coalint.engine.verification.counters import Instruction, Launch
from coalint.engine.verification.export.signatures import file_name


def has_source_lines(launches: Iterable[Launch]) -> bool:
    """Whether any instruction has a source line."""
    return any(i.places for launch in launches for i in launch.instructions)


AccessKind = tuple[Space, Operation]


AccessKey = tuple[Place | None, Space, Operation]


def instructions_by_key(
    launch: Launch, predicted: dict[AccessKey, list[Prediction]], home: str
) -> dict[AccessKey, list[Instruction]]:
    """Return the instructions of a launch by place, space and operation; `home` is the file of the kernel."""
    counted: dict[AccessKey, list[Instruction]] = {}
    foreign: dict[AccessKind, list[Instruction]] = {}
    for instruction in launch.instructions:
        kind = (instruction.space, instruction.operation)
        place = _place(instruction, predicted, home)
        if place is None:
            foreign.setdefault(kind, []).append(instruction)
        else:
            counted.setdefault((place, *kind), []).append(instruction)
    for kind, instructions in foreign.items():
        places = _places_without_instructions(kind, len(instructions), predicted, counted)
        for unclaimed, instruction in zip(places, instructions, strict=True):
            counted.setdefault((unclaimed, *kind), []).append(instruction)
    return counted


def _place(instruction: Instruction, predicted: dict[AccessKey, list[Prediction]], home: str) -> Place | None:
    """Return the place at which an instruction was written, out of those that it was inlined through.

    It is one that has a prediction of its kind: preferably in another file than the kernel's, else the first, since a
    helper is defined above its callers; else one that a prediction's lines surround, as of an `asm` statement, whose
    instructions are in nvcc's line table where its operands end. None where no place is in an analysed file.
    """
    places = sorted(places_of(instruction), key=lambda place: (place[0] == home, place))
    likely = [place for place in places if (place, instruction.space, instruction.operation) in predicted]
    files = {home, *(place[0] for place, _, _ in predicted if place is not None)}
    kind = (instruction.space, instruction.operation)
    likely = likely or [around for place in places if (around := _around(place, kind, predicted)) is not None]
    return next(iter(likely or [place for place in places if place[0] in files]), None)


def _around(place: Place, kind: AccessKind, predicted: dict[AccessKey, list[Prediction]]) -> Place | None:
    """Return where the nearest access of a kind begins that goes on to a later line, up to this one or beyond."""
    file, line = place
    begins = [
        key[0]
        for key, predictions in predicted.items()
        if key[0] is not None and key[1:] == kind and key[0][0] == file and key[0][1] < line
        if any(prediction.access.span.end_line >= line for prediction in predictions)
    ]
    return max(begins, default=None)


def places_of(instruction: Instruction) -> set[Place]:
    """Return the places of an instruction, files by their last names."""
    return {(file_name(file), line) for file, line in instruction.places}


def _places_without_instructions(
    kind: AccessKind,
    count: int,
    predicted: dict[AccessKey, list[Prediction]],
    counted: dict[AccessKey, list[Instruction]],
) -> list[Place | None]:
    """Return the places of `count` instructions, in address order, that belong to lines of headers alone.

    The instructions of `atomicAdd` may do so. They are assigned to the predictions without an instruction, where the
    numbers agree; or, as loads of a matrix in an unrolled loop, to the only place with such a prediction.
    """
    every = [place for place, *rest in predicted if tuple(rest) == kind]
    if len(every) == 1:
        return every * count
    free = [place for place, *rest in predicted if tuple(rest) == kind and (place, *kind) not in counted]
    places: list[Place | None] = [
        place for place in sorted(free, key=lambda p: p or ("", 0)) for _ in predicted[(place, *kind)]
    ]
    return places if len(places) == count else [free[0]] * count if len(free) == 1 else [None] * count
