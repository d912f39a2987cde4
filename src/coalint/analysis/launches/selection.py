"""Which launches of a kernel are analysed, where there are many."""

from __future__ import annotations

from collections.abc import Sequence

from coalint.analysis.launches.block_shapes import (
    Shape,
)
from coalint.core.facts.launch import LaunchRecord, Specialization

MAX_SPECIALIZATIONS = 32  # launches of one kernel that are analysed one by one
MAX_SHAPES = 8  # block shapes that one launch in a loop over sizes is analysed with


def surest(records: Sequence[LaunchRecord]) -> Sequence[LaunchRecord]:
    """Return the launches without those of guessed instances, where there are others."""
    sure = [record for record in records if not record.guessed and None not in record.block]
    return sure or records


def guesses_a_number(record: LaunchRecord) -> bool:
    """Whether the block shape may come from a template argument that is a guess."""
    values = [argument.partition(" = ")[2] for argument in record.guessed]
    return any(value.lstrip("-").isdigit() for value in values)


def distinct(found: list[Specialization]) -> list[Specialization]:
    """Return at most MAX_SPECIALIZATIONS: different block shapes first; of one launch spread from least to largest."""
    places: dict[tuple[str | None, int | None], dict[Shape, Specialization]] = {}
    for specialization in found:
        shapes = places.setdefault((specialization.file, specialization.line), {})
        shapes.setdefault(specialization.block, specialization)
    kept = [s for shapes in places.values() for s in _spread(sorted(shapes.values(), key=_threads))]
    if len(found) > len(kept) and all(len(shapes) <= MAX_SHAPES for shapes in places.values()):
        kept = found
    first: dict[Shape, Specialization] = {}
    for specialization in kept:
        first.setdefault(specialization.block, specialization)
    rest = [s for s in kept if s not in first.values()]
    return [*first.values(), *rest][:MAX_SPECIALIZATIONS]


def _spread(shapes: list[Specialization]) -> list[Specialization]:
    """Return at most MAX_SHAPES of the shapes: all, or some from the least to the largest."""
    if len(shapes) <= MAX_SHAPES:
        return shapes
    return [shapes[n * (len(shapes) - 1) // (MAX_SHAPES - 1)] for n in range(MAX_SHAPES)]


def _threads(specialization: Specialization) -> tuple[int, Shape]:
    x, y, z = specialization.block
    return x * y * z, specialization.block
