"""Cursors of calls to IR: functions, methods, constructors, launches."""

from __future__ import annotations

import re
from typing import Any

from clang.cindex import CursorKind as K
from clang.cindex import conf

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang import type_kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.trees import CursorNode, tree
from coalint.frontend.cuda.lowering import members
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.cursors import FUNCTIONS
from coalint.frontend.cuda.lowering.gpu import intrinsics, launch_calls
from coalint.frontend.cuda.lowering.objects import classes, initialization
from coalint.frontend.cuda.lowering.unknown_names import why_unknown

_COMPUTED = frozenset(kind.value for kind in (K.CALL_EXPR, K.UNEXPOSED_EXPR, K.ARRAY_SUBSCRIPT_EXPR, K.PAREN_EXPR))
_REFERENCES = frozenset({type_kinds.LVALUEREFERENCE, type_kinds.RVALUEREFERENCE})
# Functions of std that clang takes for its own, so that it gives their templates no body: each yields its argument.
_SAME = frozenset("move forward forward_like as_const move_if_noexcept addressof __addressof".split())


class Calls:
    """Lowers calls; `low` holds what the whole module shares."""

    def __init__(self, low: Context) -> None:
        self.low = low
        self.lib = library()
        self.expressions = low.expressions
        self._promises: dict[int, tuple[frozenset[int], frozenset[int]]] = {}

    def _arguments(self, node: CursorNode, callee: Any) -> list[ir.Expression]:
        count = self.lib.clang_Cursor_getNumArguments(node.cursor)
        arguments: list[ir.Expression] = []
        nodes = {_identity(child.cursor): child for child in node.children}
        for position in range(max(0, count)):
            cursor = self.lib.clang_Cursor_getArgument(node.cursor, position)
            cursor._tu = node.cursor._tu
            argument = nodes.get(_identity(cursor)) or tree(cursor)
            if argument.kind == kinds.UNEXPOSED_EXPR and not argument.children:
                default = self.default_argument(callee, position)
                arguments.append(default if default is not None else self.expressions.unknown(argument))
            else:
                arguments.append(self.expressions.lower(argument))
        return arguments

    def default_argument(self, callee: Any, position: int) -> ir.Expression | None:
        """Return a default argument: the initializer of the parameter."""
        if callee is None:
            return None
        parameter = self.lib.clang_Cursor_getArgument(callee, position)
        if parameter is None:
            return None
        parameter._tu = callee._tu
        parts = self.expressions.parts(tree(parameter))
        return self.expressions.lower(parts[-1]) if parts else None

    def lower(self, node: CursorNode) -> ir.Expression:
        """Return a call, a construction or a launch."""
        callee = self.lib.clang_getCursorReferenced(node.cursor)
        span, type_ = self.expressions.span(node), self.expressions.type(node)
        parts = self.expressions.parts(node)
        if len(parts) >= 2 and parts[1].kind == kinds.CALL_EXPR and parts[1].cursor.spelling == "cudaConfigureCall":
            return self._launch(node, parts, span, type_)
        if callee is None or callee._kind_id not in FUNCTIONS:
            return self._indirect(node, parts, callee, span, type_)
        name, arguments = callee.spelling, self._arguments(node, callee)
        if callee._kind_id == kinds.CONSTRUCTOR:
            return self._construction(node, callee, arguments, span, type_)
        known = self._known_to_hosts(node, callee, arguments, span, type_)
        if known is not None:
            return known
        if name in _SAME and len(arguments) == 1 and callee.semantic_parent.spelling == "std":
            same = arguments[0]
            return ir.AddressOf(span, type_, same) if name == "addressof" else same
        return self._call(node, parts, callee, arguments, span, type_)

    def _known_to_hosts(
        self, node: CursorNode, callee: Any, arguments: list[ir.Expression], span: Span, type_: ir.Type
    ) -> ir.Expression | None:
        """Return what a function of the CUDA runtime or driver means for launches; None for all others."""
        name = callee.spelling
        if name in launch_calls.LAUNCHERS and callee._kind_id == kinds.FUNCTION_DECL:
            launch = launch_calls.launch(name, arguments, span, type_)
            if launch is not None:
                return launch
        return self._named_kernel(node, arguments, span) if name == "cuModuleGetFunction" else None

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
        changes, keeps = self._promised(callee) if key is None and not reason else (None, frozenset[int]())
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
        changes, keeps = self._promised(callee) if key is None and not reason else (None, frozenset[int]())
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

    def _promised(self, callee: Any) -> tuple[frozenset[int], frozenset[int]]:
        """Return what a declaration says of the arguments: which the function may change, which point to const."""
        promises = self._promises.get(callee.hash)
        if promises is not None:
            return promises
        changes, keeps = set[int](), set[int]()
        for position, parameter in enumerate(callee.get_arguments()):
            type_ = parameter.type.get_canonical()
            is_const = bool(type_.get_pointee().is_const_qualified())
            if type_._kind_id in _REFERENCES and not is_const:
                changes.add(position)
            elif type_._kind_id == type_kinds.POINTER and is_const:
                keeps.add(position)
        if callee._kind_id == kinds.CXX_METHOD and not callee.is_const_method():
            changes.add(ir.RECEIVER)
        promises = self._promises[callee.hash] = frozenset(changes), frozenset(keeps)
        return promises

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

    def _indirect(
        self, node: CursorNode, parts: list[CursorNode], callee: Any, span: Span, type_: ir.Type
    ) -> ir.Expression:
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

    def _launch(self, node: CursorNode, parts: list[CursorNode], span: Span, type_: ir.Type) -> ir.Expression:
        configuration = self._arguments(parts[1], self.lib.clang_getCursorReferenced(parts[1].cursor))
        callee = self.lib.clang_getCursorReferenced(node.cursor)
        kernel: str | None = None
        pointer: ir.Expression | None = None
        if callee is not None and callee._kind_id in FUNCTIONS and self.low.is_kernel(callee):
            kernel = self.low.kernel_key(callee)
        else:
            pointer = self.expressions.lower(parts[0])
        arguments = tuple(self.expressions.lower(part) for part in parts[2:])
        if len(configuration) < 2:
            return ir.Unresolved(span, type_, "a launch whose configuration libclang could not resolve", arguments)
        return ir.Launch(span, type_, kernel, pointer, configuration[0], configuration[1], arguments)

    def _named_kernel(self, node: CursorNode, arguments: list[ir.Expression], span: Span) -> ir.Expression | None:
        """Return `cuModuleGetFunction(&function, module, "name")`: the kernel of the file that has this name."""
        last = self.expressions.parts(node)[-1]
        while last.kind == kinds.UNEXPOSED_EXPR and last.children:
            last = last.children[0]
        if last.kind != kinds.STRING_LITERAL:
            return None
        key = self.low.kernel_named(last.cursor.spelling.strip('"'))
        return None if key is None else launch_calls.handle(arguments[0], key, span)


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


def _is_exactly(receiver: ir.Expression) -> bool:
    """Whether an object is of its static type: one that a variable or member holds by value."""
    while isinstance(receiver, ir.Member | ir.Subscript):
        receiver = receiver.object if isinstance(receiver, ir.Member) else receiver.base
    return isinstance(receiver, ir.Name) and not isinstance(receiver.variable.type, ir.Reference | ir.Pointer)


def _is_memberwise(method: Any) -> bool:
    """Whether a copy constructor or assignment is the compiler's own: it then stands where its class does."""
    return bool(method.is_default_method() or method.location == method.semantic_parent.location)


def _identity(cursor: Any) -> tuple[Any, ...]:
    return cursor._kind_id, cursor.data[0], cursor.data[1], cursor.data[2]
