"""Branches and loops that a kernel ends with: who does not take one comes to its end, as by a `return` before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property

from coalint.core import ir
from coalint.core.ir.intrinsics import BLOCK_BARRIERS
from coalint.core.ir.walk import nodes
from coalint.core.source.spans import Span


class LastBranches:
    """The places of `last_branches` of a kernel, looked for when a place is asked for: few kernels ask.

    With `of_barriers`, what follows a branch and holds no barrier of the block counts as nothing.
    """

    def __init__(self, body: ir.Statement, functions: Mapping[str, ir.Function], *, of_barriers: bool = False) -> None:
        self._body, self._functions, self._of_barriers = body, functions, of_barriers

    def __contains__(self, place: object) -> bool:
        return place in self._places

    @cached_property
    def _places(self) -> frozenset[Span]:
        return last_branches(self._body, self._functions, of_barriers=self._of_barriers)


def last_branches(
    body: ir.Statement, functions: Mapping[str, ir.Function], *, of_barriers: bool = False
) -> frozenset[Span]:
    """Return the places of the conditions of branches without `else` after which a kernel with this body does nothing.

    So are those of a loop. Those at its end, those at the end of such a branch, and those of a function that is called
    there alone. A place that several share, as those of one macro do, is none: the kernel goes on after one. With
    `of_barriers`, a kernel may go on after a branch, but not to a barrier of the block.
    """
    places: set[Span] = set()
    last: ir.Statement | None = body
    while last is not None:
        called = _called(last, functions)
        if isinstance(last, ir.Block):
            kept = (one for one in reversed(last.statements) if not (of_barriers and _meets_nobody(one, functions)))
            last = next(kept, None)
        elif isinstance(last, ir.If) and last.otherwise is None:
            places.add(last.condition.span)
            last = last.then
        elif isinstance(last, ir.Loop) and last.condition is not None:
            places.add(last.condition.span)
            break
        elif called is not None and _calls(body, functions)[called.key] == 1:
            last = called.body
        else:
            break
    if places:
        reached = (body, *(function.body for function in _reached(body, functions)))
        counts = Counter(
            node.condition.span
            for one in reached
            for node in nodes(one)
            if isinstance(node, ir.If | ir.Loop) and node.condition is not None
        )
        places = {place for place in places if counts[place] == 1}
    return frozenset(places)


def _meets_nobody(statement: ir.Statement, functions: Mapping[str, ir.Function]) -> bool:
    """Whether a statement, and what it calls, is sure to hold no barrier of the block."""
    bodies = (statement, *(function.body for function in _reached(statement, functions)))
    return not any(_may_meet(node, functions) for body in bodies for node in nodes(body))


def _may_meet(node: ir.Expression | ir.Statement, functions: Mapping[str, ir.Function]) -> bool:
    if isinstance(node, ir.Call):
        is_seen = node.intrinsic is not None or node.function in functions
        return not is_seen or node.intrinsic in BLOCK_BARRIERS
    return isinstance(node, ir.Assembly)


def _called(statement: ir.Statement, functions: Mapping[str, ir.Function]) -> ir.Function | None:
    """Return the function that a statement calls and does nothing else."""
    value = statement.expression if isinstance(statement, ir.Evaluate) else None
    return functions.get(value.function or "") if isinstance(value, ir.Call) else None


def _reached(body: ir.Statement, functions: Mapping[str, ir.Function]) -> list[ir.Function]:
    """Return the functions that are called below a statement, each once."""
    found: dict[str, ir.Function] = {}
    pending = [body]
    while pending:
        for key in _keys(pending.pop(), functions):
            if key not in found:
                found[key] = functions[key]
                pending.append(functions[key].body)
    return list(found.values())


def _calls(body: ir.Statement, functions: Mapping[str, ir.Function]) -> Counter[str]:
    """Return how often each function is called below a statement, wherever that is."""
    reached = (body, *(function.body for function in _reached(body, functions)))
    return Counter(key for one in reached for key in _keys(one, functions))


def _keys(body: ir.Statement, functions: Mapping[str, ir.Function]) -> Iterator[str]:
    for node in nodes(body):
        if isinstance(node, ir.Call) and node.function is not None and node.function in functions:
            yield node.function
