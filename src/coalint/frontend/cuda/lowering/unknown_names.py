"""What of a translation unit rests on names that nothing declares: types, variables and functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from clang.cindex import TemplateArgumentKind

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang import type_kinds
from coalint.frontend.cuda.libclang.bindings import template_argument_kind
from coalint.frontend.cuda.libclang.trees import CursorNode, direct_children, tree

_UNKNOWN_TYPE = re.compile(
    r"unknown type name|no type named|no template named|unknown class name|unknown template name|expected class name"
)

NO_TYPE = "its type is not declared in any header found"
DEEP = 32
UNSIZED = "coalint_unsized"
"""The name of a field by which a bundled header marks structs whose size in CUDA's library is another."""
UNSIZED_HEADER = "coalint/cub.h"
"""The end of that header's path."""
_LAID_OUT = frozenset({kinds.CXX_BASE_SPECIFIER, kinds.FIELD_DECL})
SIZES = frozenset({kinds.CXX_UNARY_EXPR, kinds.SIZE_OF_PACK_EXPR})
_REFERENCES = frozenset({kinds.DECL_REF_EXPR, kinds.MEMBER_REF_EXPR})
_CONSTANTS = frozenset({kinds.VAR_DECL, kinds.ENUM_CONSTANT_DECL})
_POINTERS = frozenset({type_kinds.POINTER, type_kinds.LVALUEREFERENCE, type_kinds.RVALUEREFERENCE})
_ARRAYS = frozenset({type_kinds.CONSTANTARRAY, type_kinds.INCOMPLETEARRAY})
_RECORDS = frozenset({kinds.STRUCT_DECL, kinds.CLASS_DECL, kinds.UNION_DECL})
_NAMESPACES = frozenset({kinds.TRANSLATION_UNIT, kinds.NAMESPACE, kinds.LINKAGE_SPEC})


def not_declared(name: str) -> str:
    """Return why nothing is known of what comes through a name."""
    return f"`{name}` is not declared in any header found"


def why_unknown(e: ir.Expression) -> str:
    """Return why nothing is known of an operand of what no header declares."""
    if isinstance(e, ir.Unresolved | ir.Call) and e.reason:
        return e.reason
    return e.type.reason if isinstance(e.type, ir.Other) else ""


