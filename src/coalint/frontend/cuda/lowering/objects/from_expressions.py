"""Objects that an expression or the arguments of a constructor give."""

from __future__ import annotations

from typing import Any

from coalint.core import ir
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang import type_kinds
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering.objects import classes
from coalint.frontend.cuda.lowering.objects.classes import ARRAYS
from coalint.frontend.cuda.lowering.objects.default_values import WithoutInitializer
from coalint.frontend.cuda.lowering.objects.parts import NOT_SHOWN, converted
from coalint.frontend.cuda.lowering.types import is_floating_record

_PLACES = ir.Name | ir.Member | ir.Subscript | ir.Dereference

PARENTHESIZED = 155  # CXCursor_CXXParenListInitExpr

LISTS = frozenset({kinds.INIT_LIST_EXPR, PARENTHESIZED})
_NO_CHARACTERS = frozenset({*ARRAYS, type_kinds.POINTER})


class FromExpressions(WithoutInitializer):
    """An object that one expression gives, or a constructor with its arguments."""

    def _whole(self, type_: Any, at: int, node: CursorNode) -> None:
        value = self.low.expressions.lower(node)
        lowered = self.low.types.lower(type_)
        if isinstance(lowered, ir.Reference):
            self.put(at, bound(value, lowered))
            return
        if not self._is_all(type_, node) or not isinstance(lowered, ir.Record):
            self.put(at, converted(value, lowered))
            return
        of, to = classes.record_of(node.cursor.type), classes.record_of(type_)
        value = self.low.within(value, of, to)
        copies = classes.own_copy(to) if isinstance(value, _PLACES) else None
        self.put(at, value if copies is None else self.called(type_, copies, [value]))

    def _is_all(self, type_: Any, node: CursorNode) -> bool:
        """Whether an expression gives a whole class or array: an object of its kind, a string."""
        if type_._kind_id in ARRAYS:
            inner = node
            while inner.kind == kinds.UNEXPOSED_EXPR and len(inner.children) == 1:
                inner = inner.children[0]
            is_string = inner.kind == kinds.STRING_LITERAL and classes.record_of(type_.element_type) is None
            return is_string and type_.element_type.get_canonical()._kind_id not in _NO_CHARACTERS
        of, to = classes.record_of(node.cursor.type), classes.record_of(type_)
        if of is None or to is None or node.kind in LISTS:
            return False
        return bool(of == to or self.low.bases.offset(of, to)[0])

    def _constructed(self, type_: Any, declaration: Any, at: int, nodes: list[CursorNode]) -> None:
        """Construct an object of a class from arguments: libclang does not say which constructor is called."""
        lowered = self.low.types.lower(type_)
        arguments = [self.low.expressions.lower(node) for node in nodes if node.kind not in LISTS]
        if isinstance(lowered, ir.Record) and is_floating_record(lowered.name) and len(arguments) == 1:
            self.put(at, ir.Cast(arguments[0].span, lowered, arguments[0]))
            return
        fitting: list[Any] = []
        if not classes.is_pattern(declaration) and len(arguments) == len(nodes):
            declared = classes.constructors(declaration)
            if all(c._kind_id == kinds.CONSTRUCTOR for c in declared):
                fitting = [constructor for constructor in declared if self._fits(constructor, arguments)]
        if len(fitting) == 1:
            self.put(at, self.called(type_, fitting[0], arguments))
        else:
            self.put(at, ir.Unresolved(self.span, lowered, NOT_SHOWN, tuple(arguments)))

    def _fits(self, constructor: Any, arguments: list[ir.Expression]) -> bool:
        parameters = list(constructor.get_arguments())
        if len(parameters) < len(arguments):
            return False
        for position in range(len(arguments), len(parameters)):
            if self.low.calls.default_argument(constructor, position) is None:
                return False
        pairs = zip(parameters, arguments, strict=False)
        return all(_takes(self.low.types.of(parameter), argument.type) for parameter, argument in pairs)


def bound(value: ir.Expression, type_: ir.Reference) -> ir.Expression:
    """Return what a member that is a reference holds: the address of what it is bound to."""
    while isinstance(value, ir.Cast) and isinstance(value.operand, _PLACES | ir.Cast):
        value = value.operand
    return ir.AddressOf(value.span, ir.Pointer(type_.target), value)


def _takes(parameter: ir.Type, argument: ir.Type) -> bool:
    if isinstance(parameter, ir.Reference):
        parameter = parameter.target
    if isinstance(parameter, ir.Integer | ir.Floating):
        return isinstance(argument, ir.Integer | ir.Floating | ir.Record)
    if isinstance(parameter, ir.Pointer):
        return isinstance(argument, ir.Pointer | ir.Array | ir.Other | ir.Integer)
    if isinstance(parameter, ir.Record):
        return parameter == argument
    return True
