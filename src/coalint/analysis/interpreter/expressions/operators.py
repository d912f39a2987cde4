"""Binary and unary operators on numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from coalint.analysis.domain import constant_floats, fractions
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.algebra.logic import COMPARISONS
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.values import (
    Address,
    AggregateValue,
    Closure,
    FunctionValue,
    PointerSelect,
    Value,
)
from coalint.analysis.interpreter.expressions.floats import floating, sharing_of_floats
from coalint.analysis.interpreter.expressions.pointer_arithmetic import combine_pointers, compared_with_null
from coalint.analysis.interpreter.expressions.slow_operations import divides_slowly
from coalint.analysis.interpreter.expressions.truth import short_circuit
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


MAX_TERMS = 400  # of a polynomial


TOO_LONG = "an expression of too many terms"


_SENSITIVE_TO_WRAPPING = frozenset({"/", "%", ">>", *COMPARISONS})

_ARITHMETIC: dict[str, Callable[[Algebra, Poly, Poly], Poly]] = {
    "+": lambda _, a, b: a + b,
    "-": Algebra.subtract,
    "*": lambda _, a, b: a * b,
    "/": Algebra.divide,
    "%": Algebra.remainder,
    "&": Algebra.bit_and,
    "|": Algebra.bit_or,
    "^": Algebra.bit_xor,
    ">>": Algebra.shift_right,
}


def binary(state: State, e: ir.Binary) -> Value:
    """Return the value of a binary expression."""
    operator = e.operator
    if operator in ("&&", "||"):
        return short_circuit(state, e)
    left, right = state.value(e.left), state.value(e.right)
    return state.combine(operator, left, right, e.left.type, e.right.type, e)


def combine(
    state: State,
    operator: str,
    left: Value,
    right: Value,
    left_type: ir.Type,
    right_type: ir.Type,
    e: ir.Expression,
) -> Value:
    """Return `left operator right`, for numbers, floating point and addresses; `e` is the expression as written."""
    algebra = state.algebra
    if isinstance(left, FunctionValue) or isinstance(right, FunctionValue):
        known = compared_with_null(state, operator, left, right)
        if known is not None:
            return known
    if isinstance(left, Address | PointerSelect) or isinstance(right, Address | PointerSelect):
        return combine_pointers(state, operator, left, right, left_type, right_type, e)
    if isinstance(left_type, ir.Floating | ir.Record) or isinstance(right_type, ir.Floating | ir.Record):
        if isinstance(left, Polynomial) and isinstance(right, Polynomial):
            size = max(left_type.size, right_type.size)
            known = fractions.combined(algebra, operator, left, right, size)
            if known is None and state.recorder.model is None:
                known = constant_floats.combined(algebra, operator, left, right, size)
            if known is not None:
                return known
        if operator in COMPARISONS:
            level = max(state.store.level(left), state.store.level(right))
            doubt, sharing = state.store.doubt((left, right)), sharing_of_floats(state, left, right)
            return algebra.opaque(state.text_of(e), level, doubt, sharing=sharing)
        if divides_slowly(operator, left_type, right_type, e):
            state.recorder.slow_path(state, e)
        return floating(state, left, right)
    if divides_slowly(operator, left_type, right_type, e):
        state.recorder.slow_path(state, e)
    a, b = state.as_scalar(left, e), state.as_scalar(right, e)
    if operator == "<<":
        return algebra.shift_left(a, b)
    bits = left_type.bits if isinstance(left_type, ir.Integer) else 64
    if isinstance(left_type, ir.Integer) and not left_type.signed:
        if operator in COMPARISONS and bits >= 64:
            return algebra.compare_unsigned(operator, a, b)
        if operator in _SENSITIVE_TO_WRAPPING:
            a = algebra.unsigned(a, bits)
            b = algebra.unsigned(b, bits) if operator != ">>" else b
    if len(a) * len(b) > MAX_TERMS if operator == "*" else len(a) + len(b) > MAX_TERMS:
        level = max(algebra.level(a), algebra.level(b), Level.DIVERGENT)
        return algebra.lost(level) if algebra.crowded() else algebra.opaque(state.text_of(e), level, TOO_LONG)
    if operator in COMPARISONS:
        return algebra.compare(operator, a, b)
    if operator == "%" and isinstance(left_type, ir.Integer) and left_type.signed:
        return algebra.signed_remainder(a, b)
    apply = _ARITHMETIC.get(operator)
    if apply is None:
        return algebra.opaque(state.text_of(e), max(algebra.level(a), algebra.level(b)), f"operator `{operator}`")
    return apply(algebra, a, b)


def unary(state: State, e: ir.Unary) -> Value:
    """Return the value of a unary expression."""
    if e.operator == "!":
        return 1 - state.condition(e.operand)
    value = state.value(e.operand)
    if isinstance(e.type, ir.Floating) or isinstance(
        value, Address | PointerSelect | AggregateValue | Closure | FunctionValue
    ):
        if not isinstance(e.type, ir.Floating):
            return value
        known = None
        if isinstance(value, Polynomial):
            known = value if e.operator == "+" else fractions.negated(state.algebra, value)
        return floating(state, value) if known is None else known
    match e.operator:
        case "-":
            return -value
        case "~":
            return -value - 1
    return value
