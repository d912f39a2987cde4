"""Arithmetic, with Numba's types: integers are 64 bits wide, `/` gives a floating-point number, `//` and `%` floor."""

from __future__ import annotations

import ast
import math
from contextlib import suppress

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.python.numba.lowering import complexes, host_arrays
from coalint.frontend.python.numba.lowering.build import combined, constant, converted, index, operation, real
from coalint.frontend.python.numba.lowering.conditions import negated
from coalint.frontend.python.numba.lowering.state import Lowering, expressions_of
from coalint.frontend.python.numba.types import BOOLEAN, FLOAT64, INT64, UINT64, Scalar, ScalarKind, arithmetic, ir_type
from coalint.frontend.python.numba.values import ArrayValue, Number, TupleValue, Unknown, Value

SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.MatMult: "@",
}
_INTEGER_ONLY = frozenset({"&", "|", "^", "<<", ">>"})
MOST_REPEATED = 64


def binary(low: Lowering, node: ast.expr, operator: ast.operator, left: Value, right: Value) -> Value:
    """Return `left operator right`."""
    sign = SIGNS[type(operator)]
    if isinstance(left, Number) and isinstance(right, Number):
        return numbers(low, node, sign, left, right)
    if isinstance(left, TupleValue) or isinstance(right, TupleValue):
        joined = _tuples(sign, left, right)
        if joined is not None:
            return joined
    if low.is_host or low.is_static:
        array = host_arrays.arithmetic(low, node, sign, left, right)
        if array is not None:
            return array
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        reason = left.reason if isinstance(left, Unknown) else right.reason if isinstance(right, Unknown) else ""
        return low.unknown(reason, left, right)
    what = "arrays" if isinstance(left, ArrayValue) or isinstance(right, ArrayValue) else "these values"
    return low.unknown(f"`{sign}` of {what} is not followed", left, right)


def _tuples(sign: str, left: Value, right: Value) -> TupleValue | None:
    if isinstance(left, TupleValue) and isinstance(right, TupleValue) and sign == "+":
        return TupleValue((*left.items, *right.items))
    if isinstance(right, TupleValue):
        left, right = right, left
    if isinstance(left, TupleValue) and isinstance(right, Number) and sign == "*":
        times = right.constant
        if isinstance(times, int) and 0 <= times * len(left.items) <= MOST_REPEATED:
            return TupleValue(left.items * times)
    return None


def numbers(low: Lowering, node: ast.expr, sign: str, left: Number, right: Number) -> Value:
    """Return `left sign right` of two numbers."""
    span = low.span(node)
    known = _folded(sign, left.constant, right.constant)
    if known is not None and left.type.kind is not ScalarKind.COMPLEX and right.type.kind is not ScalarKind.COMPLEX:
        if isinstance(known, int) and left.type.is_integer and right.type.is_integer:
            return constant(span, known)
        return real(span, float(known))
    type_ = arithmetic(left.type, right.type)
    if type_.kind is ScalarKind.COMPLEX:
        return complexes.binary(low, node, sign, left, right, type_)
    if type_.kind is ScalarKind.FLOAT or sign == "/":
        return _floating(low, node, sign, left, right, type_)
    if sign in ("+", "-", "*"):
        return _ratio_kept(combined(span, sign, left, right), type_)
    if sign == "//":
        return floor_division(low, node, left, right)
    if sign == "%":
        return remainder(low, node, left, right)
    if sign == "**":
        return _power(low, node, left, right)
    is_both_boolean = left.type == right.type == BOOLEAN and sign in ("&", "|", "^")
    if sign in _INTEGER_ONLY:
        result = BOOLEAN if is_both_boolean else type_
        e = ir.Binary(span, ir_type(result), sign, converted(left, result), converted(right, result))
        is_natural = (left.is_natural or right.is_natural) if sign == "&" else left.is_natural and right.is_natural
        if sign in (">>", "<<"):
            is_natural = left.is_natural
        return Number(e, result, is_natural=is_natural)
    return low.unknown(f"the operator `{sign}` is not followed", left, right)


def _ratio_kept(number: Number, type_: Scalar) -> Number:
    return Number(number.expression, INT64, number.constant, number.is_natural or type_ == UINT64)


def _floating(low: Lowering, node: ast.expr, sign: str, left: Number, right: Number, type_: Scalar) -> Number:
    span = low.span(node)
    if type_.kind is not ScalarKind.FLOAT:
        type_ = FLOAT64
    ratio = (left, right) if sign == "/" and left.type.is_integer and right.type.is_integer else None
    operator = {"//": "/", "**": "*", "%": "/"}.get(sign, sign)
    e = ir.Binary(span, ir_type(type_), operator, converted(left, type_), converted(right, type_))
    return Number(e, type_, ratio=ratio)


