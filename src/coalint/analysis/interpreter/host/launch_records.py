"""A host function's launches, as evaluated: block shape, grid and constant arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.alternatives import ways
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.algebra.way import Way
from coalint.analysis.domain.divisors import divides, stated
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.ties import LARGEST, dividend
from coalint.analysis.domain.values import Address, AggregateValue, FunctionValue, Region, Value
from coalint.analysis.interpreter.host.launch_arguments import Passed, packed, passed_to, separate
from coalint.analysis.interpreter.host.launch_ways import OnWays
from coalint.core import ir
from coalint.core.facts.launch import Fork, LaunchRecord
from coalint.core.source.spans import Span

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.algebra import Algebra
    from coalint.analysis.domain.guards import Guard
    from coalint.analysis.interpreter.state import State

MAX_WAYS_OF_ARGUMENTS = 8  # through conditions of arguments: `compact ? k : 1` has two


def records(state: State, e: ir.Launch) -> list[LaunchRecord]:
    """Return what is constant of a launch, for each way through the conditions of its kernel and block."""
    kernels = _kernels(state, e)
    block, grid = _extents(state, e.block), _extents(state, e.grid)
    arguments = [(argument, state.value(argument)) for argument in e.arguments]
    algebra = state.algebra
    hinge = algebra.zero
    for number, (condition, _) in enumerate(reversed(kernels.unless), 2):
        hinge = algebra.select(condition, algebra.constant(number), hinge)
    taken = list({id(guard.condition.value): guard.condition.value for guard in state.guards}.values())
    forks = tuple(_fork(algebra, guard) for guard in state.guards)
    launches: dict[LaunchRecord, None] = {}
    hinges = [hinge, *(extent for extent in block if isinstance(extent, Polynomial))]
    selected = [v for argument, v in arguments if isinstance(argument.type, ir.Integer) and isinstance(v, Polynomial)]
    found = (
        list(ways(algebra, hinges, taken, selected, MAX_WAYS_OF_ARGUMENTS))
        or list(ways(algebra, hinges, taken))
        or [Way(algebra, {})]
    )
    on_ways = OnWays(algebra, found, stated(algebra, taken))
    passed: dict[str, Passed] = {}
    for way in found:
        kernel = _kernel(kernels, way)
        if not kernel:
            continue
        if kernel not in passed:
            given = [*separate(state, arguments), *packed(state, e.packed, kernel)]
            passed[kernel] = passed_to(state, kernel, given, taken, grid, block)
        launch = _record(e.span, kernel, block, grid, passed[kernel], partial(_known, on_ways, way))
        launch = replace(launch, forks=forks)
        launches[_divided(state, launch, block, passed[kernel], way, on_ways)] = None
    complete = [launch for launch in launches if None not in launch.block]
    if len({(launch.kernel, launch.block) for launch in launches}) < 2:
        return list(launches)
    return [replace(launch, one_of=True) for launch in complete or launches]


def _known(on_ways: OnWays, way: Way, value: Value) -> int | None:
    return on_ways.number(value, way) if isinstance(value, Polynomial) else None


def _kernels(state: State, e: ir.Launch) -> FunctionValue:
    if e.kernel is not None or e.callee is None:
        return FunctionValue(e.kernel)
    called = e.callee
    while isinstance(called, ir.Dereference | ir.Cast):
        called = called.pointer if isinstance(called, ir.Dereference) else called.operand
    callee = state.value(called)
    if isinstance(callee, Address) and callee.base.region is Region.LOCAL:  # &kernel, where kernel is a parameter
        callee = state.load(Lvalue(callee, called.type), None)
    return callee if isinstance(callee, FunctionValue) else FunctionValue(None)


def _kernel(kernels: FunctionValue, way: Way) -> str | None:
    for condition, function in kernels.unless:
        holds = way.number(condition)
        if holds is None:
            return None
        if holds:
            return function
    return kernels.function


def _record(
    span: Span,
    kernel: str,
    block: Sequence[Value],
    grid: Sequence[Value],
    passed: Passed,
    known: Callable[[Value], int | None],
) -> LaunchRecord:
    members: list[tuple[int, int, int, int]] = []
    for position, (_, value, _) in enumerate(passed.given):
        if isinstance(value, AggregateValue):
            cells = {at: (cell.size, known(cell.value)) for at, cell in value.cells.items() if at >= 0}
            members.extend((position, at, size, n) for at, (size, n) in cells.items() if n is not None)
    x, y, z = map(known, block)
    i, j, k = map(known, grid)
    return LaunchRecord(
        kernel,
        (x, y, z),
        (i, j, k),
        tuple(known(value) if at in passed.numbers else None for at, (_, value, _) in enumerate(passed.given)),
        span,
        tuple(members),
        passed.shifts,
        floats=passed.floats,
        grid_formulas=passed.grid_formulas,
        chosen_by=passed.chosen_by,
    )


def _fork(algebra: Algebra, guard: Guard) -> Fork:
    """Return a condition around a launch."""
    compared = (atom.operands[0] for atom in algebra.closure(guard.condition.value) if atom.operator == "==")
    asks = any(dividend(algebra, value) is not None for value in compared)
    return Fork(guard.span, guard.condition.text, divides=asks)


def _divided(
    state: State, record: LaunchRecord, block: Sequence[Value], passed: Passed, way: Way, on_ways: OnWays
) -> LaunchRecord:
    """Return the record with what divides those arguments that are no constants."""
    divisors: list[tuple[int, int]] = []
    of_block: list[tuple[int, int]] = []
    open_ = [at for at in passed.open if record.arguments[at] is None]
    extents = [(axis, block[axis]) for axis in range(3) if record.block[axis] is None]
    for position in open_:
        value = passed.given[position][1]
        if position in passed.lost or not isinstance(value, Polynomial):
            continue
        number = on_ways.divisor(value, way)
        if 1 < number <= LARGEST:
            divisors.append((position, number))
        for axis, extent in extents:
            if isinstance(extent, Polynomial) and divides(state.algebra, extent, value, way):
                of_block.append((position, axis))
    lost = tuple(at for at in open_ if at in passed.lost)
    return replace(record, divisors=tuple(divisors), of_block=tuple(of_block), lost=lost)


def _extents(state: State, e: ir.Expression) -> tuple[Value, Value, Value]:
    if isinstance(e.type, ir.Integer):
        return state.value(e), state.algebra.one, state.algebra.one
    place = state.place(e)
    integer = ir.Integer(32, False)
    x, y, z = (
        state.load(Lvalue(state.moved(place.address, state.algebra.constant(4 * axis)), integer), None)
        for axis in range(3)
    )
    return x, y, z
