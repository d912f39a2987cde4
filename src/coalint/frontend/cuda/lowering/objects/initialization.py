"""Expressions that make objects: braced lists, and constructors that the compiler makes."""

from __future__ import annotations

from dataclasses import replace

from coalint.core import ir
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.objects.braced_lists import Object, is_designator
from coalint.frontend.cuda.lowering.objects.known_layout import Unknown
from coalint.frontend.cuda.lowering.objects.parts import MOST_LEAVES


def braced(low: Context, node: CursorNode) -> ir.Expression:
    """Return a braced list where it stands as an expression."""
    span, type_ = low.locations.span(node.cursor), low.types.of(node.cursor)
    nodes = low.expressions.parts(node)
    reason = ""
    if isinstance(type_, ir.Other):
        if len(nodes) == 1:
            return low.expressions.lower(nodes[0])
        reason = type_.reason or "an expression that libclang could not resolve"
    else:
        try:
            return Object(low, node.cursor.type, span).given(node)
        except Unknown as unknown:
            reason = unknown.reason
    values = [inner.children[-1] if is_designator(inner) else inner for inner in nodes]
    return ir.Unresolved(span, type_, reason, tuple(map(low.expressions.lower, values)))


def made_by_compiler(low: Context, node: CursorNode) -> ir.Expression | None:
    """Return what the constructor gives that the compiler makes for a class, called for no arguments.

    None if not known.
    """
    span = low.locations.span(node.cursor)
    lines = low.locations.lines(span.file)
    end = lines[span.end_line - 1][: span.end_column - 1][-1:] if span.end_line <= len(lines) else ""
    named = any(child.kind in (kinds.TYPE_REF, kinds.TEMPLATE_REF) for child in node.children)
    made = Object(low, node.cursor.type, span)
    try:
        return made.value() if named or end in (")", "}") else made.default()
    except Unknown:
        return None


def of_each_element(call: ir.Call) -> ir.Expression:
    """Return a constructor's call for every element of an array, where they are few."""
    element = call.type
    while isinstance(element, ir.Array):
        element = element.element
    if element is call.type or not 0 < call.type.size <= MOST_LEAVES * element.size:
        return call
    one = replace(call, type=element)
    places = range(0, call.type.size, element.size)
    return ir.Aggregate(call.span, call.type, tuple((at, one) for at in places))
