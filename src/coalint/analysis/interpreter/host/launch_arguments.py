"""The arguments of a launch: values, and what is the same of them on each way through its conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from coalint.analysis.domain import constant_floats
from coalint.analysis.domain.algebra.atoms import CROWDED
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.values import Address, Region, Value
from coalint.analysis.interpreter.host.grid_formulas import grid_formulas
from coalint.core import ir
from coalint.core.facts.formulas import Formula
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


@record(frozen=True, slots=True)
class Passed:
    """What a launch passes to one kernel, with what is the same on each way.

    `given` are the types, values and shifts of the arguments, `numbers` the positions of those that are integers for
    the kernel too; `open` those of which divisors are looked for where they are no numbers, `lost` those that are no
    longer followed. The rest is as in `LaunchRecord`.
    """

    given: Sequence[tuple[ir.Type, Value, int]]
    numbers: frozenset[int]
    open: tuple[int, ...]
    lost: frozenset[int]
    shifts: tuple[tuple[int, int], ...]
    floats: tuple[tuple[int, float], ...]
    chosen_by: tuple[int, ...]
    grid_formulas: tuple[tuple[int, Formula], ...]


def passed_to(
    state: State,
    kernel: str,
    given: Sequence[tuple[ir.Type, Value, int]],
    conditions: Sequence[Polynomial],
    grid: Sequence[Value],
    block: Sequence[Value],
) -> Passed:
    """Return what is known of the arguments that are `given` to a kernel under conditions, in a grid of blocks."""
    function = state.module.functions.get(kernel)
    types = [parameter.type for parameter in function.parameters] if function is not None else []
    wanted = [*types[: len(given)], *(type_ for type_, _, _ in given[len(types) :])]
    floats = ((at, _float(state, value, wanted[at])) for at, (_, value, _) in enumerate(given))
    integers = [at for at, (type_, _, _) in enumerate(given) if isinstance(type_, ir.Integer)]
    polynomials = {at: value for at in integers if isinstance(value := given[at][1], Polynomial)}
    open_ = tuple(at for at, value in polynomials.items() if not state.store.is_float(value))
    values = [value for _, value, _ in given]
    return Passed(
        given,
        numbers=frozenset(at for at in integers if isinstance(wanted[at], ir.Integer)),
        open=open_,
        lost=frozenset(
            at for at in open_ if any(atom.reason == CROWDED for atom in state.algebra.closure(polynomials[at]))
        ),
        shifts=tuple((at, shift) for at, (_, _, shift) in enumerate(given) if shift),
        floats=tuple((at, number) for at, number in floats if number is not None),
        chosen_by=_chosen_by(state, conditions, values),
        grid_formulas=grid_formulas(state.algebra, grid, block, values),
    )


def _chosen_by(state: State, conditions: Sequence[Polynomial], given: Sequence[Value]) -> tuple[int, ...]:
    """Return the positions of arguments of which conditions around a launch rest on a quantity."""
    deciding = set(state.algebra.closure(*conditions))
    polynomials = ((at, value) for at, value in enumerate(given) if isinstance(value, Polynomial))
    return tuple(at for at, value in polynomials if not deciding.isdisjoint(state.algebra.closure(value)))


def _float(state: State, value: Value, wanted: ir.Type) -> float | None:
    """Return the floating-point constant that a parameter of this type gets; None for anything else."""
    if not isinstance(wanted, ir.Floating) or not isinstance(value, Polynomial):
        return None
    number = constant_floats.constant(state.algebra, value)
    return None if number is None else float(number)


def separate(state: State, arguments: Sequence[tuple[ir.Expression, Value]]) -> Iterator[tuple[ir.Type, Value, int]]:
    """Yield the types, values and shifts of arguments that are written one by one."""
    for argument, value in arguments:
        yield argument.type, value, _shift(state, argument)


def packed(state: State, array_of: ir.Expression | None, kernel: str) -> Iterator[tuple[ir.Type, Value, int]]:
    """Yield the arguments after `void *arguments[] = {&p, &n}`, in the types of the kernel's parameters."""
    function = state.module.functions.get(kernel)
    array = state.value(array_of) if array_of is not None else None
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