class UnknownNames:
    """Tells what is declared by the stubs, or was declared with a type that libclang took for an int.

    `place` gives a cursor's span, `stubs` is the file of the declarations.
    """

    def __init__(self, place: Callable[[Any], Span], stubs: str, errors: Iterable[Any]) -> None:
        self._place = place
        self._stubs = stubs
        self._records: dict[str, str] = {}
        self._constants: dict[str, str] = {}
        self._unsized: dict[str, str] = {}
        self._taken_for_int: dict[str, list[tuple[int, int]]] = {}
        for error in errors:
            location = error.location
            if location.file is not None and _UNKNOWN_TYPE.match(error.spelling):
                self._taken_for_int.setdefault(location.file.name, []).append((location.line, location.column))

    def is_stub(self, cursor: Any) -> bool:
        """Whether a declaration is a stub."""
        return self._place(cursor).file == self._stubs

    def of_declaration(self, cursor: Any) -> str:
        """Return why the type that libclang gives a variable or field is not its type; empty where it is."""
        if not self._taken_for_int:
            return ""
        if self._wrong_inside(self._place(cursor)):
            return NO_TYPE
        type_ = cursor.type
        for _ in range(DEEP):  # what a typedef stands for may be the int
            kind = type_._kind_id
            if kind == type_kinds.ELABORATED:
                type_ = type_.get_named_type()
            elif kind == type_kinds.TYPEDEF:
                alias = type_.get_declaration()
                if self._wrong_inside(self._place(alias)):
                    return not_declared(alias.spelling)
                type_ = alias.underlying_typedef_type
            elif kind in _ARRAYS:
                type_ = type_.element_type
            elif kind in _POINTERS:
                type_ = type_.get_pointee()
            else:
                break
        return ""

    def _wrong_inside(self, span: Span, *, but: Iterable[Span] = ()) -> bool:
        for line, column in self._taken_for_int.get(span.file, ()):
            if _holds(span, line, column) and not any(_holds(part, line, column) for part in but):
                return True
        return False

    def of_type(self, type_: Any) -> str:
        """Return why the size and layout of a struct or an enumeration are not known; empty where they are."""
        if type_._kind_id == type_kinds.ENUM:
            declaration = type_.get_declaration()
            return not_declared(declaration.spelling) if self.is_stub(declaration) else ""
        if type_._kind_id != type_kinds.RECORD:
            return ""
        declaration = type_.get_declaration()
        key = str(declaration.data[0])
        if key not in self._records:
            self._records[key] = ""
            self._records[key] = self._of_record(declaration, type_)
        return self._records[key]

    def of_size(self, operands: Iterable[Any]) -> str:
        """Return why the size of one of these types or expressions is not known; empty where it is."""
        types = [cursor.type for cursor in operands]
        return next(filter(None, (self.inside(type_) or self._of_library(type_) for type_ in types)), "")

    def of_constant(self, cursor: Any) -> str:
        """Return why the value of a constant is not known: it comes from a size that is not; empty where it is."""
        key = str(cursor.data[0])
        if key not in self._constants:
            self._constants[key] = ""
            self._constants[key] = self._of_parts(tree(cursor))
        return self._constants[key]

    def _of_parts(self, node: CursorNode) -> str:
        reason = ""
        if node.kind in SIZES:
            reason = self.of_size([child.cursor for child in node.children])
        elif node.kind in _REFERENCES:
            named = node.cursor.referenced
            if named is not None and named._kind_id in _CONSTANTS:
                reason = self.of_constant(named)
        return reason or next(filter(None, map(self._of_parts, node.children)), "")

    def of_instance(self, cursor: Any) -> str:
        """Return why nothing that a function computes from the sizes of its template's types is known.

        Empty where it is.
        """
        for position in range(max(0, cursor.get_num_template_arguments())):
            if template_argument_kind(cursor, position) == TemplateArgumentKind.TYPE:
                reason = self.inside(cursor.get_template_argument_type(position))
                if reason:
                    return reason
        parent = cursor.semantic_parent
        return self._of_arguments(parent.type) if parent is not None and parent._kind_id in _RECORDS else ""

    def of_surroundings(self, cursor: Any, of_function: str) -> str:
        """Return the same of what a variable is declared in, in the function at hand or outside of all functions."""
        parent = cursor.semantic_parent
        if parent is None or parent._kind_id in _NAMESPACES:
            return ""
        if parent._kind_id not in _RECORDS:
            return of_function
        return self._of_arguments(parent.type) or self.of_surroundings(parent, of_function)

    def _of_arguments(self, type_: Any) -> str:
        for position in range(max(0, type_.get_num_template_arguments())):
            reason = self.inside(type_.get_template_argument_type(position))
            if reason:
                return reason
        return ""

    def _of_record(self, declaration: Any, type_: Any) -> str:
        if self.is_stub(declaration):
            name = declaration.spelling
            return (
                not_declared(name)
                if name not in ("any", "any_value")
                else "it comes from something that no header found declares"
            )
        members = direct_children(declaration)
        methods = [self._place(member) for member in members if member._kind_id not in _LAID_OUT]
        if self._taken_for_int and self._wrong_inside(self._place(declaration), but=methods):
            return f"`{declaration.spelling}` uses something that is not declared in any header found"
        for base in members:
            if base._kind_id == kinds.CXX_BASE_SPECIFIER:
                reason = self.inside(base.type)
                if reason:
                    return reason
        for field in type_.get_fields():
            reason = self.of_declaration(field) or self.inside(field.type)
            if reason:
                return reason
        return ""

    def _of_library(self, type_: Any) -> str:
        """Return that a struct is or holds one of a library, whose size bundled headers do not tell."""
        inner = type_.get_canonical()
        while inner._kind_id in _ARRAYS:
            inner = inner.element_type.get_canonical()
        if inner._kind_id != type_kinds.RECORD:
            return ""
        declaration = inner.get_declaration()
        key = str(declaration.data[0])
        if key not in self._unsized:
            self._unsized[key] = ""
            fields = list(inner.get_fields())
            if any(field.spelling == UNSIZED for field in fields):
                self._unsized[key] = f"the size of `{inner.spelling}` is the library's"
            else:
                bases = [base for base in direct_children(declaration) if base._kind_id == kinds.CXX_BASE_SPECIFIER]
                inside = (self._of_library(part.type) for part in (*bases, *fields))
                self._unsized[key] = next(filter(None, inside), "")
        return self._unsized[key]

    def inside(self, type_: Any) -> str:
        """Return as `of_type`, for arrays of a struct too."""
        inner = type_.get_canonical()
        while inner._kind_id in _ARRAYS:
            inner = inner.element_type.get_canonical()
        return self.of_type(inner)


def _holds(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) < (span.end_line, span.end_column)
