"""The specializations of kernels: with the launches, bounds or assumptions that they are analysed under."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import TypeVar

from coalint.analysis.launches.arguments import common_divisors, passed_by_all
from coalint.analysis.launches.assumptions import Assumption
from coalint.analysis.launches.block_shapes import (
    Extents,
    complete_shape,
    is_partly_known,
    positive_shape,
    shape_without_launch,
)
from coalint.analysis.launches.data_arguments import makes_integers
from coalint.analysis.launches.host_launches import launch_records
from coalint.analysis.launches.profiled import with_profiled
from coalint.analysis.launches.selection import (
    MAX_SPECIALIZATIONS,
    OutcomeKeys,
    distinct,
    guesses_a_number,
    surest,
)
from coalint.analysis.launches.stated import Stated, stated_about
from coalint.analysis.launches.unlaunched_instances import instances_left_out
from coalint.core import ir
from coalint.core.facts.arithmetic import number
from coalint.core.facts.formulas import Formula
from coalint.core.facts.launch import BLOCK_EXTENTS, MAX_THREADS, LaunchRecord, LaunchSource, Specialization
from coalint.core.facts.profiled_launch import ProfiledLaunch
from coalint.core.source.spans import Span

T = TypeVar("T")
MAX_OF_TEMPLATE = 32  # instances of one template, times the launches of each


def specialize(
    module: ir.Module,
    assumptions: Sequence[Assumption] = (),
    records: Mapping[str, Sequence[LaunchRecord]] | None = None,
    problems: list[ir.Problem] | None = None,
    profiled: Sequence[ProfiledLaunch] = (),
) -> tuple[tuple[ir.Kernel, Specialization], ...]:
    """Return every kernel with each of its specializations; in the bounds those of one `OutcomeKeys.of` count as one.

    `records` are the launches by the kernels' keys; the module's own where they are None. `problems` are added to
    where a kernel has more launches than are analysed. Launches that were `profiled` are among the specializations,
    where their kernels are.
    """
    if records is None:
        records = launch_records(module, problems=problems)
    keys = OutcomeKeys(module)
    specialized: list[tuple[ir.Kernel, Specialization]] = []
    unlaunched, unseen = instances_left_out(module, records)
    instances = Counter(kernel.span for kernel in module.kernels)
    counts: dict[Span, tuple[int, int]] = {}  # launches that are analysed, and all
    for kernel in module.kernels:
        if kernel.key in unlaunched or kernel.key in unseen:
            continue
        most = max(1, MAX_OF_TEMPLATE // instances[kernel.span])
        distinct_ones = _of_kernel(module, kernel, records.get(kernel.key, ()), assumptions)
        if profiled:
            distinct_ones = with_profiled(kernel, distinct_ones, profiled)
        alike: dict[tuple[object, ...], list[Specialization]] = {}
        for one in distinct_ones:
            alike.setdefault(keys.of(kernel, one), []).append(one)
        chosen = distinct([group[0] for group in alike.values()])[:most]
        analysed = [one for first in chosen for one in alike[keys.of(kernel, first)]]
        specialized.extend((kernel, specialization) for specialization in analysed)
        before = counts.get(kernel.span, (0, 0))
        counts[kernel.span] = before[0] + len(analysed), before[1] + len(distinct_ones)
    if problems is not None:
        first = {kernel.span: kernel for kernel in reversed(module.kernels)}
        problems.extend(_left_out(first[span], a, n) for span, (a, n) in counts.items() if a < n)
        without = Counter(kernel.span for kernel in module.kernels if kernel.key in unseen)
        problems.extend(_unseen(first[span], number, instances[span]) for span, number in without.items())
    return tuple(specialized)


def _left_out(kernel: ir.Kernel, analysed: int, launches: int) -> ir.Problem:
    """Return what says that a kernel has more launches than are analysed."""
    message = f"{launches - analysed} of the {launches} different launches of {kernel.name} were not analysed"
    help = "the report holds for the others; check a program that launches it less often, or state what matters"
    return ir.Problem(ir.ProblemKind.NOT_ANALYSED, message, kernel.span, kernel.name, help=help)


def _unseen(kernel: ir.Kernel, unseen: int, instances: int) -> ir.Problem:
    """Return what says that no launch of some instances of a template is seen."""
    message = f"{unseen} of the {instances} instances of the kernel template {kernel.name} were not analysed: "
    help = "the report holds for the others, of which launches are seen"
    return ir.Problem(
        ir.ProblemKind.NOT_ANALYSED, f"{message}no launch of them is seen", kernel.span, kernel.name, help=help
    )


def _of_kernel(
    module: ir.Module, kernel: ir.Kernel, records: Sequence[LaunchRecord], assumptions: Sequence[Assumption]
) -> list[Specialization]:
    """Return the specializations of a kernel: one for each distinct launch, or one for a block shape without launch."""
    stated = stated_about(module, kernel, assumptions)
    by_launch: dict[tuple[object, ...], Specialization] = {}
    for record in surest(records):
        one = _of_launch(module, kernel, record, stated)
        if one is None:
            continue
        identity = (one.block, one.arguments, one.grid, one.members, one.shifts, one.floats)
        before = by_launch.get(identity)
        if before is not None:
            times = None if before.times is None or one.times is None else before.times + one.times
            divisors = common_divisors(before.divisors, one.divisors)
            lost = tuple(dict.fromkeys((*before.lost, *one.lost)))
            one = replace(before, divisors=divisors, lost=lost, times=times)
        by_launch[identity] = one
    if by_launch:
        return list(by_launch.values())
    return [_without_shape(module, kernel, group, stated) for group in _by_known_extents(surest(records))]


def _by_known_extents(records: Sequence[LaunchRecord]) -> Sequence[Sequence[LaunchRecord]]:
    """Return launches of no complete shape by the extents that they give; all in one where none gives any."""
    groups: dict[Extents, list[LaunchRecord]] = {}
    for record in records:
        if is_partly_known(record.block):
            groups.setdefault(record.block, []).append(record)
    return list(groups.values())[:MAX_SPECIALIZATIONS] if groups else [records]


def _without_shape(
    module: ir.Module, kernel: ir.Kernel, records: Sequence[LaunchRecord], stated: Stated
) -> Specialization:
    """Return the specialization for launches of one kernel that do not give their block's shape, or not all of it."""
    known = records[0].block if records and is_partly_known(records[0].block) else (None, None, None)
    block, source = shape_without_launch(module, kernel, stated.options, stated.comments, known)
    stated_shape: tuple[str, ...] = ()
    if source in (LaunchSource.OPTION, LaunchSource.COMMENT):
        stated_shape = tuple(module.spelling.component_of(ir.Register.BLOCK_EXTENT, axis) for axis in ir.AXES)
    names = [parameter.name for parameter in kernel.function.parameters]
    passed, divisors = passed_by_all(names, records, block)
    formulas = _of_all([_formulas(names, record) for record in records], ())
    launched = _of_all([record.grid for record in records], (None, None, None))
    arguments = {**passed, **stated.parameters}
    of_block = {} if source is LaunchSource.ASSUMED else dict(zip(BLOCK_EXTENTS, block, strict=True))
    grid = _grid(launched, formulas, {**arguments, **of_block}, stated)
    place = records[0].span if records and source is LaunchSource.ASSUMED and any(known) else None
    return Specialization(
        kernel=kernel.name,
        template_arguments=kernel.template_arguments,
        template_parameters=kernel.template_parameters,
        block=block,
        source=source,
        line=place.line if place is not None else None,
        file=place.file if place is not None and place.file != kernel.span.file else None,
        arguments=tuple(arguments.items()),
        grid=positive_shape(complete_shape(_either(grid, stated.extents))),
        guessed=kernel.guessed,
        multiples=stated.multiples,
        parts=stated.parts,
        divisors=divisors,
        lost=_lost(names, records),
        declared_by=module.spelling.launch_bounds if source is LaunchSource.BOUNDS else "",
        extents=stated.of_grid(grid),
        stated=(*stated_shape, *stated.used(launched)),
        known=known if source is LaunchSource.ASSUMED else (None, None, None),
        grid_formulas=formulas,
        spread=source is LaunchSource.BOUNDS and block != kernel.bounds and known.count(None) != 1,
    )


