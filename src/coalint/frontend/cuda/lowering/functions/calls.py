"""Cursors of calls to IR: functions, methods, constructors."""

from __future__ import annotations

from typing import Any

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering import members
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.cursors import FUNCTIONS
from coalint.frontend.cuda.lowering.functions.arguments import Arguments
from coalint.frontend.cuda.lowering.functions.indirect_calls import IndirectCalls
from coalint.frontend.cuda.lowering.functions.promises import Promises
from coalint.frontend.cuda.lowering.gpu import intrinsics
from coalint.frontend.cuda.lowering.gpu.kernel_launches import KernelLaunches
from coalint.frontend.cuda.lowering.objects import classes, initialization
from coalint.frontend.cuda.lowering.unknown_names import why_unknown

# Functions of std that clang takes for its own, so that it gives their templates no body: each yields its argument.
_SAME = frozenset("move forward forward_like as_const move_if_noexcept addressof __addressof".split())


class Calls:
    """Lowers calls; `low` holds what the whole module shares."""

    def __init__(self, low: Context) -> None:
        self.low = low
        self.lib = library()
        self.expressions = low.expressions
        self._arguments = Arguments(low)
        self._indirect = IndirectCalls(low)
        self._launches = KernelLaunches(low, self._arguments)
        self._promises = Promises()

    def lower(self, node: CursorNode) -> ir.Expression:
        """Return a call, a construction or a launch."""
        callee = self.lib.clang_getCursorReferenced(node.cursor)
        span, type_ = self.expressions.span(node), self.expressions.type(node)
        parts = self.expressions.parts(node)
        if len(parts) >= 2 and parts[1].kind == kinds.CALL_EXPR and parts[1].cursor.spelling == "cudaConfigureCall":
            return self._launches.configured(node, parts, span, type_)
        if callee is None or callee._kind_id not in FUNCTIONS:
            return self._indirect.lower(node, parts, callee, span, type_)
        name, arguments = callee.spelling, self._arguments.of_call(node, callee)
        if callee._kind_id == kinds.CONSTRUCTOR:
            return self._construction(node, callee, arguments, span, type_)
        known = self._launches.called(node, callee, arguments, span, type_)
        if known is not None:
            return known
        if name in _SAME and len(arguments) == 1 and callee.semantic_parent.spelling == "std":
            same = arguments[0]
            return ir.AddressOf(span, type_, same) if name == "addressof" else same
        return self._call(node, parts, callee, arguments, span, type_)

    def default_argument(self, callee: Any, position: int) -> ir.Expression | None:
        """Return a default argument: the initializer of the parameter."""
        return self._arguments.default(callee, position)

    def recovered(self, node: CursorNode, parts: list[CursorNode]) -> ir.Expression | None:
        """Return a call that libclang keeps although it does not know which function is meant."""
        return self._indirect.recovered(node, parts)

    def _construction(
        self, node: CursorNode, callee: Any, arguments: list[ir.Expression], span: Span, type_: ir.Type
    ) -> ir.Expression:
        """Return a call of a constructor, or what it makes where that is known without it."""
        name = callee.spelling
        copies = callee.is_copy_constructor() or callee.is_move_constructor()
        if copies and arguments and _is_memberwise(callee):
            return arguments[0]
        if name.partition("<")[0] != callee.semantic_parent.spelling.partition("<")[0]:
            return ir.Unresolved(span, type_, "an inherited constructor is not followed", tuple(arguments))
        made = None
        if not arguments and callee.is_default_method() and callee.is_default_constructor():
            made = initialization.made_by_compiler(self.low, node)
        if made is not None:
            return made
        key = self.low.function(callee)
        reason = self.low.stub(callee) if key is None else ""
        changes, keeps = self._promises.of(callee) if key is None and not reason else (None, frozenset[int]())
        call = intrinsics.call(
            span,
            type_,
            name,
            key,
            tuple(arguments),
            constructor=True,
            reason=reason,
            changes=changes,
            keeps=keeps,
            foreign=key is None and not self.low.is_bundled(callee),
        )
        return initialization.of_each_element(call)

    def _call(
        self,
        node: CursorNode,
        parts: list[CursorNode],
        callee: Any,
        arguments: list[ir.Expression],
        span: Span,
        type_: ir.Type,
    ) -> ir.Expression:
        """Return a call of a function, a member or an operator."""
        kind, name = callee._kind_id, callee.spelling
        result = self.low.types.lower(callee.result_type)
        value_type = result.target if isinstance(result, ir.Reference) else type_
        virtual = kind == kinds.CXX_METHOD and bool(self.lib.clang_Cursor_isDynamicCall(node.cursor))
        key = None if virtual else self.low.function(callee)
        receiver, arguments = self._receiver(parts, callee, arguments, span)
        if kind == kinds.CONVERSION_FUNCTION and receiver is not None and classes.is_lambda(callee.semantic_parent):
            return receiver  # as a pointer to a function: calls through it call the lambda
        if (
            name == "operator="
            and receiver is not None
            and len(arguments) == 1
            and (key is None or _is_memberwise(callee))
        ):
            return ir.Assign(span, receiver.type, None, receiver, arguments[0])
        if virtual and receiver is not None and _is_exactly(receiver):
            key = self.low.function(callee)
        reason = self._why_not_followed(callee, receiver, arguments, virtual=virtual) if key is None else ""
        changes, keeps = self._promises.of(callee) if key is None and not reason else (None, frozenset[int]())
        return intrinsics.call(
            span,
            value_type,
            name,
            key,
            tuple(arguments),
            receiver=receiver,
            reason=reason,
            changes=changes,
            keeps=keeps,
            foreign=key is None and not self.low.is_bundled(callee),
        )

    def _receiver(
        self, parts: list[CursorNode], callee: Any, arguments: list[ir.Expression], span: Span
    ) -> tuple[ir.Expression | None, list[ir.Expression]]:
        """Return the object that a member is called of, None where there is none, and the other arguments."""
        if callee._kind_id not in (kinds.CXX_METHOD, kinds.CONVERSION_FUNCTION) or callee.is_static_method():
            return None, arguments
        called = parts[0] if parts else None
        declared = self.lib.clang_Cursor_getNumArguments(callee)
        if callee.spelling.startswith("operator") and len(arguments) == declared + 1:
            return arguments[0], arguments[1:]
        if called is not None and called.kind == kinds.MEMBER_REF_EXPR:
            return self._owner(called, span), arguments
        if called is not None and called.children and called.kind == kinds.UNEXPOSED_EXPR:
            return self._owner(called.children[0], span), arguments
        return None, arguments

    def _why_not_followed(
        self, callee: Any, receiver: ir.Expression | None, arguments: list[ir.Expression], *, virtual: bool
    ) -> str:
        """Return why a function without a known body is not followed; empty where nothing more is known of it."""
        name, reason = callee.spelling, self.low.stub(callee)
        if virtual and not reason:
            reason = f"which `{name}` is called is not known: it is virtual"
        if reason and name.startswith("operator"):
            operands = (receiver, *arguments) if receiver is not None else arguments
            reason = next(filter(None, map(why_unknown, operands)), reason)
        return reason

    def _owner(self, called: CursorNode, span: Span) -> ir.Expression | None:
        """Return the object of `object.method` or `pointer->method`; `*this` when it is left out."""
        parts = self.expressions.parts(called)
        if parts:
            owner = self.expressions.lower(parts[0])
            if isinstance(owner.type, ir.Pointer):
                return ir.Dereference(owner.span, owner.type.pointee, owner)
            if not isinstance(owner.type, ir.Integer | ir.Floating):  # else a template argument: `method<0>()`
                return owner
        if self.low.this is not None and isinstance(self.low.this.type, ir.Pointer):
            method = self.lib.clang_getCursorReferenced(called.cursor)
            return self.low.within(members.this_object(self.low, span), self.low.this_class, classes.around(method))
        return None


def _is_exactly(receiver: ir.Expression) -> bool:
    """Whether an object is of its static type: one that a variable or member holds by value."""
    while isinstance(receiver, ir.Member | ir.Subscript):
        receiver = receiver.object if isinstance(receiver, ir.Member) else receiver.base
    return isinstance(receiver, ir.Name) and not isinstance(receiver.variable.type, ir.Reference | ir.Pointer)


def _is_memberwise(method: Any) -> bool:
    """Whether a copy constructor or assignment is the compiler's own: it then stands where its class does."""
    return bool(method.is_default_method() or method.location == method.semantic_parent.location)
