"""Structured bindings, `auto &[a, b] = object;`: names for the parts of an object that has none ([dcl.struct.bind])."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clang.cindex import CursorKind as K

from coalint import ir
from coalint.diagnostics import Span
from coalint.frontend import classes
from coalint.frontend.clang import Node

if TYPE_CHECKING:
    from coalint.frontend.lower import Lowering

_NOT_FOLLOWED = "what a structured binding names is not followed"


def is_declared(node: Node) -> bool:
    """Whether a node declares structured bindings: libclang has no kind for them, and gives `[a, b]` as the name."""
    return node.kind == K.UNEXPOSED_DECL.value and str(node.cursor.spelling).startswith("[")


def declared(low: Lowering, node: Node, value: ir.Expression | None) -> ir.Statement:
    """The object, made of `value`, and its parts by their names; these are unknown where they are not its members."""
    span, type_ = low.locations.span(node.cursor), low.types.of(node.cursor)
    names = [child.cursor for child in node.children if child.kind == K.UNEXPOSED_DECL.value]
    held = low.fresh("object", type_, span)
    whole = ir.Name(span, type_.target if isinstance(type_, ir.Reference) else type_, held)
    parts = [] if value is None else _parts(low, node.cursor, whole, span)
    fitting = len(parts) == len(names) and all(
        low.types.of(name) in (part.type, ir.Reference(part.type)) for name, part in zip(names, parts, strict=True)
    )
    if not fitting:  # a tuple, or nothing that is known
        return ir.Block(span, tuple(_unknown(low, name) for name in names))
    bound = [_bound(low, name, part) for name, part in zip(names, parts, strict=True)]
    return ir.Block(span, (ir.Declare(span, held, value), *bound))


def _unknown(low: Lowering, name: Any) -> ir.Statement:
    variable, span = low.variable(name), low.locations.span(name)
    type_ = variable.type.target if isinstance(variable.type, ir.Reference) else variable.type
    own = ir.Variable(variable.key, variable.name, type_, ir.Storage.LOCAL, variable.span)
    return ir.Declare(span, own, ir.Unresolved(span, type_, _NOT_FOLLOWED))


def _bound(low: Lowering, name: Any, part: ir.Expression) -> ir.Statement:
    variable = low.variable(name)
    own = ir.Variable(variable.key, variable.name, ir.Reference(part.type), ir.Storage.LOCAL, variable.span)
    return ir.Declare(low.locations.span(name), own, part)


def _parts(low: Lowering, cursor: Any, whole: ir.Expression, span: Span) -> list[ir.Expression]:
    """The elements of an array, or the members of a class, in their order; none where these are not known."""
    type_ = cursor.type.get_canonical()
    if isinstance(low.types.lower(type_), ir.Reference):
        type_ = type_.get_pointee().get_canonical()
    if isinstance(whole.type, ir.Array):
        index, element = ir.Integer(64, True), whole.type.element
        count = whole.type.count or 0
        return [ir.Subscript(span, element, whole, ir.Literal(span, index, at)) for at in range(count)]
    record = classes.record_of(type_)
    if record is None or classes.is_union(record):
        return []
    return [_member(low, record, field, whole, span) for field in classes.fields(record)]


def _member(low: Lowering, record: Any, field: Any, whole: ir.Expression, span: Span) -> ir.Expression:
    offset, bits, type_ = low.layout.offset_in(record, field), low.layout.bit_bytes(field), low.types.of(field)
    if isinstance(type_, ir.Reference):
        pointer = ir.Member(span, ir.Pointer(type_.target), whole, field.spelling, offset)
        return ir.Dereference(span, type_.target, pointer)
    return ir.Member(span, type_, whole, field.spelling, offset, bits)
