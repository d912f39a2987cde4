"""Elements of arrays: their places."""

from __future__ import annotations

import ast

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.python.numba.lowering.build import BYTE, INDEX, combined, constant, index, operation
from coalint.frontend.python.numba.lowering.components import pointer, strides
from coalint.frontend.python.numba.lowering.state import Lowering, unresolved
from coalint.frontend.python.numba.types import INT64, Layout, Scalar, ScalarKind, ir_type
from coalint.frontend.python.numba.values import ArrayValue, Number, RecordValue, Value


def element(low: Lowering, node: ast.expr, array: ArrayValue, at: tuple[Number, ...]) -> Number | RecordValue:
    """Return an element of an array, as its place."""
    span = low.span(node)
    place = item(low, array, at, span)
    if array.type.record is not None:
        field = array.type.record.field(array.type.field)
        assert field is not None
        place = ir.Member(span, ir_type(field.type), place, field.name, field.offset)
    type_ = array.type.element
    if isinstance(type_, Scalar):
        is_natural = type_.kind in (ScalarKind.UNSIGNED, ScalarKind.BOOLEAN)
        return Number(place, type_, is_natural=is_natural)
    return RecordValue(place, type_)


def item(low: Lowering, array: ArrayValue, at: tuple[Number, ...], span: Span) -> ir.Expression:
    """Return the place of an array's item at as many indices as it has axes."""
    from_start = [wrapped(number, extent, span) for number, extent in zip(at, array.shape, strict=True)]
    place = array.base
    if isinstance(place.type, ir.Array):
        for number in from_start:
            assert isinstance(place.type, ir.Array)
            place = ir.Subscript(span, place.type.element, place, index(number))
        return place
    type_ = ir_type(array.type.item)
    if array.type.layout is Layout.ANY:
        return ir.Dereference(span, type_, strided(array, tuple(from_start), span))
    return ir.Subscript(span, type_, pointer(array), index(linear(array, tuple(from_start), span)))


def linear(array: ArrayValue, at: tuple[Number, ...], span: Span) -> Number:
    """Return how many items after the first one lies, in an array without gaps."""
    pairs = list(zip(at, array.shape, strict=True))
    if array.type.layout is Layout.FORTRAN:
        pairs.reverse()
    position = pairs[0][0] if pairs else constant(span, 0)
    for number, extent in pairs[1:]:
        position = combined(span, "+", combined(span, "*", position, extent), number)
    return position


def strided(array: ArrayValue, at: tuple[Number, ...], span: Span) -> ir.Expression:
    """Return the address of an item in an array with strides of its own."""
    by: ir.Expression = ir.Literal(span, INDEX, 0)
    for number, stride in zip(at, strides(array, span), strict=True):
        by = operation(span, "+", by, operation(span, "*", index(number), index(stride)))
    start = pointer(array)
    to_bytes = ir.Pointer(BYTE)
    return ir.Cast(span, start.type, ir.Binary(span, to_bytes, "+", ir.Cast(span, to_bytes, start), by))


def wrapped(number: Number, extent: Number, span: Span) -> Number:
    """Return an index from the array's start: one below zero counts from its end."""
    if number.is_natural or number.type.kind is ScalarKind.UNSIGNED:
        return number
    if isinstance(number.constant, int):
        return combined(span, "+", extent, number)
    arguments = (index(number), index(extent))
    e = ir.Call(number.expression.span, INDEX, "", None, arguments, intrinsic=ir.Intrinsic.WRAPPED_INDEX)
    return Number(e, INT64, is_natural=True)


def unknown_index(low: Lowering, node: ast.expr, value: Value) -> Number:
    """Return an index that is not followed."""
    return Number(unresolved(value, INDEX, low.span(node)), INT64, is_natural=True)
