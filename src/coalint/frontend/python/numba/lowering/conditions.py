"""Comparisons, `and`, `or`, `not` and conditional expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable

from coalint.core import ir
from coalint.frontend.python.numba.lowering.build import converted, truth
from coalint.frontend.python.numba.lowering.components import parts, put_together, taken_apart, type_of
from coalint.frontend.python.numba.lowering.state import Lowering, expressions_of, unresolved
from coalint.frontend.python.numba.types import BOOLEAN, INT64, ScalarKind, UnknownType, arithmetic, ir_type, joined
from coalint.frontend.python.numba.values import (
    ArrayValue,
    Dotted,
    Nothing,
    Number,
    Text,
    TupleValue,
    Unknown,
    Value,
)

_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_FOLDED: dict[str, Callable[[float, float], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_BOOL = ir_type(BOOLEAN)


def evaluated(low: Lowering, node: ast.expr) -> Value:
    """Return what an expression stands for that may not be evaluated: its own statements go with it."""
    with low.block() as statements:
        value = low.value(node)
    if not statements:
        return value
    span = low.span(node)
    if isinstance(value, Number):
        e = ir.Sequence(span, value.expression.type, tuple(statements), value.expression)
        return Number(e, value.type, is_natural=value.is_natural)
    for statement in statements:
        low.emit(statement)
    return value


def condition(low: Lowering, node: ast.expr) -> ir.Expression:
    """Return an expression as a condition; a literal where the source decides it."""
    return truth_of(low, evaluated(low, node), node)


def truth_of(low: Lowering, value: Value, node: ast.expr) -> ir.Expression:
    """Return the truth value of a value."""
    span = low.span(node)
    match value:
        case Number() if value.constant is not None:
            return truth(span, bool(value.constant)).expression
        case Number():
            return value.expression
        case Nothing():
            return truth(span, False).expression
        case TupleValue() | Text():
            return truth(span, bool(value.items if isinstance(value, TupleValue) else value.text)).expression
        case Unknown():
            return unresolved(value, _BOOL, span)
    return ir.Unresolved(span, _BOOL, "the truth of this value is not followed", tuple(expressions_of(value)))


def negated(low: Lowering, node: ast.UnaryOp, operand: Value) -> Number:
    """Return `not x`."""
    e = truth_of(low, operand, node.operand)
    if isinstance(e, ir.Literal):
        return truth(low.span(node), not e.value)
    return Number(ir.Unary(low.span(node), _BOOL, "!", e), BOOLEAN, is_natural=True)


def compare(low: Lowering, node: ast.Compare) -> Value:
    """Return a comparison; in a chain each operand is evaluated once."""
    left = low.value(node.left)
    chain: Value | None = None
    for operator, right_node in zip(node.ops, node.comparators, strict=True):
        right = low.value(right_node) if chain is None else evaluated(low, right_node)
        if len(node.ops) > 1 and right_node is not node.comparators[-1]:
            right = low.kept(right, "operand", low.span(right_node))
        one = _compared(low, node, operator, left, right)
        chain = one if chain is None else _both(low, node, chain, one)
        left = right
    assert chain is not None
    return chain


def _both(low: Lowering, node: ast.expr, left: Value, right: Value) -> Value:
    a, b = truth_of(low, left, node), truth_of(low, right, node)
    if isinstance(a, ir.Literal):
        return right if a.value else left
    return Number(ir.Binary(low.span(node), _BOOL, "&&", a, b), BOOLEAN, is_natural=True)


def _compared(low: Lowering, node: ast.expr, operator: ast.cmpop, left: Value, right: Value) -> Value:
    span = low.span(node)
    sign = _SIGNS.get(type(operator))
    if isinstance(left, Number) and isinstance(right, Number) and sign is not None:
        if left.constant is not None and right.constant is not None:
            return truth(span, _FOLDED[sign](left.constant, right.constant))
        type_ = arithmetic(left.type, right.type)
        if left.type.is_integer and right.type.is_integer:
            type_ = left.type if left.type == right.type and left.type.kind is ScalarKind.UNSIGNED else INT64
        if type_.kind is ScalarKind.COMPLEX:
            return low.unknown("comparisons of complex numbers are not followed", left, right)
        e = ir.Binary(span, _BOOL, sign, converted(left, type_), converted(right, type_))
        return Number(e, BOOLEAN, is_natural=True)
    known = _static(operator, left, right)
    if known is not None:
        return truth(span, known)
    if isinstance(operator, ast.In | ast.NotIn) and isinstance(right, TupleValue) and isinstance(left, Number):
        return _within(low, node, left, right, negate=isinstance(operator, ast.NotIn))
    return low.unknown("this comparison is not followed", left, right)


def _static(operator: ast.cmpop, left: Value, right: Value) -> bool | None:
    """Return what the source alone says of a comparison."""
    is_equal: bool | None = None
    if isinstance(left, Text) and isinstance(right, Text):
        is_equal = left.text == right.text
    elif isinstance(left, Nothing) or isinstance(right, Nothing):
        other = right if isinstance(left, Nothing) else left
        is_equal = True if isinstance(other, Nothing) else False if isinstance(other, Number | ArrayValue) else None
    elif isinstance(left, Dotted) and left.name == "builtins.__name__" and isinstance(right, Text):
        is_equal = right.text == "__main__"
    if is_equal is None:
        return None
    return not is_equal if isinstance(operator, ast.NotEq | ast.IsNot) else is_equal


def _within(low: Lowering, node: ast.expr, left: Number, right: TupleValue, *, negate: bool) -> Value:
    kept = low.kept(left, "operand", low.span(node))
    contained: Value = truth(low.span(node), False)
    for item in right.items:
        one = _compared(low, node, ast.Eq(), kept, item)
        a, b = truth_of(low, contained, node), truth_of(low, one, node)
        if isinstance(a, ir.Literal):
            contained = contained if a.value else one
        else:
            contained = Number(ir.Binary(low.span(node), _BOOL, "||", a, b), BOOLEAN, is_natural=True)
    return negated(low, ast.UnaryOp(ast.Not(), node), contained) if negate else contained


def logical(low: Lowering, node: ast.BoolOp) -> Value:
    """Return `a and b`, `a or b` as truth values; what the source decides is left out."""
    is_and = isinstance(node.op, ast.And)
    span = low.span(node)
    whole: ir.Expression | None = None
    for number, part in enumerate(node.values):
        got = low.value(part) if number == 0 else evaluated(low, part)
        e = truth_of(low, got, part)
        if isinstance(e, ir.Literal):
            if bool(e.value) is is_and:
                continue
            return truth(span, not is_and) if whole is None else Number(whole, BOOLEAN, is_natural=True)
        whole = e if whole is None else ir.Binary(span, _BOOL, "&&" if is_and else "||", whole, e)
    return truth(span, is_and) if whole is None else Number(whole, BOOLEAN, is_natural=True)


def conditional(low: Lowering, node: ast.IfExp) -> Value:
    """Return `a if condition else b`."""
    test = condition(low, node.test)
    if isinstance(test, ir.Literal):
        return low.value(node.body if test.value else node.orelse)
    return chosen(low, node, test, evaluated(low, node.body), evaluated(low, node.orelse))


def chosen(low: Lowering, node: ast.expr, test: ir.Expression, then: Value, otherwise: Value) -> Value:
    """Return one of two values by a condition."""
    span = low.span(node)
    type_ = joined(type_of(then), type_of(otherwise))
    if isinstance(type_, UnknownType):
        return then if then == otherwise else low.unknown(type_.reason, then, otherwise)
    names = [part for _, part in parts(type_, "")]
    sides = zip(names, taken_apart(then, type_, span), taken_apart(otherwise, type_, span), strict=True)
    e = [ir.Conditional(span, part, test, a, b) for part, a, b in sides]
    value = put_together(type_, iter(e), span)
    if isinstance(value, Number) and isinstance(then, Number) and isinstance(otherwise, Number):
        return Number(value.expression, value.type, is_natural=then.is_natural and otherwise.is_natural)
    return value
