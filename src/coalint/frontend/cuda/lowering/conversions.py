"""Conversions, written or implicit, among them those between a class and its bases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from coalint.core import ir
from coalint.frontend.cuda.libclang import type_kinds
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering.context import Context

POINTER_BITS = 64


def implicit(low: Context, node: CursorNode) -> ir.Expression:
    """Lower what libclang shows no kind of: an implicit conversion, or a call that it does not resolve."""
    parts = low.expressions.parts(node)
    type_ = low.expressions.type(node)
    if len(parts) != 1:
        return low.calls.recovered(node, parts) or low.expressions.unknown(node)
    inner = _converted(low, node, parts[0], low.expressions.lower(parts[0]))
    if isinstance(type_, ir.Record) and isinstance(inner.type, ir.Array):
        return _as_list(low, type_, inner, inner.type)
    if inner.type == type_ or (isinstance(type_, ir.Reference) and inner.type == type_.target):
        return inner
    if isinstance(type_, ir.Other) and not type_.size:
        return inner
    if (
        (isinstance(inner, ir.Literal) and inner.value is not None and isinstance(type_, ir.Integer) and type_.bits > 1)
        and inner.value >= 0
        and inner.value < 1 << (type_.bits - 1)
    ):
        return ir.Literal(inner.span, type_, inner.value)
    return ir.Cast(inner.span, type_, inner)


def _as_list(low: Context, type_: ir.Record, elements: ir.Expression, array: ir.Array) -> ir.Expression:
    """Return a `std::initializer_list`, which alone an array becomes: where its elements begin, and their number."""
    span, size = elements.span, ir.Integer(POINTER_BITS, signed=False)
    held = low.fresh("list", array, span)
    first = ir.Subscript(span, array.element, ir.Name(span, array, held), ir.Literal(span, size, 0))
    begins = ir.AddressOf(span, ir.Pointer(array.element), first)
    number = ir.Literal(span, size, array.size // array.element.size if array.element.size else 0)
    made = ir.Aggregate(span, type_, ((0, begins), (POINTER_BITS // 8, number)))
    return ir.Sequence(span, type_, (ir.Declare(span, held, elements),), made)


def cast(low: Context, node: CursorNode) -> ir.Expression:
    """Lower a conversion that is written."""
    parts = low.expressions.parts(node)
    if not parts:
        return low.expressions.unknown(node)
    inner = _converted(low, node, parts[-1], low.expressions.lower(parts[-1]))
    type_ = low.expressions.type(node)
    of = low.expressions.type(parts[-1])
    if isinstance(of, ir.Other) and of.reason and isinstance(type_, ir.Integer | ir.Floating):
        return ir.Unresolved(low.expressions.span(node), type_, of.reason, (inner,))  # of an enumeration's value
    if isinstance(type_, ir.Reference):
        type_ = type_.target
    is_made = isinstance(inner, ir.Aggregate | ir.Sequence) or (isinstance(inner, ir.Call) and inner.constructor)
    if is_made and inner.type == type_:
        return inner
    return ir.Cast(low.expressions.span(node), type_, inner)


def _converted(low: Context, node: CursorNode, part: CursorNode, inner: ir.Expression) -> ir.Expression:
    """Return an object, or a pointer to one, that a cast takes for one of its base classes or derived classes."""
    pointer = inner.type if isinstance(inner.type, ir.Pointer) else None
    if not isinstance(pointer.pointee if pointer is not None else inner.type, ir.Record):
        return inner
    of, to = record_held(part.cursor, pointer is not None), record_held(node.cursor, pointer is not None)
    if of is None or to is None or of == to:
        return inner
    if pointer is None:
        return low.within(inner, of, to)
    target = ir.Dereference(inner.span, pointer.pointee, inner)
    converted = low.within(target, of, to)
    if isinstance(converted, ir.Unresolved):
        return replace(converted, type=ir.Pointer(converted.type))
    return inner if converted is target else ir.AddressOf(inner.span, ir.Pointer(converted.type), converted)


def record_held(cursor: Any, pointer: bool) -> Any:
    """Return the class that an expression's value has, or points to; None where it is none."""
    type_ = cursor.type.get_canonical()
    if pointer:
        type_ = type_.get_pointee().get_canonical()
    return type_.get_declaration() if type_._kind_id == type_kinds.RECORD else None
