"""Assignments to views: each thread stores all of their elements, one after the other."""

from __future__ import annotations

import ast
from collections.abc import Callable

from coalint.core import ir
from coalint.frontend.python.numba.lowering import arithmetic, indexing
from coalint.frontend.python.numba.lowering.build import INDEX, index
from coalint.frontend.python.numba.lowering.conversions import as_type, node_of
from coalint.frontend.python.numba.lowering.elements import element
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.types import BOOLEAN, INT64, ir_type
from coalint.frontend.python.numba.values import ArrayValue, Number, Value

Store = Callable[[tuple[Number, ...]], None]


def fill(low: Lowering, node: ast.expr, target: ArrayValue, value: Value) -> None:
    """Lower an assignment to a view: each thread stores all of its elements, one after the other."""

    def store(at: tuple[Number, ...]) -> None:
        span = low.span(node)
        source = _broadcast(low, node, value, target, at)
        place = element(low, node, target, at)
        if not isinstance(place, Number):
            low.emit(ir.Unanalysed(span, "records are copied here, which is not followed"))
            return
        e = ir.Assign(span, place.expression.type, None, place.expression, as_type(low, source, place.type, node))
        low.emit(ir.Evaluate(span, e))

    _for_each(low, node, target, (), store)


def change(low: Lowering, node: ast.AugAssign, target: ArrayValue, by: Value) -> None:
    """Lower `view += value`."""

    def store(at: tuple[Number, ...]) -> None:
        span = low.span(node.target)
        place = element(low, node.target, target, at)
        if not isinstance(place, Number):
            low.emit(ir.Unanalysed(span, "records are changed here, which is not followed"))
            return
        result = arithmetic.binary(low, node_of(node), node.op, place, _broadcast(low, node.target, by, target, at))
        e = ir.Assign(span, place.expression.type, None, place.expression, as_type(low, result, place.type, node))
        low.emit(ir.Evaluate(span, e))

    _for_each(low, node.target, target, (), store)


def _broadcast(low: Lowering, node: ast.expr, value: Value, target: ArrayValue, at: tuple[Number, ...]) -> Value:
    if not isinstance(value, ArrayValue):
        return value
    if value.type.ndim > target.type.ndim:
        return low.unknown("an array of more axes", value)
    return indexing.element_or_view(low, node, value, at[len(at) - value.type.ndim :])


def _for_each(low: Lowering, node: ast.expr, array: ArrayValue, at: tuple[Number, ...], store: Store) -> None:
    if len(at) == array.type.ndim:
        store(at)
        return
    span = low.span(node)
    variable = ir.Variable(low.new_key("element"), "element", INDEX, ir.Storage.LOCAL, span)
    counter = Number(ir.Name(span, INDEX, variable), INT64, is_natural=True)
    test = ir.Binary(span, ir_type(BOOLEAN), "<", counter.expression, index(array.shape[len(at)]))
    with low.block() as statements:
        _for_each(low, node, array, (*at, counter), store)
    step = ir.Assign(span, INDEX, "+", counter.expression, ir.Literal(span, INDEX, 1))
    begin = ir.Declare(span, variable, ir.Literal(span, INDEX, 0))
    low.emit(ir.Loop(span, (begin,), test, step, ir.Block(span, tuple(statements)), test_first=True))
