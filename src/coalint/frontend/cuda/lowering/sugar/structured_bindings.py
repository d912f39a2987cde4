"""Structured bindings: a nameless variable, and names for its members or elements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from coalint.core import ir
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering import members
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.objects import classes

NOT_FOLLOWED = "what a structured binding names is not followed"
MOST_IN_ROW = 12  # elements that coalint_values in coalint/std_core.h holds side by side
MOST_ELEMENTS = 16  # of an array that is copied one by one


def is_declared(node: CursorNode) -> bool:
    """Whether a node declares `auto [a, b]`: libclang has no kind for it, and gives `[a, b]` as the name."""
    return node.kind == kinds.UNEXPOSED_DECL and str(node.cursor.spelling).startswith("[")


def declared(low: Context, node: CursorNode, value: ir.Expression | None) -> ir.Statement:
    """Return the declaration of the nameless variable, made of `value`; remembers what the names stand for."""
    span = low.locations.span(node.cursor)
    variable = replace(low.variable(node.cursor), storage=ir.Storage.LOCAL)
    names = [child.cursor for child in node.children if child.kind == kinds.UNEXPOSED_DECL]
    if value is not None and isinstance(variable.type, ir.Array):
        value = _copied(value, variable.type)
    type_ = variable.type.target if isinstance(variable.type, ir.Reference) else variable.type
    whole = ir.Name(span, type_, variable)
    parts = list(_parts(low, node.cursor, names, whole))
    if len(parts) != len(names):
        by_reference = isinstance(variable.type, ir.Reference)
        parts = [_unknown(low.types.of(name), whole, by_reference) for name in names]
    bound = (_bound(low, name, part) for name, part in zip(names, parts, strict=True))
    return ir.Block(span, (ir.Declare(span, variable, value), *bound))


def _bound(low: Context, name: Any, part: ir.Expression) -> ir.Statement:
    variable = replace(low.variable(name), type=ir.Reference(part.type), storage=ir.Storage.LOCAL)
    return ir.Declare(low.locations.span(name), variable, part)


def _copied(array: ir.Expression, type_: ir.Array) -> ir.Expression:
    """Return an array by value."""
    count, size = type_.count or 0, type_.element.size
    while isinstance(array, ir.Cast):
        array = array.operand
    if not 0 < count <= MOST_ELEMENTS:
        return ir.Unresolved(array.span, type_, NOT_FOLLOWED, (array,))
    return ir.Aggregate(array.span, type_, tuple((size * i, _element(array, type_, i)) for i in range(count)))


def _element(array: ir.Expression, type_: ir.Array, position: int) -> ir.Expression:
    index = ir.Literal(array.span, ir.Integer(64, True), position)
    return ir.Subscript(array.span, type_.element, array, index)


def _parts(low: Context, cursor: Any, names: list[Any], whole: ir.Expression) -> Iterator[ir.Expression]:
    """Yield what the names stand for, in their order; nothing where that is not known."""
    if isinstance(whole.type, ir.Array):
        yield from (_element(whole, whole.type, position) for position in range(whole.type.count or 0))
        return
    type_ = cursor.type.get_canonical()
    record = classes.record_of(type_.get_pointee() if isinstance(low.types.of(cursor), ir.Reference) else type_)
    if record is None:
        return
    if any("tuple_element" in name.type.spelling for name in names):
        if low.is_bundled(record):
            yield from _of_tuple(low, record, whole)
        return
    owner = record
    while not classes.fields(owner):
        bases = [base for base, _ in low.bases.parents(owner) if base is not None]
        if len(bases) != 1:
            return
        owner = bases[0]
    object_ = low.within(whole, record, owner)
    yield from (members.field_of(low, field, owner, object_, whole.span) for field in classes.fields(owner))


def _of_tuple(low: Context, record: Any, whole: ir.Expression) -> Iterator[ir.Expression]:
    """Yield the elements of std::pair, std::array and std::tuple as coalint's own headers lay them out."""
    fields = classes.fields(record)
    for field in fields:
        part = members.field_of(low, field, record, whole, whole.span)
        if isinstance(part.type, ir.Array) and len(fields) == 1:
            yield from (_element(part, part.type, position) for position in range(part.type.count or 0))
        else:
            yield part
    count = 0 if fields else record.type.get_num_template_arguments()
    end = 0
    for position in range(count if count <= MOST_IN_ROW else 0):
        declared = record.type.get_template_argument_type(position)
        type_ = low.types.lower(declared)
        align = 8 if isinstance(type_, ir.Reference) else declared.get_align()
        if not type_.size or align <= 0:
            return
        at = -(-end // align) * align
        end = at + type_.size
        if isinstance(type_, ir.Reference):
            pointer = ir.Member(whole.span, ir.Pointer(type_.target), whole, f"v{position}", at)
            yield ir.Dereference(whole.span, type_.target, pointer)
        else:
            yield ir.Member(whole.span, type_, whole, f"v{position}", at)


def _unknown(type_: ir.Type, whole: ir.Name, by_reference: bool) -> ir.Expression:
    if isinstance(type_, ir.Reference):
        type_ = type_.target
    if not by_reference:
        return ir.Unresolved(whole.span, type_, NOT_FOLLOWED, (whole,))
    address = ir.AddressOf(whole.span, ir.Pointer(whole.type), whole)
    pointer = ir.Unresolved(whole.span, ir.Pointer(type_), NOT_FOLLOWED, (address,))
    return ir.Dereference(whole.span, type_, pointer)


def declares(node: CursorNode) -> bool:
    """Whether a node declares a variable, or names for the parts of an object."""
    return node.kind == kinds.VAR_DECL or is_declared(node)
