"""A host function's launches, as evaluated: block shape, grid and constant arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain import constant_floats
from coalint.analysis.domain.algebra.alternatives import ways
from coalint.analysis.domain.algebra.atoms import CROWDED
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.algebra.way import Way
from coalint.analysis.domain.divisors import divides, divisor, stated
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.ties import LARGEST, dividend
from coalint.analysis.domain.values import Address, AggregateValue, FunctionValue, Region, Value
from coalint.analysis.interpreter.host.grid_formulas import grid_formulas
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
    multiples = stated(algebra, taken)
    forks = tuple(_fork(algebra, guard) for guard in state.guards)
    launches: dict[LaunchRecord, None] = {}
    hinges = [hinge, *(extent for extent in block if isinstance(extent, Polynomial))]
    selected = [v for argument, v in arguments if isinstance(argument.type, ir.Integer) and isinstance(v, Polynomial)]
    for way in (
        list(ways(algebra, hinges, taken, selected, MAX_WAYS_OF_ARGUMENTS))
        or list(ways(algebra, hinges, taken))
        or [Way(algebra, {})]
    ):
        kernel = _kernel(kernels, way)
        if kernel is not None:
            given = [*_separate(state, arguments), *_packed(state, e.packed, kernel)]
            record = replace(
                _record(state, e.span, kernel, block, grid, given, way),
                chosen_by=_chosen_by(state, taken, [value for _, value, _ in given]),
                forks=forks,
            )
            launches[_divided(state, record, block, given, way, multiples)] = None
    complete = [record for record in launches if None not in record.block]
    if len({(record.kernel, record.block) for record in launches}) < 2:
        return list(launches)
    return [replace(record, one_of=True) for record in complete or launches]


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
    state: State,
    span: Span,
    kernel: str,
    block: Sequence[Value],
    grid: Sequence[Value],
    given: Sequence[tuple[ir.Type, Value, int]],
    way: Way,
) -> LaunchRecord:
    def known(value: Value) -> int | None:
        return way.number(value) if isinstance(value, Polynomial) else None

    function = state.module.functions.get(kernel)
    types = [parameter.type for parameter in function.parameters] if function is not None else []
    arguments: list[int | None] = []
    members: list[tuple[int, int, int, int]] = []
    shifts: list[tuple[int, int]] = []
    floats: list[tuple[int, float]] = []
    for position, (type_, value, shift) in enumerate(given):
        wanted = types[position] if position < len(types) else type_
        arguments.append(known(value) if isinstance(type_, ir.Integer) and isinstance(wanted, ir.Integer) else None)
        number = _float(state, value, wanted)
        if number is not None:
            floats.append((position, number))
        if shift:
            shifts.append((position, shift))
        if isinstance(value, AggregateValue):
            cells = {at: (cell.size, known(cell.value)) for at, cell in value.cells.items() if at >= 0}
            members.extend((position, at, size, n) for at, (size, n) in cells.items() if n is not None)
    x, y, z = map(known, block)
    i, j, k = map(known, grid)
    return LaunchRecord(
        kernel,
        (x, y, z),
        (i, j, k),
        tuple(arguments),
        span,
        tuple(members),
        tuple(shifts),
        floats=tuple(floats),
        grid_formulas=grid_formulas(state.algebra, grid, block, [value for _, value, _ in given]),
    )


def _chosen_by(state: State, conditions: Sequence[Polynomial], given: Sequence[Value]) -> tuple[int, ...]:
    """Return the positions of arguments of which conditions around a launch rest on a quantity."""
    deciding = set(state.algebra.closure(*conditions))
    polynomials = ((at, value) for at, value in enumerate(given) if isinstance(value, Polynomial))
    return tuple(at for at, value in polynomials if not deciding.isdisjoint(state.algebra.closure(value)))


def _fork(algebra: Algebra, guard: Guard) -> Fork:
    """Return a condition around a launch."""
    compared = (atom.operands[0] for atom in algebra.closure(guard.condition.value) if atom.operator == "==")
    asks = any(dividend(algebra, value) is not None for value in compared)
    return Fork(guard.span, guard.condition.text, divides=asks)


def _float(state: State, value: Value, wanted: ir.Type) -> float | None:
    """Return the floating-point constant that a parameter of this type gets; None for anything else."""
    if not isinstance(wanted, ir.Floating) or not isinstance(value, Polynomial):
        return None
    number = constant_floats.constant(state.algebra, value)
    return None if number is None else float(number)


def _divided(
    state: State,
    record: LaunchRecord,
    block: Sequence[Value],
    given: Sequence[tuple[ir.Type, Value, int]],
    way: Way,
    multiples: Mapping[int, int],
) -> LaunchRecord:
    """Return the record with what divides those arguments that are no constants."""
    divisors: list[tuple[int, int]] = []
    of_block: list[tuple[int, int]] = []
    lost: list[int] = []
    for position, (type_, value, _) in enumerate(given):
        if not isinstance(value, Polynomial) or record.arguments[position] is not None:
            continue
        if not isinstance(type_, ir.Integer) or state.store.is_float(value):
            continue
        if any(atom.reason == CROWDED for atom in state.algebra.closure(value)):
            lost.append(position)
            continue
        number = divisor(state.algebra, value, way, multiples)
        if 1 < number <= LARGEST:
            divisors.append((position, number))
        unknown = [axis for axis in range(3) if record.block[axis] is None]
        for axis in unknown:
            extent = block[axis]
            if isinstance(extent, Polynomial) and divides(state.algebra, extent, value, way):
                of_block.append((position, axis))
    return replace(record, divisors=tuple(divisors), of_block=tuple(of_block), lost=tuple(lost))


def _separate(state: State, arguments: Sequence[tuple[ir.Expression, Value]]) -> Iterator[tuple[ir.Type, Value, int]]:
    for argument, value in arguments:
        yield argument.type, value, _shift(state, argument)


def _packed(state: State, packed: ir.Expression | None, kernel: str) -> Iterator[tuple[ir.Type, Value, int]]:
    """Yield the arguments after `void *arguments[] = {&p, &n}`, in the types of the kernel's parameters."""
    function = state.module.functions.get(kernel)
    array = state.value(packed) if packed is not None else None
    if function is None or not isinstance(array, Address) or array.base.region is not Region.LOCAL:
        return
    for position, parameter in enumerate(function.parameters):
        place = Lvalue(state.moved(array, state.algebra.constant(8 * position)), ir.Pointer(parameter.type))
        pointer = state.load(place, None)
        if isinstance(pointer, Address) and pointer.base.region is Region.LOCAL:
            yield parameter.type, state.load(Lvalue(pointer, parameter.type), None), 0
        else:
            yield ir.Other("unknown"), state.algebra.zero, 0


def _shift(state: State, argument: ir.Expression) -> int:
    """Return the bytes in `array + 1` and `&array[1]`; 0 for a plain pointer, and for what is no constant."""
    while isinstance(argument, ir.Cast):
        argument = argument.operand
    index: ir.Expression | None = None
    size = 0
    if isinstance(argument, ir.Binary) and argument.operator in ("+", "-"):
        if isinstance(argument.left.type, ir.Pointer):
            index, size = argument.right, argument.left.type.pointee.size
    elif isinstance(argument, ir.AddressOf) and isinstance(argument.target, ir.Subscript):
        index, size = argument.target.index, argument.target.type.size
    value = None if index is None else state.value(index)
    known = state.algebra.number(value) if isinstance(value, Polynomial) else None
    if known is None:
        return 0
    return -known * size if isinstance(argument, ir.Binary) and argument.operator == "-" else known * size


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
