"""Short ways to write nodes of the IR for numbers."""

from __future__ import annotations

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.python.numba.types import (
    BOOLEAN,
    FLOAT64,
    INT64,
    Scalar,
    ScalarKind,
    ir_type,
)
from coalint.frontend.python.numba.values import Number

INDEX = ir.Integer(64, signed=True)
BYTE = ir.Integer(8, signed=False)
NOTHING = ir.Other("none")


def constant(span: Span, value: int, type_: Scalar = INT64) -> Number:
    """Return an integer that the source says."""
    return Number(ir.Literal(span, ir_type(type_), value), type_, value, is_natural=value >= 0)


def real(span: Span, value: float | None, type_: Scalar = FLOAT64) -> Number:
    """Return a floating-point number."""
    return Number(ir.Literal(span, ir_type(type_), None), type_, value)


def truth(span: Span, value: bool) -> Number:
    """Return a truth value that the source says."""
    return Number(ir.Literal(span, ir_type(BOOLEAN), int(value)), BOOLEAN, int(value), is_natural=True)


def converted(number: Number, type_: Scalar) -> ir.Expression:
    """Return a number as an expression of a type."""
    e = number.expression
    if number.type == type_ or (number.type.kind is ScalarKind.COMPLEX and type_.kind is ScalarKind.COMPLEX):
        return e
    if isinstance(e, ir.Literal) and e.value is not None and type_.is_integer and type_.kind is not ScalarKind.BOOLEAN:
        return ir.Literal(e.span, ir_type(type_), e.value)
    return ir.Cast(e.span, ir_type(type_), e)


def index(number: Number) -> ir.Expression:
    """Return an integer as an index."""
    return converted(number, INT64)


def operation(
    span: Span, operator: str, left: ir.Expression, right: ir.Expression, type_: ir.Type = INDEX
) -> ir.Expression:
    """Return `left operator right`; sums and products with 0 and 1 are left out."""
    a, b = _known(left), _known(right)
    if a is not None and b is not None and operator in "+-*":
        value = a + b if operator == "+" else a - b if operator == "-" else a * b
        return ir.Literal(span, type_, value)
    if operator == "*" and 1 in (a, b):
        return right if a == 1 else left
    if operator == "*" and 0 in (a, b):
        return ir.Literal(span, type_, 0)
    if (operator == "+" and b == 0) or (operator == "-" and b == 0):
        return left
    if operator == "+" and a == 0:
        return right
    return ir.Binary(span, type_, operator, left, right)


def combined(span: Span, operator: str, left: Number, right: Number) -> Number:
    """Return a sum, difference or product of two integers as 64-bit ones."""
    e = operation(span, operator, index(left), index(right))
    known = _known(e)
    is_natural = operator != "-" and left.is_natural and right.is_natural
    return Number(e, INT64, known, is_natural=is_natural if known is None else known >= 0)


def _known(e: ir.Expression) -> int | None:
    return e.value if isinstance(e, ir.Literal) else None
