"""Declarations to variables: their types, where they live, and whether their value is known."""

from __future__ import annotations

from typing import Any

from clang.cindex import StorageClass, conf

from coalint.core import ir
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.trees import direct_children
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.cursors import runs_on_device
from coalint.frontend.cuda.lowering.tables import numbers
from coalint.frontend.cuda.repair import shared_constructors


def declared_variable(low: Context, cursor: Any, key: str) -> ir.Variable:
    """Return the variable that a declaration declares; `key` tells it from all others."""
    type_ = low.types.of(cursor)
    if low.unknown_names is not None:
        reason = low.unknown_names.of_declaration(cursor)
        if reason:
            type_ = _unknown_type(type_, reason)
    kind = cursor._kind_id
    storage = ir.Storage.PARAMETER if kind == kinds.PARM_DECL else ir.Storage.LOCAL
    constant: int | None = None
    if kind == kinds.PARM_DECL and isinstance(type_, ir.Array):
        type_ = ir.Pointer(type_.element)
    if kind == kinds.VAR_DECL:
        children = direct_children(cursor)
        attributes = {child._kind_id for child in children}
        if kinds.CUDASHARED_ATTR in attributes or any(map(shared_constructors.is_mark, children)):
            storage = ir.Storage.SHARED
        elif kinds.CUDACONSTANT_ATTR in attributes:
            storage = ir.Storage.CONSTANT
        elif kinds.CUDADEVICE_ATTR in attributes:
            storage = ir.Storage.GLOBAL
        elif cursor.semantic_parent is not None and cursor.semantic_parent._kind_id not in (
            kinds.FUNCTION_DECL,
            kinds.CXX_METHOD,
            kinds.CONSTRUCTOR,
            kinds.CONVERSION_FUNCTION,
            kinds.FUNCTION_TEMPLATE,
        ):
            storage = ir.Storage.HOST
        elif (
            cursor.storage_class == StorageClass.STATIC
            and not conf.lib.clang_getCursorType(cursor).is_const_qualified()
        ):  # keeps what threads or calls before have left in it
            storage = ir.Storage.GLOBAL if runs_on_device(cursor.semantic_parent) else ir.Storage.HOST
        if isinstance(type_, ir.Integer) and conf.lib.clang_getCursorType(cursor).is_const_qualified():
            constant = None if low.of_constant(cursor) else low.evaluated(cursor)
    elif kind == kinds.TEMPLATE_NON_TYPE_PARAMETER:
        storage = ir.Storage.TEMPLATE
    elif kind != kinds.PARM_DECL:
        storage = ir.Storage.PARAMETER
    element = cursor.type.spelling.partition("[")[0].strip() if storage is ir.Storage.SHARED else ""
    return ir.Variable(
        key=key,
        name=cursor.spelling,
        type=type_,
        storage=storage,
        span=low.locations.span(cursor),
        constant=constant,
        type_name=element,
        is_restrict=isinstance(type_, ir.Pointer) and cursor.type.is_restrict_qualified(),
        numbers=numbers(low, cursor, type_, storage),
    )


def _unknown_type(type_: ir.Type, reason: str) -> ir.Type:
    """Return a type that libclang made of an unknown one: pointers and arrays of it stay what they are."""
    match type_:
        case ir.Pointer(pointee=inner):
            return ir.Pointer(_unknown_type(inner, reason))
        case ir.Reference(target=inner):
            return ir.Reference(_unknown_type(inner, reason))
        case ir.Array(element=inner, count=count):
            return ir.Array(_unknown_type(inner, reason), count)
    return ir.Other("an unknown type", reason=reason)
