"""What is computed in a straight line and changes no memory, so that a compiler may move it."""

from __future__ import annotations

from collections.abc import Mapping

from coalint.core.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Dereference,
    Increment,
    Lambda,
    Launch,
    Member,
    Name,
    Sequence,
    Subscript,
)
from coalint.core.ir.intrinsics import PURE_FUNCTIONS, Intrinsic
from coalint.core.ir.loop_trips import without_casts
from coalint.core.ir.module import Function
from coalint.core.ir.nodes import Expression, Statement, Storage, Variable
from coalint.core.ir.statements import Assembly, Block, Declare, Evaluate, Labelled, Return
from coalint.core.ir.types import Array, Floating, Pointer, Reference
from coalint.core.ir.walk import children, nodes

_MOST_CALLS = 8
"""Calls inside of each other that are followed."""


class StraightCode:
    """Tells what code does, with the functions that it may call by their keys."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self._functions = functions
        self._named: dict[int, frozenset[str]] = {}
        self._writes: dict[int, bool] = {}
        self._straight: dict[str, bool] = {}

    def named(self, node: Expression | Statement) -> frozenset[str]:
        """Return the keys of the variables that a node of the module's code names."""
        known = self._named.get(id(node))
        if known is None:
            keys = (one.variable.key for one in nodes(node) if isinstance(one, Name))
            known = self._named[id(node)] = frozenset(keys)
        return known

    def is_straight(self, value: Expression) -> bool:
        """Whether a value is computed in a straight line, without a change of anything.

        A choice between values that are there is one instruction; one that loads either of two is none.
        """
        if isinstance(value, Assign | Increment | Lambda | Launch | Sequence):
            return False
        if isinstance(value, Conditional) and (loads(value.then) or loads(value.otherwise)):
            return False
        if isinstance(value, Binary) and value.operator in ("&&", "||") and loads(value.right):
            return False
        if isinstance(value, Call) and not self._is_straight_call(value):
            return False
        return all(isinstance(part, Expression) and self.is_straight(part) for part in children(value))

    def may_write(self, node: Expression | Statement, depth: int = 0) -> bool:
        """Whether code may change memory, or wait for other threads."""
        known = self._writes.get(id(node))
        if known is None:
            known = self._writes[id(node)] = self._writes_in(node, depth)
        return known

    def _writes_in(self, node: Expression | Statement, depth: int) -> bool:
        for one in nodes(node):
            if isinstance(one, Assembly | Launch | Labelled):
                return True
            if isinstance(one, Call) and not is_pure(one) and one.intrinsic is not Intrinsic.CACHED_LOAD:
                function = self._functions.get(one.function or "")
                if function is None or depth >= _MOST_CALLS or self.may_write(function.body, depth + 1):
                    return True
            if isinstance(one, Assign | Increment) and changed_variable(one.target) is None:
                return True
        return False

    def _is_straight_call(self, call: Call) -> bool:
        if is_pure(call) or call.intrinsic is Intrinsic.CACHED_LOAD:
            return True
        function = self._functions.get(call.function or "")
        if function is None or call.callee is not None:
            return False
        if function.key not in self._straight:
            self._straight[function.key] = False  # where it calls itself
            self._straight[function.key] = all(map(self._is_straight_statement, function.body.statements))
        return self._straight[function.key]

    def _is_straight_statement(self, statement: Statement) -> bool:
        match statement:
            case Block(statements=statements):
                return all(map(self._is_straight_statement, statements))
            case Declare(initializer=value) | Return(value=value):
                return value is None or self.is_straight(value)
            case Evaluate(expression=Assign(target=target, value=value)):
                return changed_variable(target) is not None and self.is_straight(value)
            case _:
                return False


def is_pure(call: Call) -> bool:
    """Whether a call gives a function of its arguments alone: one that is known, or one that has no body here."""
    if call.intrinsic is not None or call.reason or call.function is not None or call.callee is not None:
        return call.intrinsic in PURE_FUNCTIONS
    return isinstance(call.type, Floating) and not may_change_arguments(call)


def may_change_arguments(call: Call) -> bool:
    """Whether a function may change what it is given: through a pointer, or a reference."""
    pointers = (n for n, argument in enumerate(call.arguments) if isinstance(argument.type, Pointer | Array))
    return bool(call.changes) or any(position not in call.keeps for position in pointers)


def changed_variable(target: Expression) -> Variable | None:
    """Return the variable of a function that is changed, it or a part of it; None for what lies elsewhere in memory."""
    while isinstance(target, Cast | Member | Subscript):
        if isinstance(target, Subscript):
            target = without_casts(target.base)
            if not isinstance(target.type, Array):
                return None
        else:
            target = target.object if isinstance(target, Member) else target.operand
    if not isinstance(target, Name) or isinstance(target.variable.type, Reference):
        return None
    return target.variable if target.variable.storage in (Storage.LOCAL, Storage.PARAMETER) else None


def loads(value: Expression) -> list[Expression]:
    """Return the parts of a value that may be read from memory, and the calls that may read it."""
    return [one for one in nodes(value) if isinstance(one, Subscript | Dereference | Member | Call)]
