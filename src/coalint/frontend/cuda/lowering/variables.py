"""Declarations to variables: their types, where they live, and whether their value is known."""

from __future__ import annotations

import re
from typing import Any

from clang.cindex import CursorKind as K
from clang.cindex import StorageClass, TypeKind, conf

from coalint.core import ir
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.libclang.trees import direct_children
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.cursors import runs_on_device
from coalint.frontend.cuda.lowering.tables import numbers
from coalint.frontend.cuda.repair import shared_constructors

_CHANGEABLE = re.compile(r"^(?!.*\bconst\b).*[\w>]\s*&\s*\w*\s*$", re.S)  # a parameter that is a reference


def keeps_its_value(locations: Locations, cursor: Any) -> bool:
    """Whether a variable outside of functions is a constant, or one of this file alone that nothing assigns to."""
    if _is_constant(cursor):
        return True
    span = locations.span(cursor)
    if span.file != locations.path:
        return False
    lines = locations.lines(span.file)
    rest = "\n".join((*lines[: span.line - 1], *lines[span.end_line :]))
    if cursor.storage_class != StorageClass.STATIC and not re.search(r"\bmain\s*\(", rest):
        return False
    name = rf"\b{re.escape(cursor.spelling)}\b"
    part = r"(?:\s*\.\s*\w+|\s*\[[^\]]*\])*\s*"
    changed = rf"{name}{part}(?:=(?!=)|[-+*/%&|^]=|<<=|>>=|\+\+|--)|(?:&|\+\+|--|>>)\s*{name}"
    return re.search(changed, rest) is None and not _passed_by_reference(cursor.spelling, rest)


def _is_constant(cursor: Any) -> bool:
    """Whether a variable is constant, or an array of constants."""
    type_ = conf.lib.clang_getCursorType(cursor).get_canonical()
    while type_.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY) and not type_.is_const_qualified():
        type_ = type_.element_type
    return bool(type_.is_const_qualified())


def is_linked(cursor: Any) -> bool:
    """Whether a variable outside of functions is one that other files of the program may change."""
    return not _is_constant(cursor) and cursor.storage_class != StorageClass.STATIC


def _passed_by_reference(name: str, text: str) -> bool:
    """Whether a variable is an argument of a function of the file that takes references to what it may change."""
    if not re.search(rf"[(,]\s*{re.escape(name)}\s*[,)]", text):
        return False
    calls = rf"\b(\w+)\s*\((?:[^;{{}}()]|\([^;{{}}()]*\))*\b{re.escape(name)}\s*[,)]"
    for called in {match.group(1) for match in re.finditer(calls, text)}:
        for parameters in re.finditer(rf"\b{called}\s*\(([^;{{}}()]*)\)", text):
            if any(_CHANGEABLE.search(parameter) for parameter in parameters.group(1).split(",")):
                return True
    return False


def declared_variable(low: Context, cursor: Any, key: str) -> ir.Variable:
    """Return the variable that a declaration declares; `key` tells it from all others."""
    type_ = low.types.of(cursor)
    if low.unknown_names is not None:
        reason = low.unknown_names.of_declaration(cursor)
        if reason:
            type_ = _unknown_type(type_, reason)
    kind = cursor._kind_id
    storage = ir.Storage.PARAMETER if kind == K.PARM_DECL.value else ir.Storage.LOCAL
    constant: int | None = None
    if kind == K.PARM_DECL.value and isinstance(type_, ir.Array):
        type_ = ir.Pointer(type_.element)
    if kind == K.VAR_DECL.value:
        children = direct_children(cursor)
        attributes = {child._kind_id for child in children}
        if K.CUDASHARED_ATTR.value in attributes or any(map(shared_constructors.is_mark, children)):
            storage = ir.Storage.SHARED
        elif K.CUDACONSTANT_ATTR.value in attributes:
            storage = ir.Storage.CONSTANT
        elif K.CUDADEVICE_ATTR.value in attributes:
            storage = ir.Storage.GLOBAL
        elif cursor.semantic_parent is not None and cursor.semantic_parent._kind_id not in (
            K.FUNCTION_DECL.value,
            K.CXX_METHOD.value,
            K.CONSTRUCTOR.value,
            K.CONVERSION_FUNCTION.value,
            K.FUNCTION_TEMPLATE.value,
        ):
            storage = ir.Storage.HOST
        elif (
            cursor.storage_class == StorageClass.STATIC
            and not conf.lib.clang_getCursorType(cursor).is_const_qualified()
        ):  # keeps what threads or calls before have left in it
            storage = ir.Storage.GLOBAL if runs_on_device(cursor.semantic_parent) else ir.Storage.HOST
        if isinstance(type_, ir.Integer) and conf.lib.clang_getCursorType(cursor).is_const_qualified():
            constant = None if low.of_constant(cursor) else low.evaluated(cursor)
    elif kind == K.TEMPLATE_NON_TYPE_PARAMETER.value:
        storage = ir.Storage.TEMPLATE
    elif kind != K.PARM_DECL.value:
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
        numbers=numbers(low, cursor, type_, storage, is_constant=_is_constant),
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
