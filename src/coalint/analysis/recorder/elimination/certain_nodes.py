"""What of a loop every iteration executes, with the bodies of the functions that it calls: nvcc puts these in place.

Calls of mathematical functions, and atomic operations, keep nothing in a loop that they do not touch themselves. What
lanes exchange keeps there what the loop stores, barriers all that others may store (tests/support/loops_with_calls.cu).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum

from coalint.core import ir
from coalint.core.ir.intrinsics import ATOMICS, BLOCK_BARRIERS, MATCHES, PURE_FUNCTIONS, SHUFFLES, VOTES, Intrinsic
from coalint.core.records import record

_LOST = (ir.Jump, ir.Labelled, ir.Assembly, ir.Unanalysed, ir.Unresolved, ir.Lambda)
_CHOICES = (ir.If, ir.Switch, ir.Conditional)


class Waits(IntEnum):
    """What in a loop keeps accesses where they are written."""

    NONE = 0
    EXCHANGE = 1  # lanes give each other values, or the time is read
    BARRIER = 2  # threads wait for each other, or for memory


_WAITS = {
    **dict.fromkeys(
        (PURE_FUNCTIONS | ATOMICS) - {Intrinsic.TEXTURE_READ, Intrinsic.CLOCK, Intrinsic.ATOMIC_OTHER}, Waits.NONE
    ),
    Intrinsic.ARITHMETIC: Waits.NONE,
    Intrinsic.SAME_VALUE: Waits.NONE,
    Intrinsic.ASSUME_ALIGNED: Waits.NONE,
    Intrinsic.NO_EFFECT: Waits.NONE,
    **dict.fromkeys((VOTES | SHUFFLES | MATCHES) - {Intrinsic.ACTIVE_MASK}, Waits.EXCHANGE),
    Intrinsic.CLOCK: Waits.EXCHANGE,
    **dict.fromkeys((*BLOCK_BARRIERS, Intrinsic.SYNC_WARP, Intrinsic.MEMORY_FENCE), Waits.BARRIER),
}
"""Functions of the language that touch no memory but what is noted as an access of theirs."""


@record(frozen=True, slots=True)
class LoopBody:
    """What each iteration of a loop executes, by the identities of the nodes, and what keeps accesses in it."""

    certain: frozenset[int]
    waits: Waits


@record(frozen=True, slots=True)
class _Body:
    """What a function executes whenever it is called, and all that it calls."""

    certain: tuple[ir.Expression | ir.Statement, ...]
    calls: tuple[ir.Call, ...]


class CertainNodes:
    """Tells what loops execute in every iteration; `functions` are those with a body, by their keys."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        self._functions = functions
        self._bodies: dict[str, _Body | None] = {}

    def of(self, loop: ir.Loop) -> LoopBody | None:
        """Return what the iterations of a loop execute.

        None where calls may touch any memory, or a jump may leave the loop.
        """
        nodes = list(ir.nodes(loop))
        if any(isinstance(node, (*_LOST, ir.Return)) for node in nodes):
            return None
        calls = [node for node in nodes if isinstance(node, ir.Call)]
        called = self._called(calls)
        if called is None:
            return None
        everything = [*calls, *(call for body in called.values() for call in body.calls)]
        waits = max((_waits(call) or Waits.NONE for call in everything), default=Waits.NONE)
        certain = set(map(id, _executed(loop.body)))
        sure = dict(called)
        while sure:  # until all that is called is called in every iteration by what is
            known = certain.union(*(map(id, body.certain) for body in sure.values()))
            missed = {call.function for call in everything if id(call) not in known} & sure.keys()
            if not missed:
                return LoopBody(frozenset(known), waits)
            sure = {key: body for key, body in sure.items() if key not in missed}
        return LoopBody(frozenset(certain), waits)

    def _called(self, calls: list[ir.Call]) -> dict[str, _Body] | None:
        """Return the bodies of all functions that calls lead to, by their keys; None where one may do anything."""
        found: dict[str, _Body] = {}
        pending = list(calls)
        while pending:
            call = pending.pop()
            key = call.function
            if call.callee is not None:
                return None
            if key is None or key not in self._functions:
                if _waits(call) is None:
                    return None
            elif key not in found:
                body = self._body(key)
                if body is None:
                    return None
                found[key] = body
                pending.extend(body.calls)
        return found

    def _body(self, key: str) -> _Body | None:
        """Return what a function does; None where that is not followed."""
        if key not in self._bodies:
            body = self._functions[key].body
            nodes = list(ir.nodes(body))
            found = None
            if not any(isinstance(node, _LOST) for node in nodes):
                is_straight = all(node is _last(body) for node in nodes if isinstance(node, ir.Return))
                calls = tuple(node for node in nodes if isinstance(node, ir.Call))
                found = _Body(tuple(_executed(body)) if is_straight else (), calls)
            self._bodies[key] = found
        return self._bodies[key]


def _waits(call: ir.Call) -> Waits | None:
    """Return what a call of a function without a body keeps; None where it may touch any memory."""
    if call.intrinsic is not None:
        return None if call.reason else _WAITS.get(call.intrinsic)
    if call.reason or call.foreign or call.receiver is not None:
        return None
    is_computed = all(isinstance(argument.type, ir.Integer | ir.Floating) for argument in call.arguments)
    return Waits.NONE if is_computed else None


def _last(statement: ir.Statement) -> ir.Statement:
    while isinstance(statement, ir.Block) and statement.statements:
        statement = statement.statements[-1]
    return statement


def _executed(node: ir.Expression | ir.Statement) -> Iterator[ir.Expression | ir.Statement]:
    """Yield what is executed whenever a node is: nothing of what it chooses between, nor of loops inside."""
    yield node
    if isinstance(node, ir.Loop):
        return
    if isinstance(node, _CHOICES):
        first = next(iter(ir.children(node)), None)
        if first is not None:
            yield from _executed(first)
        return
    if isinstance(node, ir.Binary) and node.operator in ("&&", "||"):
        yield from _executed(node.left)
        return
    for child in ir.children(node):
        yield from _executed(child)