def floor_division(low: Lowering, node: ast.expr, left: Number, right: Number) -> Number:
    """Return `left // right`; the IR's division truncates, which differs below zero."""
    span = low.span(node)
    left, right = _once(low, left, span), _once(low, right, span)
    a, b = index(left), index(right)
    plain = ir.Binary(span, ir.Integer(64, signed=True), "/", a, b)
    if left.is_natural or left.type.kind is ScalarKind.UNSIGNED:
        if isinstance(right.constant, int) and right.constant < 0:
            ahead = operation(
                span, "-", operation(span, "+", a, ir.Literal(span, b.type, -right.constant - 1)), _zero(a)
            )
            return Number(ir.Binary(span, b.type, "/", ahead, b), INT64)
        return Number(plain, INT64, is_natural=True)
    above = operation(span, "-", operation(span, "-", b, ir.Literal(span, b.type, 1)), a)
    below = ir.Unary(span, b.type, "-", ir.Binary(span, b.type, "/", above, b))
    return Number(_where_natural(low, node, left, plain, below), INT64)


def _once(low: Lowering, number: Number, span: Span) -> Number:
    """Return the number, evaluated once where it stands more than once."""
    if number.is_natural or number.type.kind is ScalarKind.UNSIGNED or number.constant is not None:
        return number
    kept = low.kept(number, "operand", span)
    assert isinstance(kept, Number)
    return kept


def remainder(low: Lowering, node: ast.expr, left: Number, right: Number) -> Number:
    """Return `left % right`, which has the sign of `right`."""
    span = low.span(node)
    left, right = _once(low, left, span), _once(low, right, span)
    a, b = index(left), index(right)
    plain = ir.Binary(span, ir.Integer(64, signed=True), "%", a, b)
    if left.is_natural or left.type.kind is ScalarKind.UNSIGNED:
        if isinstance(right.constant, int) and right.constant < 0:
            return Number(ir.Unresolved(span, plain.type, "a remainder by a negative number", (a,)), INT64)
        return Number(plain, INT64, is_natural=True)
    one = ir.Literal(span, b.type, 1)
    mirrored = ir.Binary(span, b.type, "%", operation(span, "-", ir.Unary(span, b.type, "-", a), one), b)
    below = operation(span, "-", operation(span, "-", b, one), mirrored)
    is_natural = right.is_natural or (isinstance(right.constant, int) and right.constant > 0)
    return Number(_where_natural(low, node, left, plain, below), INT64, is_natural=is_natural)


def _where_natural(
    low: Lowering, node: ast.expr, number: Number, then: ir.Expression, otherwise: ir.Expression
) -> ir.Expression:
    span = low.span(node)
    condition = ir.Binary(span, ir_type(BOOLEAN), ">=", index(number), _zero(index(number)))
    return ir.Conditional(span, then.type, condition, then, otherwise)


def _zero(e: ir.Expression) -> ir.Expression:
    return ir.Literal(e.span, e.type, 0)


def _power(low: Lowering, node: ast.expr, left: Number, right: Number) -> Value:
    span = low.span(node)
    if isinstance(right.constant, int) and 1 <= right.constant <= 4:
        base = low.kept(left, "base", span)
        assert isinstance(base, Number)
        product = base
        for _ in range(right.constant - 1):
            product = combined(span, "*", product, base)
        return Number(product.expression, INT64, is_natural=left.is_natural or right.constant % 2 == 0)
    if left.constant == 2 and right.type.is_integer:
        e = ir.Binary(span, ir.Integer(64, signed=True), "<<", ir.Literal(span, ir.Integer(64, True), 1), index(right))
        return Number(e, INT64, is_natural=True)
    arguments = tuple(e for one in (left, right) for e in expressions_of(one))
    called = ir.Call(span, ir.Integer(64, signed=True), "pow", None, arguments, intrinsic=ir.Intrinsic.PURE)
    return Number(called, INT64, is_natural=left.is_natural)


def unary(low: Lowering, node: ast.UnaryOp, operand: Value) -> Value:
    """Return `-x`, `+x`, `~x`, `not x`."""
    if isinstance(node.op, ast.Not):
        return negated(low, node, operand)
    if not isinstance(operand, Number):
        reason = (
            operand.reason
            if isinstance(operand, Unknown)
            else "a sign before a value that is not a number is not followed"
        )
        return low.unknown(reason, operand)
    span = low.span(node)
    known = operand.constant
    if isinstance(node.op, ast.UAdd):
        return operand
    if isinstance(node.op, ast.USub) and known is not None:
        return constant(span, -known) if isinstance(known, int) else real(span, -known)
    if operand.type.kind is ScalarKind.COMPLEX:
        return complexes.negative(low, node, operand)
    operator = "-" if isinstance(node.op, ast.USub) else "~"
    type_ = operand.type if not operand.type.is_integer else INT64
    return Number(ir.Unary(span, ir_type(type_), operator, converted(operand, type_)), type_)


def _folded(sign: str, a: float | None, b: float | None) -> int | float | None:
    if a is None or b is None:
        return None
    with suppress(ArithmeticError, ValueError, TypeError):
        match sign:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "/":
                return a / b
            case "//":
                return a // b
            case "%":
                return a % b
            case "**" if abs(b) <= MOST_REPEATED and abs(a) <= 2**16:
                power = a**b
                return power if isinstance(power, int | float) and math.isfinite(power) else None
        if isinstance(a, int) and isinstance(b, int):
            match sign:
                case "&":
                    return a & b
                case "|":
                    return a | b
                case "^":
                    return a ^ b
                case "<<" if 0 <= b < 64:
                    return a << b
                case ">>" if b >= 0:
                    return a >> b
    return None
