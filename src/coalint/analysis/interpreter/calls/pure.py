"""Functions of their arguments alone, and operators of classes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from coalint.analysis.domain import constant_floats, fractions
from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.algebra.functions import Function
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.fractions import Rounding
from coalint.analysis.domain.values import Address, AggregateValue, Closure, FunctionValue, PointerSelect, Value
from coalint.analysis.interpreter.effects.escape import havoc_arguments
from coalint.analysis.interpreter.expressions.conversions import integer_of
from coalint.analysis.interpreter.expressions.floats import floating
from coalint.core import ir
from coalint.core.ir import Intrinsic

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State
# The operators of the algebra that integer functions of one and of two arguments are.
_OF_ONE = {
    Intrinsic.POPULATION_COUNT: Function.POPULATION_COUNT,
    Intrinsic.COUNT_LEADING_ZEROS: Function.LEADING_ZEROS,
    Intrinsic.FIND_FIRST_SET: Function.FIRST_SET,
    Intrinsic.REVERSE_BITS: Function.REVERSE_BITS,
    Intrinsic.ABSOLUTE: Function.ABSOLUTE,
}
_OF_TWO = {Intrinsic.MINIMUM: Function.MINIMUM, Intrinsic.MAXIMUM: Function.MAXIMUM}


_ROUNDING = {
    Intrinsic.ROUND_DOWN: Rounding.DOWN,
    Intrinsic.ROUND_UP: Rounding.UP,
    Intrinsic.ROUND_TOWARDS_ZERO: Rounding.TOWARDS_ZERO,
    Intrinsic.ROUND_TO_NEAREST: Rounding.NEAREST,
    Intrinsic.ROUND_TO_EVEN: Rounding.NEAREST_EVEN,
}


def _rounded(state: State, e: ir.Call, value: Value) -> Poly | None:
    """Return a floating-point number that is rounded, as a number or an integer; None where it is not known."""
    how = _ROUNDING[e.intrinsic] if e.intrinsic is not None else Rounding.TOWARDS_ZERO
    if isinstance(e.type, ir.Integer):
        return integer_of(state, value, e.type, how)
    number = fractions.rounded(state.algebra, value, how) if isinstance(value, Polynomial) else None
    return None if number is None else state.algebra.fraction(number, 0)


def _floating(state: State, e: ir.Call, values: Sequence[Value]) -> Poly | None:
    """Return a minimum, magnitude or square root of floating-point numbers; None where it is not known."""
    numbers = [value for value in values if isinstance(value, Polynomial)]
    if e.intrinsic in _OF_TWO and len(numbers) == 2:
        return fractions.extreme(state.algebra, _OF_TWO[e.intrinsic], (numbers[0], numbers[1]), e.type.size)
    if e.intrinsic is Intrinsic.ABSOLUTE and len(numbers) == 1:
        return fractions.absolute(state.algebra, numbers[0])
    if e.intrinsic is Intrinsic.SQUARE_ROOT and len(numbers) == 1 and state.recorder.model is None:
        return constant_floats.square_root(state.algebra, numbers[0], e.type.size)
    return None


def class_operator(state: State, e: ir.Call) -> Value:
    """Return an operator or conversion of a class, as of half precision.

    Its operands are loaded, a compound one stores.
    """
    operands = (*((e.receiver,) if e.receiver is not None else ()), *e.arguments)
    values = [value for _, value in havoc_arguments(state, e, f"the result of `{e.name}`")]
    level = max((state.store.level(value) for value in values), default=Level.UNIFORM)
    if operands and e.intrinsic is Intrinsic.ASSIGNING_OPERATOR:
        changed = state.store.unknown(operands[0].type, state.text_of(e), level, "")
        state.write(state.place(operands[0]), changed, operands[0])
    reason = ""
    if level is not Level.UNIFORM:
        of_number = f"the result of `{e.name}`" if isinstance(e.type, ir.Integer) else ""
        reason = e.reason or of_number or _lacking(state, values)
    return state.store.unknown(e.type, state.text_of(e), level, reason)


def _lacking(state: State, values: Iterable[Value]) -> str:
    """Return why one of the values is not known; empty where that is said of none."""
    parts = (value.rest if isinstance(value, AggregateValue) else value for value in values)
    atoms = (atom for part in parts if isinstance(part, Polynomial) for atom in state.algebra.atoms_of(part))
    return next((atom.reason for atom in atoms if atom.reason), "")


def pure(state: State, e: ir.Call) -> Value:
    """Return a function of its arguments alone: as uniform as they are."""
    values = [state.value(argument) for argument in e.arguments]
    level = own = max((state.store.level(value) for value in values), default=Level.UNIFORM)
    if e.intrinsic is Intrinsic.TEXTURE_READ and level is not Level.UNIFORM:
        level = Level.LOADED
    if e.intrinsic is Intrinsic.UNKNOWN_VALUE and level is not Level.UNIFORM:
        level = Level.EXCHANGED
    algebra = state.algebra
    if e.intrinsic in _ROUNDING and len(values) == 1:
        number = _rounded(state, e, values[0])
        if number is not None:
            return number
    if e.intrinsic in (Intrinsic.SQUARE_ROOT, Intrinsic.LOOPING_FUNCTION, Intrinsic.ANGLE_FUNCTION):
        state.recorder.slow_path(state, e, has_loop=e.intrinsic is not Intrinsic.SQUARE_ROOT)
    if e.intrinsic is Intrinsic.ANGLE_FUNCTION:
        state.recorder.read_table(state)
    if isinstance(e.type, ir.Floating):
        number = _floating(state, e, values)
        if number is not None:
            return number
        return floating(state, *values) if values and level is own else state.store.floating(level)
    numbers: list[Poly] = [
        v for v in values if not isinstance(v, Address | PointerSelect | AggregateValue | Closure | FunctionValue)
    ]
    if len(numbers) == len(values):
        if len(numbers) == 1 and e.intrinsic in _OF_ONE:
            return algebra.operation(_OF_ONE[e.intrinsic], numbers[0])
        if len(numbers) == 2 and e.intrinsic in _OF_TWO:
            return algebra.operation(_OF_TWO[e.intrinsic], *numbers)
        if len(numbers) == 2 and e.intrinsic is Intrinsic.MULTIPLY_HIGH_UNSIGNED:
            return algebra.operation(Function.MULTIPLY_HIGH, *(algebra.unsigned(number, 32) for number in numbers))
        if len(numbers) == 2 and e.intrinsic is Intrinsic.MULTIPLY_24:
            return _product_of_24_bits(state, e, *numbers)
    at = state.recorder.place_of(e.span)
    called = e.name if at == e.span else state.text(at)
    reason = e.reason or f"the result of `{called}`" if level is not Level.UNIFORM else ""
    return state.store.unknown(e.type, state.text(at), level, reason)


def _product_of_24_bits(state: State, e: ir.Call, one: Poly, other: Poly) -> Poly:
    """Return the product of numbers of 24 bits, told from other products where that matters to nvcc."""
    if not state.recorder.as_compiled:
        return one * other
    is_signed = isinstance(e.type, ir.Integer) and e.type.signed
    return state.algebra.operation(Function.MULTIPLY_24, one, other, signed=is_signed)