def _of_all(values: Sequence[T], otherwise: T) -> T:
    """Return what all launches have alike; something else where they differ, or there is none."""
    return values[0] if values and all(value == values[0] for value in values) else otherwise


def _of_launch(module: ir.Module, kernel: ir.Kernel, record: LaunchRecord, stated: Stated) -> Specialization | None:
    """Return the specialization of a launch; None where its block shape is not known, or impossible."""
    block = complete_shape(record.block)
    if block is None or not 0 < prod(block) <= MAX_THREADS:
        return None
    names = [parameter.name for parameter in kernel.function.parameters]
    arguments = {n: v for n, v in zip(names, record.arguments, strict=False) if n and v is not None}
    arguments.update(stated.parameters)
    count = len(names)
    floats = {names[at]: number for at, number in record.floats if at < count} if makes_integers(module, kernel) else {}
    formulas = _formulas(names, record)
    grid = _grid(record.grid, formulas, arguments, stated)
    return Specialization(
        kernel=kernel.name,
        template_arguments=kernel.template_arguments,
        template_parameters=kernel.template_parameters,
        block=block,
        source=LaunchSource.ASSUMED if guesses_a_number(record) else LaunchSource.LAUNCH,
        line=record.span.line,
        arguments=tuple(arguments.items()),
        grid=positive_shape(complete_shape(_either(grid, stated.extents))),
        file=record.span.file if record.span.file != kernel.span.file else None,
        members=tuple((names[position], at, size, n) for position, at, size, n in record.members if position < count),
        guessed=record.guessed,
        multiples=stated.multiples,
        parts=stated.parts,
        shifts=tuple((names[position], by) for position, by in record.shifts if position < count),
        one_of=record.one_of,
        floats=tuple(floats.items()),
        divisors=tuple((names[position], divisor) for position, divisor in record.divisors if position < count),
        lost=_lost(names, [record]),
        extents=stated.of_grid(grid),
        stated=stated.used(record.grid),
        times=record.times,
        grid_formulas=formulas,
        chosen_by=tuple(names[position] for position in record.chosen_by if position < count),
        forks=record.forks,
    )


