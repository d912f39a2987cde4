"""Which host code changes nothing but variables of its own: a trial run of a loop need not evaluate it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum

from coalint.core import ir
from coalint.core.ir import Intrinsic
from coalint.core.ir.intrinsics import PURE_FUNCTIONS

_OWN = (ir.Storage.LOCAL, ir.Storage.PARAMETER)
_NUMBERS = (ir.Integer, ir.Floating)
_NOT_READ = (ir.Unresolved, ir.Assembly, ir.Unanalysed)

_IDLE = (Intrinsic.NO_EFFECT, Intrinsic.PRINT, Intrinsic.ASSERTION, Intrinsic.CHECKED_ASSERTION)


class Effect(IntEnum):
    """What code may change beside variables of its own: nothing, the object of the method that it is, or anything."""

    NOTHING = 0
    RECEIVER = 1
    ANYTHING = 2


class Effects:
    """The effects of a module's functions, each found once. Launches are no effects: the host goes on without them."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        """Take the functions that have a body, by key."""
        self._functions = functions
        self._known: dict[str, Effect] = {}
        self._idle: dict[int, tuple[ir.Expression, bool]] = {}

    def changes_nothing(self, e: ir.Expression) -> bool:
        """Whether the evaluation of an expression changes no variable."""
        known = self._idle.get(id(e))
        if known is None:
            known = self._idle[id(e)] = e, self._effect((e,), frozenset(), None) is Effect.NOTHING
        return known[1]

    def _of(self, key: str) -> Effect:
        known = self._known.get(key)
        if known is None:
            self._known[key] = Effect.ANYTHING  # of one that calls itself
            function = self._functions[key]
            receiver = None if function.receiver is None else function.receiver.key
            own = frozenset(p.key for p in function.parameters if not isinstance(p.type, ir.Reference))
            known = self._known[key] = self._effect((function.body,), own, receiver)
        return known

    def _effect(
        self, nodes: Iterable[ir.Expression | ir.Statement], own: frozenset[str], receiver: str | None
    ) -> Effect:
        """Return the effect of code with variables of its own, beside those it declares, in a method of `receiver`."""
        pending, effect, targets = list(nodes), Effect.NOTHING, list[ir.Expression]()
        declared = set(own)
        while pending:
            node = pending.pop()
            if isinstance(node, _NOT_READ):
                return Effect.ANYTHING
            if isinstance(node, ir.Declare) and not isinstance(node.variable.type, ir.Reference):
                if node.variable.storage in _OWN:
                    declared.add(node.variable.key)
            elif isinstance(node, ir.Assign | ir.Increment):
                targets.append(node.target)
            elif isinstance(node, ir.Call):
                called = self._called(node)
                if called is Effect.RECEIVER and node.receiver is not None:
                    targets.append(node.receiver)
                elif called is Effect.ANYTHING:
                    return called
            pending.extend(ir.children(node))
        for target in targets:
            effect = max(effect, _written(target, declared, receiver))
        return effect

    def _called(self, e: ir.Call) -> Effect:
        if e.callee is not None:
            return Effect.ANYTHING
        if e.function is not None and e.function in self._functions:
            return self._of(e.function)
        if e.intrinsic in _IDLE or (not e.reason and e.intrinsic in PURE_FUNCTIONS):
            return Effect.NOTHING
        is_seen = e.intrinsic in (None, Intrinsic.TRAP) and not (e.reason or e.foreign) and e.receiver is None
        if is_seen and (not e.arguments or (e.changes is not None and not e.changes)):
            values = (a for n, a in enumerate(e.arguments) if n not in e.keeps)
            if all(isinstance(argument.type, _NUMBERS) for argument in values):
                return Effect.NOTHING
        return Effect.ANYTHING


def _written(target: ir.Expression, own: set[str], receiver: str | None) -> Effect:
    """Return what a write changes: a variable of the function's own, its object, or something else."""
    while True:
        if isinstance(target, ir.Member) and isinstance(target.object.type, ir.Record):
            target = target.object
        elif isinstance(target, ir.Cast):
            target = target.operand
        elif isinstance(target, ir.Subscript) and isinstance(target.base.type, ir.Array):
            target = target.base
        else:
            break
    if isinstance(target, ir.Dereference) and isinstance(target.pointer, ir.Name):
        is_object = target.pointer.variable.key == receiver
        return Effect.RECEIVER if is_object else Effect.ANYTHING
    is_own = isinstance(target, ir.Name) and target.variable.key in own
    return Effect.NOTHING if is_own else Effect.ANYTHING
