"""Calls of which libclang does not say what function is called: through pointers, and of unknown names."""

from __future__ import annotations

import re
from typing import Any

from clang.cindex import CursorKind as K
from clang.cindex import conf

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.gpu import intrinsics
from coalint.frontend.cuda.lowering.unknown_names import why_unknown

_COMPUTED = frozenset(kind.value for kind in (K.CALL_EXPR, K.UNEXPOSED_EXPR, K.ARRAY_SUBSCRIPT_EXPR, K.PAREN_EXPR))


class IndirectCalls:
    """Lowers them; `low` holds what the whole module shares."""

    def __init__(self, low: Context) -> None:
        self.low = low
        self.lib = library()
        self.expressions = low.expressions

    def lower(
        self, node: CursorNode, parts: list[CursorNode], callee: Any, span: Span, type_: ir.Type
    ) -> ir.Expression:
        """Return a call by what its callee and operands are made of; `callee` is no function, or None."""
        operator = _unresolved_operator(parts) if callee is None else None
        if operator is not None:
            operands = tuple(self.expressions.lower(part) for part in (parts[0], *parts[2:]))
            return intrinsics.call(span, type_, operator, None, operands, reason=_why_any(operands))
        name = node.cursor.spelling or (parts[0].cursor.spelling if parts else "") or self._callee_text(node)
        arguments = tuple(self.expressions.lower(part) for part in parts[1:])
        if callee is None and parts:
            called = self.expressions.lower(parts[0])
            while isinstance(called, ir.AddressOf | ir.Cast):
                called = called.target if isinstance(called, ir.AddressOf) else called.operand
            if isinstance(called, ir.FunctionName) and called.function is not None:
                return intrinsics.call(span, type_, name, called.function, arguments)
            if isinstance(called, ir.Conditional | ir.Subscript) and _is_function(called.type):
                return intrinsics.call(span, type_, name, None, arguments, callee=called)
        if callee is None or not parts:
            if len(parts) == 1 and not self.lib.clang_Cursor_getNumArguments(node.cursor) and not name:
                return self.expressions.lower(parts[0])
            receiver = self._object(parts)
            computed = parts[0] if receiver is None and parts else None
            if computed is not None and computed.kind == kinds.MEMBER_REF_EXPR:
                computed = computed.children[0] if computed.children else None
            if computed is not None and computed.kind in _COMPUTED:  # what the callee is computed from is read
                arguments = (self.expressions.lower(computed), *arguments)
            return intrinsics.call(span, type_, name, None, arguments, receiver=receiver)
        return intrinsics.call(span, type_, name, None, arguments, callee=self.expressions.lower(parts[0]))

    def recovered(self, node: CursorNode, parts: list[CursorNode]) -> ir.Expression | None:
        """Return a call that libclang keeps although it does not know which function is meant.

        Its name, then arguments.
        """
        if not parts or parts[0].kind != kinds.DECL_REF_EXPR:
            return None
        named = [child.cursor for child in parts[0].children if child.kind == kinds.OVERLOADED_DECL_REF]
        if not named:
            return None
        arguments = tuple(self.expressions.lower(part) for part in parts[1:])
        first = conf.lib.clang_getOverloadedDecl(named[0], 0)
        name = named[0].spelling
        reason = (self.low.stub(first) if first is not None else "") or f"which `{name}` is called is not known"
        span, type_ = self.expressions.span(node), self.expressions.type(node)
        return intrinsics.call(span, type_, name, None, arguments, reason=reason)

    def _object(self, parts: list[CursorNode]) -> ir.Expression | None:
        """Return the variable whose method is called, where libclang knows of none by that name."""
        held = self.expressions.lower(parts[0]) if parts and parts[0].children else None
        if isinstance(held, ir.Name | ir.Member | ir.Subscript) and isinstance(held.type, ir.Pointer):
            return ir.Dereference(held.span, held.type.pointee, held)
        is_object = isinstance(held, ir.Name | ir.Member | ir.Subscript) and isinstance(held.type, ir.Record)
        return held if is_object else None

    def _callee_text(self, node: CursorNode) -> str:
        """Return what is called as written, for a call that libclang could not resolve."""
        written = re.match(r"[\w:.]+|->", self.low.locations.spelled(node.cursor))
        return written.group() if written is not None else "?"


def _is_function(type_: ir.Type) -> bool:
    """Whether a type is a function's or that of a pointer to one, as libclang spells it."""
    pointee = type_.pointee if isinstance(type_, ir.Pointer) else type_
    return isinstance(pointee, ir.Other) and pointee.name.endswith(")")


def _unresolved_operator(parts: list[CursorNode]) -> str | None:
    """Return the name of the operator of `a + b` where libclang does not know which function it is.

    A, its name, then b.
    """
    if len(parts) < 2 or parts[1].kind != kinds.DECL_REF_EXPR:
        return None
    named = [child.cursor.spelling for child in parts[1].children if child.kind == kinds.OVERLOADED_DECL_REF]
    return named[0] if named and named[0].startswith("operator") else None


def _why_any(operands: tuple[ir.Expression, ...]) -> str:
    """Return why the first of the operands that is not known is not."""
    return next(filter(None, map(why_unknown, operands)), "")
