"""Expressions: each to the value that it stands for."""

from __future__ import annotations

import ast
import builtins

from coalint.core import ir
from coalint.frontend.python.numba.lowering import arithmetic, attributes, calls, conditions, indexing
from coalint.frontend.python.numba.lowering.build import constant, real, truth
from coalint.frontend.python.numba.lowering.names import named
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.types import Scalar, ScalarKind
from coalint.frontend.python.numba.values import (
    Dotted,
    FunctionValue,
    Nothing,
    Number,
    Slice,
    Text,
    TupleValue,
    Unknown,
    Value,
)


def value(low: Lowering, node: ast.expr) -> Value:
    """Return what an expression stands for."""
    match node:
        case ast.Constant():
            return _constant(low, node)
        case ast.Name():
            return named(low, node)
        case ast.Attribute():
            return attributes.attribute(low, node, low.value(node.value))
        case ast.Subscript():
            return _read(low, node)
        case ast.Slice():
            first, last, step = (None if n is None else low.value(n) for n in (node.lower, node.upper, node.step))
            return Slice(first, last, step)
        case ast.Tuple() | ast.List():
            return TupleValue(tuple(low.value(element) for element in node.elts))
        case ast.BinOp():
            return arithmetic.binary(low, node, node.op, low.value(node.left), low.value(node.right))
        case ast.UnaryOp():
            return arithmetic.unary(low, node, low.value(node.operand))
        case ast.Compare():
            return conditions.compare(low, node)
        case ast.BoolOp():
            return conditions.logical(low, node)
        case ast.IfExp():
            return conditions.conditional(low, node)
        case ast.Call():
            return calls.call(low, node)
        case ast.Lambda():
            return FunctionValue(node, low.scope)
        case ast.NamedExpr():
            assigned = low.value(node.value)
            low.assign(node.target.id, assigned, node)
            return named(low, node.target)
        case ast.Starred():
            return low.unknown("unpacked arguments", low.value(node.value))
    inside = [low.value(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    return low.unknown(f"`{type(node).__name__}` expressions are not followed", *inside)


def _read(low: Lowering, node: ast.Subscript) -> Value:
    """Return what is read by a subscript; that a kernel reads from what is not followed is said, once for `a[i][j]`."""
    base = low.value(node.value)
    item = indexing.subscript(low, node, base, low.value(node.slice))
    is_first = not isinstance(node.value, ast.Subscript)
    if isinstance(base, Unknown) and isinstance(item, Unknown) and is_first and not (low.is_host or low.is_static):
        low.not_analysed(low.span(node), item.reason)
    return item


def _constant(low: Lowering, node: ast.Constant) -> Value:
    span = low.span(node)
    match node.value:
        case bool():
            return truth(span, node.value)
        case int():
            return constant(span, node.value)
        case float():
            return real(span, node.value)
        case complex():
            type_ = Scalar(ScalarKind.COMPLEX, 128)
            return Number(ir.Unresolved(span, ir.Record(type_.name, 16, 8), ""), type_)
        case str():
            return Text(node.value)
        case None:
            return Nothing()
        case builtins.Ellipsis:
            return Dotted("builtins.Ellipsis")
    return low.unknown("a constant of this kind")
