"""Complex numbers: records of two floating-point numbers."""

from __future__ import annotations

import ast

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.python.numba.lowering.build import converted, real
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.types import Scalar, ScalarKind, ir_type
from coalint.frontend.python.numba.values import Number


def halves(low: Lowering, number: Number, type_: Scalar, span: Span) -> tuple[ir.Expression, ir.Expression]:
    """Return the real and the imaginary part of a number as one of a complex type."""
    half = Scalar(ScalarKind.FLOAT, type_.bits // 2)
    if number.type.kind is not ScalarKind.COMPLEX:
        return converted(number, half), real(span, 0.0, half).expression
    kept = low.kept(number, "z", span)
    assert isinstance(kept, Number)
    return part(kept, "real", span).expression, part(kept, "imag", span).expression


def part(number: Number, name: str, span: Span) -> Number:
    """Return `z.real` or `z.imag`."""
    half = Scalar(ScalarKind.FLOAT, number.type.bits // 2)
    offset = 0 if name == "real" else half.size
    return Number(ir.Member(span, ir_type(half), number.expression, name, offset), half)


def made(span: Span, type_: Scalar, re: ir.Expression, im: ir.Expression) -> Number:
    """Return a complex number of these parts."""
    return Number(ir.Aggregate(span, ir_type(type_), ((0, re), (type_.size // 2, im))), type_)


def binary(low: Lowering, node: ast.expr, sign: str, left: Number, right: Number, type_: Scalar) -> Number:
    """Return `left sign right`, of which at least one is complex."""
    span = low.span(node)
    half = ir_type(Scalar(ScalarKind.FLOAT, type_.bits // 2))
    a, b = halves(low, left, type_, span)
    c, d = halves(low, right, type_, span)
    if sign in ("+", "-"):
        return made(span, type_, ir.Binary(span, half, sign, a, c), ir.Binary(span, half, sign, b, d))
    re = _sum(span, half, a, b, c, d)
    return made(span, type_, re, re)


def _sum(span: Span, half: ir.Type, *terms: ir.Expression) -> ir.Expression:
    """Return a floating-point number in which all of the terms have a part: its value is not followed."""
    total = terms[0]
    for term in terms[1:]:
        total = ir.Binary(span, half, "+", total, term)
    return total


def negative(low: Lowering, node: ast.expr, operand: Number) -> Number:
    """Return `-z`."""
    span = low.span(node)
    half = ir_type(Scalar(ScalarKind.FLOAT, operand.type.bits // 2))
    re, im = halves(low, operand, operand.type, span)
    return made(span, operand.type, ir.Unary(span, half, "-", re), ir.Unary(span, half, "-", im))


def magnitude(low: Lowering, node: ast.expr, operand: Number) -> Number:
    """Return `abs(z)`."""
    span = low.span(node)
    half = Scalar(ScalarKind.FLOAT, operand.type.bits // 2)
    re, im = halves(low, operand, operand.type, span)
    return Number(_sum(span, ir_type(half), re, im), half)
