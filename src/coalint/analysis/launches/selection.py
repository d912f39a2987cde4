"""Which launches of a kernel are analysed, where there are many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from coalint.analysis.launches.alike_instances import AlikeInstances
from coalint.analysis.launches.block_shapes import (
    Shape,
)
from coalint.analysis.launches.data_arguments import deciding_parameters
from coalint.core import ir
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


class OutcomeKeys:
    """What decides outcomes of analyses; each kernel of a module is looked through once."""

    def __init__(self, module: ir.Module) -> None:
        self._module = module
        self._alike = AlikeInstances(module)
        self._deciding: dict[str, frozenset[str]] = {}

    def of(self, kernel: ir.Kernel, specialization: Specialization) -> tuple[object, ...]:
        """Return what decides an analysis's outcome: launches of which this is equal cost and say the same."""
        deciding = self._deciding.get(kernel.key)
        if deciding is None:
            deciding = self._deciding[kernel.key] = deciding_parameters(self._module, kernel.function)
        arguments = tuple((name, value) for name, value in specialization.arguments if name in deciding)
        floats = tuple((name, value) for name, value in specialization.floats if name in deciding)
        alike = self._alike.key(kernel)
        template = specialization.template_arguments if alike == kernel.key else self._alike.arguments(kernel)
        deciding_alone = replace(
            specialization,
            template_arguments=template,
            arguments=arguments,
            floats=floats,
            line=None,
            file=None,
            cell=None,
        )
        return alike, deciding_alone


def distinct(specializations: list[Specialization]) -> list[Specialization]:
    """Return at most MAX_SPECIALIZATIONS: different block shapes first; of one launch spread from least to largest.

    Then those whose arguments differ from all before in what sectors and banks depend on: a launch that is kept stands
    for others whose arguments are the same modulo 32. Among these, each number of an argument that takes few comes
    before those of one that takes many: the one launch with another stride is kept among many with other sizes.
    """
    places: dict[tuple[str | None, int | None], dict[Shape, Specialization]] = {}
    for specialization in specializations:
        shapes = places.setdefault((specialization.file, specialization.line), {})
        shapes.setdefault(specialization.block, specialization)
    kept = [s for shapes in places.values() for s in _spread(sorted(shapes.values(), key=_threads))]
    if len(specializations) > len(kept) and all(len(shapes) <= MAX_SHAPES for shapes in places.values()):
        kept = specializations
    first: dict[Shape, Specialization] = {}
    for specialization in kept:
        first.setdefault(specialization.block, specialization)
    rest = [s for s in kept if s not in first.values()]
    unlike: dict[tuple[object, ...], Specialization] = {}
    for specialization in [*first.values(), *rest]:
        unlike.setdefault(_alignment(specialization), specialization)
    others = [s for s in _rarest_first(list(unlike.values())) if s not in first.values()]
    alike = [s for s in rest if s not in others]
    return [*first.values(), *others, *alike][:MAX_SPECIALIZATIONS]


def _alignment(specialization: Specialization) -> tuple[object, ...]:
    """Return what of a launch decides how lanes lie in sectors and banks: the shape, and arguments modulo 32."""
    return specialization.block, *_aligned_arguments(specialization)


def _aligned_arguments(specialization: Specialization) -> Iterator[tuple[object, object]]:
    """Yield the arguments, members and shifts of a launch by name, each with what it is modulo 32."""
    for name, value in specialization.arguments:
        yield name, (value % 32, value > 1)
    for name, at, _, value in specialization.members:
        yield (name, at), (value % 32, value > 1)
    yield from specialization.floats
    for name, by in specialization.shifts:
        yield ("shift", name), by % 32


def _rarest_first(launches: list[Specialization]) -> list[Specialization]:
    """Return the launches so that each number of an argument comes early, those of arguments that take few first."""
    having: dict[object, dict[object, Specialization]] = {}
    for one in launches:
        for name, number in _aligned_arguments(one):
            having.setdefault(name, {}).setdefault(number, one)
    early = [one for numbers in sorted(having.values(), key=len) for one in numbers.values()]
    return list({id(one): one for one in (*early, *launches)}.values())


def _spread(shapes: list[Specialization]) -> list[Specialization]:
    """Return at most MAX_SHAPES of the shapes: all, or some from the least to the largest."""
    if len(shapes) <= MAX_SHAPES:
        return shapes
    return [shapes[n * (len(shapes) - 1) // (MAX_SHAPES - 1)] for n in range(MAX_SHAPES)]


def _threads(specialization: Specialization) -> tuple[int, Shape]:
    x, y, z = specialization.block
    return x * y * z, specialization.block
