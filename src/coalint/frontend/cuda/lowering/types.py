"""libclang's types to IR types."""

from __future__ import annotations

import os
import re
from typing import Any

from clang.cindex import TypeKind, conf

from coalint.core import ir
from coalint.frontend.cuda.build.include_folders import INCLUDE
from coalint.frontend.cuda.libclang import type_kinds
from coalint.frontend.cuda.lowering.unknown_names import UnknownNames

_SIGNED = {
    type_kinds.CHAR_S: 8,
    type_kinds.SCHAR: 8,
    type_kinds.WCHAR: 32,
    type_kinds.SHORT: 16,
    type_kinds.INT: 32,
    type_kinds.LONG: 64,
    type_kinds.LONGLONG: 64,
    TypeKind.INT128.value: 128,
}
_UNSIGNED = {
    type_kinds.BOOL: 1,
    type_kinds.CHAR_U: 8,
    type_kinds.UCHAR: 8,
    TypeKind.CHAR16.value: 16,
    TypeKind.CHAR32.value: 32,
    type_kinds.USHORT: 16,
    type_kinds.UINT: 32,
    type_kinds.ULONG: 64,
    type_kinds.ULONGLONG: 64,
    TypeKind.UINT128.value: 128,
}
_FLOATING = {type_kinds.FLOAT, type_kinds.DOUBLE, type_kinds.LONGDOUBLE, type_kinds.HALF, 32, 39}
_BUNDLED = os.path.join(os.path.realpath(INCLUDE), "")
_WORDS = re.compile(r"(?:float|u?int)[1-4]")
_THREE = re.compile(r"(?P<base>u?(?:char|short|int)|float)3")
_QUALIFIERS = re.compile(r"\b(?:const|volatile|struct) ")
_NAMELESS = re.compile(r"\((?:unnamed|anonymous|lambda)\b.* at ")
_LIBRARIES = ("curand", "coalint_")
"""How the names of records begin whose layout is a library's."""
_ACCESSOR = "TensorAccessor"
_EXTENTS = frozenset({"uint3", "dim3"})
_POINTER = {type_kinds.POINTER, type_kinds.MEMBERPOINTER, type_kinds.NULLPTR}
_REFERENCE = {type_kinds.LVALUEREFERENCE, type_kinds.RVALUEREFERENCE}


class Types:
    """Lowers types of one translation unit, each once."""

    def __init__(self, unknown_names: UnknownNames | None = None) -> None:
        self._known: dict[tuple[int, Any], ir.Type] = {}
        self._unknown_names = unknown_names

    def of(self, cursor: Any) -> ir.Type:
        """Return the type of a cursor."""
        return self.lower(conf.lib.clang_getCursorType(cursor))

    def lower(self, type_: Any) -> ir.Type:
        """Return an IR type; Other with size 0 for what libclang could not resolve."""
        key = (type_._kind_id, type_.data[0])
        lowered = self._known.get(key)
        if lowered is None:
            self._known[key] = ir.Other("recursive")
            lowered = self._known[key] = self._lower(type_)
        return lowered

    def _lower(self, type_: Any) -> ir.Type:
        canonical = type_.get_canonical()
        kind = canonical._kind_id
        if kind in _SIGNED:
            return ir.Integer(_SIGNED[kind], True)
        if kind in _UNSIGNED:
            return ir.Integer(_UNSIGNED[kind], False)
        if kind in _FLOATING:
            return ir.Floating(max(0, canonical.get_size()))
        if kind in _POINTER:
            pointee = canonical.get_pointee()
            return ir.Pointer(self.lower(pointee) if pointee._kind_id else ir.Other("void"))
        if kind in _REFERENCE:
            return ir.Reference(self.lower(canonical.get_pointee()))
        if kind == type_kinds.CONSTANTARRAY:
            return ir.Array(self.lower(canonical.element_type), canonical.element_count)
        if kind in (type_kinds.INCOMPLETEARRAY, type_kinds.VARIABLEARRAY, type_kinds.DEPENDENTSIZEDARRAY):
            return ir.Array(self.lower(canonical.element_type), None)
        if kind == type_kinds.ENUM:
            reason = self._unknown_names.of_type(canonical) if self._unknown_names is not None else ""
            return ir.Other(canonical.spelling, reason=reason) if reason else self._enumeration(canonical)
        if kind in (type_kinds.RECORD, type_kinds.VECTOR):
            size = canonical.get_size()
            if self._unknown_names is not None:
                reason = self._unknown_names.of_type(canonical)
                if reason:
                    return ir.Other(type_.get_declaration().spelling or canonical.spelling, reason=reason)
            if size > 0:
                name = type_.get_declaration().spelling or canonical.spelling
                if _ACCESSOR in canonical.spelling:  # of many types and ranks in one file, some of them of one size
                    name = canonical.spelling
                is_library = name.startswith(_LIBRARIES) or canonical.spelling.startswith(_LIBRARIES)
                return _record(name, size, canonical.get_align(), _declared(canonical.get_declaration()), is_library)
        return ir.Other(canonical.spelling)  # asking for the size of a placeholder type would end the process

    def _enumeration(self, canonical: Any) -> ir.Type:
        underlying = canonical.get_declaration().enum_type
        lowered = self.lower(underlying) if underlying._kind_id else ir.Integer(32, True)
        return lowered if isinstance(lowered, ir.Integer) else ir.Integer(32, True)


def _declared(declaration: Any) -> str:
    """Return where a record of the user's is declared, as a real path and a line; empty for the language's own."""
    location = declaration.location
    name = "" if location.file is None else str(location.file.name)
    file = os.path.realpath(name) if name and not name.startswith(_BUNDLED) else ""
    return f"{file}:{location.line}" if file and not file.startswith(_BUNDLED) else ""


def _record(name: str, size: int, align: int, declared: str, is_library: bool) -> ir.Record:
    is_volatile = "volatile" in name
    name = _QUALIFIERS.sub("", name)
    three = _THREE.fullmatch(name)
    return ir.Record(
        name=name,
        size=size,
        align=max(1, align),
        is_volatile=is_volatile,
        has_word_lanes=_WORDS.fullmatch(name) is not None,
        holds_extents=name in _EXTENTS,
        layout=ir.Layout.LIBRARY if is_library else ir.Layout.DECLARED,
        is_nameless=_NAMELESS.search(name) is not None,
        wider_vector=f"{three['base']}4" if three is not None else "",
        declared=declared,
    )


def is_floating_record(name: str) -> bool:
    """Whether a record is a floating-point number in disguise (half precision and its kin)."""
    return name in {"__half", "half", "__nv_bfloat16", "nv_bfloat16", "__nv_fp8_e4m3", "__nv_fp8_e5m2"}
