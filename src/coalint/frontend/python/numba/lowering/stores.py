"""Assignments: to names, elements, fields, views and several of these at once."""

from __future__ import annotations

import ast

from coalint.core import ir
from coalint.frontend.python.numba.lowering import arithmetic, fills, indexing, records
from coalint.frontend.python.numba.lowering.build import constant, converted
from coalint.frontend.python.numba.lowering.conversions import as_type, node_of
from coalint.frontend.python.numba.lowering.state import Lowering, expressions_of
from coalint.frontend.python.numba.types import INT64, ScalarKind, ir_type
from coalint.frontend.python.numba.values import ArrayValue, Number, RecordValue, Slice, TupleValue, Unknown, Value


def assign(low: Lowering, target: ast.expr, value: Value, node: ast.stmt) -> None:
    """Give a target a value."""
    match target:
        case ast.Name():
            low.assign(target.id, value, node)
        case ast.Tuple() | ast.List():
            _unpacked(low, target, value, node)
        case ast.Subscript():
            _stored(low, target, low.value(target.value), low.value(target.slice), value)
        case ast.Attribute():
            _field_set(low, target, low.value(target.value), value)
        case _:
            low.emit(ir.Unanalysed(low.span(node), "this target of an assignment is not followed"))


def _unpacked(low: Lowering, target: ast.Tuple | ast.List, value: Value, node: ast.stmt) -> None:
    span = low.span(node)
    if isinstance(value, ArrayValue):
        count = value.shape[0].constant
        if count == len(target.elts):
            one = [constant(span, place) for place in range(len(target.elts))]
            value = TupleValue(tuple(indexing.element_or_view(low, target, value, (place,)) for place in one))
    if not isinstance(value, TupleValue) or len(value.items) != len(target.elts):
        reason = value.reason if isinstance(value, Unknown) else "what is unpacked here is not followed"
        for element in target.elts:
            inner = element.value if isinstance(element, ast.Starred) else element
            assign(low, inner, Unknown(reason, tuple(expressions_of(value))), node)
        return
    plain = all(isinstance(element, ast.Name) for element in target.elts)
    items = value.items
    if len(items) > 1 and not (plain and _is_apart(target, node)):
        items = tuple(low.kept(item, "item", span) for item in items)
    for element, item in zip(target.elts, items, strict=True):
        assign(low, element, item, node)


def _is_apart(target: ast.Tuple | ast.List, node: ast.stmt) -> bool:
    """Whether no name that is assigned stands in what is assigned."""
    names = {element.id for element in target.elts if isinstance(element, ast.Name)}
    inside = getattr(node, "value", None)
    return inside is not None and not any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(inside))


def _stored(low: Lowering, target: ast.Subscript, base: Value, at: Value, value: Value) -> None:
    span = low.span(target)
    if low.is_host or low.is_static:
        return
    place = indexing.subscript(low, target, base, at)
    match place:
        case Number():
            low.emit(
                ir.Evaluate(
                    span,
                    ir.Assign(
                        span, place.expression.type, None, place.expression, as_type(low, value, place.type, target)
                    ),
                )
            )
        case RecordValue() if isinstance(value, RecordValue):
            low.emit(
                ir.Evaluate(span, ir.Assign(span, place.expression.type, None, place.expression, value.expression))
            )
        case ArrayValue():
            fills.fill(low, target, place, value)
        case _:
            reason = place.reason if isinstance(place, Unknown) else "this assignment is not followed"
            for e in (*expressions_of(place), *expressions_of(value)):
                low.emit(ir.Evaluate(span, e))
            low.not_analysed(span, reason)


def _field_set(low: Lowering, target: ast.Attribute, base: Value, value: Value) -> None:
    span = low.span(target)
    if low.is_host or low.is_static:
        return
    place = records.field(low, target, base, target.attr) if isinstance(base, RecordValue) else None
    if isinstance(place, Number):
        low.emit(
            ir.Evaluate(
                span,
                ir.Assign(span, place.expression.type, None, place.expression, as_type(low, value, place.type, target)),
            )
        )
        return
    for e in (*expressions_of(base), *expressions_of(value)):
        low.emit(ir.Evaluate(span, e))
    low.not_analysed(span, base.reason if isinstance(base, Unknown) else "this field is not followed")


def change(low: Lowering, node: ast.AugAssign) -> None:
    """Lower `target operator= value`."""
    span = low.span(node)
    sign = arithmetic.SIGNS[type(node.op)]
    target = node.target
    if isinstance(target, ast.Name):
        before = low.value(ast.copy_location(ast.Name(target.id, ast.Load()), target))
        low.assign(target.id, arithmetic.binary(low, node_of(node), node.op, before, low.value(node.value)), node)
        return
    if low.is_host or low.is_static:
        low.value(node.value)
        return
    place = _place(low, target)
    by = low.value(node.value)
    if not isinstance(place, Number):
        if isinstance(place, ArrayValue):
            fills.change(low, node, place, by)
            return
        for e in (*expressions_of(place), *expressions_of(by)):
            low.emit(ir.Evaluate(span, e))
        low.not_analysed(span, place.reason if isinstance(place, Unknown) else "this assignment is not followed")
        return
    type_ = ir_type(place.type)
    if sign in ("+", "-", "*", "&", "|", "^") and isinstance(by, Number) and place.type.kind is not ScalarKind.COMPLEX:
        wide = (
            INT64
            if place.type.is_integer and by.type.is_integer
            else by.type
            if by.type.kind is ScalarKind.FLOAT
            else place.type
        )
        changed = ir.Assign(low.span(target), type_, sign, place.expression, converted(by, wide))
    else:
        result = arithmetic.binary(low, node_of(node), node.op, place, by)
        changed = ir.Assign(low.span(target), type_, None, place.expression, as_type(low, result, place.type, node))
    low.emit(ir.Evaluate(span, changed))


def _place(low: Lowering, target: ast.expr) -> Value:
    if isinstance(target, ast.Subscript):
        at = low.value(target.slice)
        return indexing.subscript(low, target, low.value(target.value), _once(low, at, target))
    assert isinstance(target, ast.Attribute)
    base = low.value(target.value)
    if isinstance(base, RecordValue):
        return records.field(low, target, base, target.attr)
    return Unknown(base.reason if isinstance(base, Unknown) else "this field is not followed")


def _once(low: Lowering, at: Value, node: ast.AST) -> Value:
    """Return the indices, evaluated once: what is changed is loaded and stored."""
    if isinstance(at, TupleValue):
        return TupleValue(tuple(_once(low, item, node) for item in at.items))
    if isinstance(at, Slice) or not isinstance(at, Number) or at.constant is not None:
        return at
    return low.kept(at, "index", low.span(node)) if _has_call(at.expression) else at


def _has_call(e: ir.Expression) -> bool:
    waiting: list[ir.Expression | ir.Statement] = [e]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ir.Call | ir.Sequence):
            return True
        waiting.extend(ir.children(one))
    return False
