"""What of a loop every iteration executes, with the bodies of the functions that it calls: nvcc puts these in place.

Calls of mathematical functions, and atomic operations, keep nothing in a loop that they do not touch themselves;
barriers and what lanes exchange do (tests/support/loops_with_calls.cu).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from coalint.core import ir
from coalint.core.ir.intrinsics import ATOMICS, MATCHES, PURE_FUNCTIONS, SHUFFLES, VOTES, Intrinsic
from coalint.core.records import record

_LOST = (ir.Jump, ir.Labelled, ir.Assembly, ir.Unanalysed, ir.Unresolved, ir.Lambda)
_CHOICES = (ir.If, ir.Switch, ir.Conditional)
_IN_PLACE = (
    PURE_FUNCTIONS
    | ATOMICS
    | {Intrinsic.ARITHMETIC, Intrinsic.SAME_VALUE, Intrinsic.ASSUME_ALIGNED, Intrinsic.NO_EFFECT}
) - {Intrinsic.TEXTURE_READ, Intrinsic.CLOCK, Intrinsic.ATOMIC_OTHER}
"""Functions of the language that touch no memory but what is noted as an access of theirs, and wait for no one."""
_ORDERED = (VOTES | SHUFFLES | MATCHES | {Intrinsic.CLOCK}) - {Intrinsic.ACTIVE_MASK}
"""Those that leave memory alone, but are made where they are written: nvcc keeps values over some of them."""


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

    def of(self, loop: ir.Loop) -> frozenset[int] | None:
        """Return what each iteration executes, by the identities of the nodes.

        None where calls may touch any memory or wait for others, or a jump may leave the loop.
        """
        nodes = list(ir.nodes(loop))
        if any(isinstance(node, (*_LOST, ir.Return)) for node in nodes):
            return None
        calls = [node for node in nodes if isinstance(node, ir.Call)]
        called = self._called(calls)
        if called is None:
            return None
        if any(each.intrinsic in _ORDERED for each in (*calls, *(c for body in called.values() for c in body.calls))):
            return None
        certain = set(map(id, _executed(loop.body)))
        everything = [*calls, *(call for body in called.values() for call in body.calls)]
        sure = dict(called)
        while sure:  # until all that is called is called in every iteration by what is
            known = certain.union(*(map(id, body.certain) for body in sure.values()))
            missed = {call.function for call in everything if id(call) not in known} & sure.keys()
            if not missed:
                return frozenset(known)
            sure = {key: body for key, body in sure.items() if key not in missed}
        return frozenset(certain)

    def may_keep(self, loop: ir.Loop) -> bool:
        """Whether nothing but what lanes exchange, or the time, keeps in a loop what stays the same.

        nvcc copies the bodies of such loops, and some copies take values over from others.
        """
        nodes = list(ir.nodes(loop))
        if any(isinstance(node, (*_LOST, ir.Return)) for node in nodes):
            return False
        return self._called([node for node in nodes if isinstance(node, ir.Call)]) is not None

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
                if not _is_in_place(call):
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


def _is_in_place(call: ir.Call) -> bool:
    """Whether a call of a function without a body computes in registers, or makes accesses that are noted."""
    if call.intrinsic is not None:
        return not call.reason and call.intrinsic in _IN_PLACE | _ORDERED
    if call.reason or call.foreign or call.receiver is not None:
        return False
    return all(isinstance(argument.type, ir.Integer | ir.Floating) for argument in call.arguments)


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
