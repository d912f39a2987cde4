"""Views: the part of an array that fewer indices than axes, or slices, leave."""

from __future__ import annotations

import ast
from dataclasses import replace

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.python.numba.lowering import elements
from coalint.frontend.python.numba.lowering.build import INDEX, combined, constant, index
from coalint.frontend.python.numba.lowering.components import strides
from coalint.frontend.python.numba.lowering.state import Lowering, unresolved
from coalint.frontend.python.numba.types import INT64, Layout, ir_type
from coalint.frontend.python.numba.values import ArrayValue, Dotted, Nothing, Number, Slice, Unknown, Value


def view(low: Lowering, node: ast.expr, array: ArrayValue, at: tuple[Value, ...]) -> Value:
    """Return `array[at]`: of an element where an index is not followed, its place is not known."""
    at = _without_ellipsis(at, array.type.ndim)
    if len(at) > array.type.ndim:
        return low.unknown("more indices than the array has axes", array, *at)
    unknown = [one for one in at if not isinstance(one, Slice) and not _is_index(one)]
    if unknown and not all(isinstance(one, Unknown) for one in unknown):
        return low.unknown("an index that is not an integer is not followed", array, *at)
    known = tuple(elements.unknown_index(low, node, one) if isinstance(one, Unknown) else one for one in at)
    if len(known) == array.type.ndim and not any(isinstance(one, Slice) for one in known):
        return elements.element(low, node, array, tuple(one for one in known if isinstance(one, Number)))
    return _cut(low, node, array, known)


def _is_index(value: Value) -> bool:
    return isinstance(value, Number) and value.type.is_integer


def _without_ellipsis(at: tuple[Value, ...], ndim: int) -> tuple[Value, ...]:
    places = [place for place, one in enumerate(at) if isinstance(one, Dotted) and one.name == "builtins.Ellipsis"]
    if not places:
        return at
    missing = (Slice(None, None, None),) * max(0, ndim - len(at) + 1)
    return (*at[: places[0]], *missing, *at[places[0] + 1 :])


def _cut(low: Lowering, node: ast.expr, array: ArrayValue, at: tuple[Value, ...]) -> Value:
    span = low.span(node)
    at = (*at, *(Slice(None, None, None),) * (array.type.ndim - len(at)))
    base = array.base
    if isinstance(base.type, ir.Array) and _only_leading(at):
        numbers = [one for one in at if isinstance(one, Number)]
        for number, extent in zip(numbers, array.shape, strict=False):
            assert isinstance(base.type, ir.Array)
            wrapped = elements.wrapped(number, extent, span)
            base = ir.Subscript(span, base.type.element, base, index(wrapped))
        kept = len(numbers)
        return ArrayValue(base, replace(array.type, extents=array.type.extents[kept:]), array.shape[kept:])
    begins: list[Number] = []
    shape: list[Number] = []
    steps: list[Number] = []
    extents: list[int | None] = []
    for one, extent, stride in zip(at, array.shape, strides(array, span), strict=True):
        if isinstance(one, Number):
            begins.append(one)
            continue
        assert isinstance(one, Slice)
        first, count, step = bounds(low, node, one, extent)
        begins.append(first)
        shape.append(count)
        steps.append(combined(span, "*", stride, step))
        extents.append(count.constant if isinstance(count.constant, int) else None)
    flat = ArrayValue(base, array.type, array.shape, array.strides)
    start = ir.AddressOf(span, ir.Pointer(ir_type(array.type.item)), elements.item(low, flat, tuple(begins), span))
    layout = _layout(array.type.layout, at)
    type_ = replace(array.type, layout=layout, extents=tuple(extents))
    return ArrayValue(start, type_, tuple(shape), tuple(steps) if layout is Layout.ANY else ())


def _only_leading(at: tuple[Value, ...]) -> bool:
    kinds = [isinstance(one, Number) for one in at]
    count = sum(kinds)
    return all(kinds[:count]) and all(_is_whole(one) for one in at[count:])


def _is_whole(one: Value) -> bool:
    return isinstance(one, Slice) and one.first is None and one.last is None and one.step is None


def _is_run(one: Value) -> bool:
    return isinstance(one, Slice) and (one.step is None or (isinstance(one.step, Number) and one.step.constant == 1))


def _layout(layout: Layout, at: tuple[Value, ...]) -> Layout:
    """Return what is left of an array's order: C for leading single indices, then a run of rows, then whole rows."""
    order = at if layout is Layout.C else tuple(reversed(at))
    left = [one for one in order if isinstance(one, Slice)]
    leading = all(isinstance(one, Number) for one in order[: len(order) - len(left)])
    if layout is not Layout.ANY and leading and left and _is_run(left[0]) and all(map(_is_whole, left[1:])):
        return layout if len(left) > 1 else Layout.C
    return Layout.ANY


def bounds(low: Lowering, node: ast.expr, one: Slice, extent: Number) -> tuple[Number, Number, Number]:
    """Return the first index, the number of indices and the step of a slice, which is taken to lie in the array."""
    span = low.span(node)
    step = _number(low, node, one.step, constant(span, 1))
    backwards = isinstance(step.constant, int) and step.constant < 0
    last_index = combined(span, "-", extent, constant(span, 1))
    first = _number(low, node, one.first, last_index if backwards else constant(span, 0))
    first = elements.wrapped(first, extent, span) if one.first is not None else replace(first, is_natural=True)
    if backwards:
        stop = _number(low, node, one.last, constant(span, -1))
        stop = stop if one.last is None else elements.wrapped(stop, extent, span)
        whole = combined(span, "-", first, stop)
    else:
        stop = _number(low, node, one.last, extent)
        if one.last is not None:
            stop = _least(low, elements.wrapped(stop, extent, span), extent, span)
        whole = combined(span, "-", stop, first)
    if step.constant == 1:
        return first, replace(whole, is_natural=True), step
    size = abs(step.constant) if isinstance(step.constant, int) and step.constant else None
    if size is None:
        e = ir.Unresolved(span, INDEX, "how many elements a slice with an unknown step has", ())
        return first, Number(e, INT64, is_natural=True), step
    if isinstance(whole.constant, int):
        return first, constant(span, max(0, -(-whole.constant // size))), step
    up = combined(span, "+", whole, constant(span, size - 1))
    count = ir.Binary(span, INDEX, "/", index(up), ir.Literal(span, INDEX, size))
    return first, Number(count, INT64, is_natural=True), step


def _least(low: Lowering, a: Number, b: Number, span: Span) -> Number:
    if isinstance(a.constant, int) and isinstance(b.constant, int):
        return constant(span, min(a.constant, b.constant))
    e = ir.Call(span, INDEX, "min", None, (index(a), index(b)), intrinsic=ir.Intrinsic.MINIMUM)
    return Number(e, INT64, is_natural=True)


def _number(low: Lowering, node: ast.expr, value: Value | None, default: Number) -> Number:
    if value is None or isinstance(value, Nothing):
        return default
    if isinstance(value, Number) and value.type.is_integer:
        return value
    return Number(unresolved(value, INDEX, low.span(node)), INT64, is_natural=True)
