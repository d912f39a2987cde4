"""Subscripts: items of tuples, elements and views of arrays, fields of records, launches' configurations."""

from __future__ import annotations

import ast
from dataclasses import replace

from coalint.core import ir
from coalint.frontend.python.numba.lowering import elements, records, views
from coalint.frontend.python.numba.lowering.build import INDEX, index
from coalint.frontend.python.numba.lowering.conditions import chosen
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.types import BOOLEAN, ir_type
from coalint.frontend.python.numba.values import (
    ArrayValue,
    FunctionValue,
    Number,
    RecordValue,
    Slice,
    Text,
    TupleValue,
    Unknown,
    Value,
)


def subscript(low: Lowering, node: ast.expr, base: Value, at: Value) -> Value:
    """Return `base[at]`."""
    match base, at:
        case TupleValue(), _:
            return _item(low, node, base, at)
        case ArrayValue(), Text():
            return records.column(low, node, base, at.text)
        case RecordValue(), Text():
            return records.field(low, node, base, at.text)
        case ArrayValue(), _:
            return element_or_view(low, node, base, at.items if isinstance(at, TupleValue) else (at,))
        case FunctionValue(), _:
            return replace(base, configured=at.items if isinstance(at, TupleValue) else (at,))
        case Unknown(), _:
            return low.unknown(base.reason, base, at)
    return low.unknown("this subscript is not followed", base, at)


def _item(low: Lowering, node: ast.expr, base: TupleValue, at: Value) -> Value:
    items = base.items
    match at:
        case Number() if isinstance(at.constant, int):
            if -len(items) <= at.constant < len(items):
                return items[at.constant]
            return low.unknown("an item that the tuple does not have", base)
        case Slice():
            bounds = _constants(at)
            if bounds is not None:
                return TupleValue(items[bounds])
        case Number() if items:
            item = items[-1]
            for place in range(len(items) - 2, -1, -1):
                span = low.span(node)
                e = ir.Binary(span, ir_type(BOOLEAN), "==", index(at), ir.Literal(span, INDEX, place))
                item = chosen(low, node, e, items[place], item)
            return item
    return low.unknown("this item of a tuple is not followed", base, at)


def _constants(at: Slice) -> slice[int | None, int | None, int | None] | None:
    """Return a slice whose bounds the source says; None where it does not."""
    bounds: list[int | None] = []
    for part in (at.first, at.last, at.step):
        known = part.constant if isinstance(part, Number) else None
        if part is not None and not isinstance(known, int):
            return None
        bounds.append(known if isinstance(known, int) else None)
    return slice(bounds[0], bounds[1], bounds[2])


def element_or_view(low: Lowering, node: ast.expr, array: ArrayValue, at: tuple[Value, ...]) -> Value:
    """Return an element of an array, or the part of it that the indices leave."""
    if len(at) == array.type.ndim and all(isinstance(one, Number) and one.type.is_integer for one in at):
        return elements.element(low, node, array, tuple(one for one in at if isinstance(one, Number)))
    return views.view(low, node, array, at)
