"""Members of objects, and the object of a method."""

from __future__ import annotations

from typing import Any

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.conversions import record_held
from coalint.frontend.cuda.lowering.objects import classes
from coalint.frontend.cuda.lowering.references import enumerator, function_held

_AXES = {axis.value: axis for axis in ir.AXES}

_PROPERTIES = {"warpSize": ir.Register.WARP_SIZE, "warp_size": ir.Register.WARP_SIZE}
"""The special registers that a device's properties give to host code, by the names of the fields."""


def member(low: Context, node: CursorNode) -> ir.Expression:
    """Lower a member: a field, a component of a special register, a static variable."""
    parts = low.expressions.parts(node)
    field = low.lib.clang_getCursorReferenced(node.cursor)
    span, type_ = low.expressions.span(node), low.expressions.type(node)
    if field is not None and field._kind_id == kinds.VAR_DECL:  # a static member
        reason = low.stub(field)
        if reason:
            return ir.Unresolved(span, type_, reason, tuple(low.expressions.lower(part) for part in parts))
        variable = low.variable(field)
        return function_held(low, field, variable) or ir.Name(span, variable.type, variable)
    if field is not None and field._kind_id == kinds.ENUM_CONSTANT_DECL:
        return enumerator(low, node, field)
    owner: ir.Expression
    of = classes.around(field)
    if parts:
        owner = low.expressions.lower(parts[0])
        axis = _AXES.get(node.cursor.spelling)
        if isinstance(owner, ir.Builtin) and owner.register is not ir.Register.WARP_SIZE and axis is not None:
            return ir.Builtin(span, type_, owner.register, axis)
        if field is not None and of != field.semantic_parent:
            of = record_held(parts[0].cursor, isinstance(owner.type, ir.Pointer))
        if isinstance(owner.type, ir.Pointer):
            owner = ir.Dereference(owner.span, owner.type.pointee, owner)
    elif low.this is not None and isinstance(low.this.type, ir.Pointer):
        owner = low.within(this_object(low, span), low.this_class, of)
    else:
        return ir.Unresolved(span, type_, f"`{node.cursor.spelling}` is a member of something unknown")
    if field is not None and isinstance(low.types.of(field), ir.Reference):
        return field_of(low, field, of, owner, span)
    offset, bits = low.layout.offset_in(of, field), low.layout.bit_bytes(field)
    name = _name(node.cursor)
    return ir.Member(span, type_, owner, name, offset, bits, _PROPERTIES.get(name))


def field_of(low: Context, field: Any, of: Any, owner: ir.Expression, span: Span) -> ir.Expression:
    """Return a field of an object of the class `of`: a reference is what its pointer leads to."""
    offset, bits = low.layout.offset_in(of, field), low.layout.bit_bytes(field)
    type_ = low.types.of(field)
    if isinstance(type_, ir.Reference):
        pointer = ir.Member(span, ir.Pointer(type_.target), owner, field.spelling, offset)
        return ir.Dereference(span, type_.target, pointer)
    return ir.Member(span, type_, owner, _name(field), offset, bits)


def _name(field: Any) -> str:
    """Return the name of a field; that of a nameless struct or union, whose type libclang spells, is empty."""
    name = str(field.spelling)
    return "" if "(" in name and not name.startswith("operator") else name


def this_object(low: Context, span: Span) -> ir.Expression:
    """Return the object of a method: `*this`."""
    this = low.this
    assert this is not None
    assert isinstance(this.type, ir.Pointer)
    return ir.Dereference(span, this.type.pointee, ir.Name(span, this.type, this))