def _lost(names: Sequence[str], records: Sequence[LaunchRecord]) -> tuple[str, ...]:
    """Return the parameters for which some launch passes a number that is not followed for want of room."""
    return tuple(dict.fromkeys(names[at] for record in records for at in record.lost if at < len(names)))


def _formulas(names: Sequence[str], record: LaunchRecord) -> tuple[tuple[int, Formula], ...]:
    """Return what a launch computes its numbers of blocks from, in the names of parameters."""
    by_position = {str(at): name for at, name in enumerate(names) if name} | {name: name for name in BLOCK_EXTENTS}
    renamed = ((axis, formula.renamed(by_position)) for axis, formula in record.grid_formulas)
    return tuple((axis, formula) for axis, formula in renamed if formula is not None)


def _either(first: Extents, second: Extents) -> Extents:
    x, y, z = (a if a is not None else b for a, b in zip(first, second, strict=True))
    return x, y, z


def _grid(
    known: Extents, formulas: Sequence[tuple[int, Formula]], arguments: Mapping[str, int], stated: Stated
) -> Extents:
    """Return the extents of a grid, with those that the launch computes from what the user states of the kernel."""
    computed = {axis: number(formula, arguments) for axis, formula in formulas if stated.extents[axis] is None}
    return _either(known, (computed.get(0), computed.get(1), computed.get(2)))
