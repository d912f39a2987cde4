"""Loops that search: what they keep of their counter under a condition of what they read says which elements fit.

The nearest points, the boxes that hold one, the best class: a search looks at many elements and keeps few. What is done
with those few is little of the kernel, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from coalint.core import ir
from coalint.core.ir.loop_trips import LoopTrips, step_of, without_casts
from coalint.core.ir.walk import children, nodes
from coalint.core.source.spans import Span

SEARCHED = 4096
"""How many elements a search of open length is taken to go through: points of a cloud, boxes of an image."""


def searches(functions: Mapping[str, ir.Function], kernel: ir.Function, trips: LoopTrips) -> frozenset[Span]:
    """Return the loops of open length, of a kernel and of what it calls, that search."""
    found: set[Span] = set()
    entered: set[str] = set()
    pending: list[ir.Statement] = [kernel.body]
    while pending:
        for node in nodes(pending.pop()):
            called = functions.get(node.function or "") if isinstance(node, ir.Call) else None
            if called is not None and called.key not in entered:
                entered.add(called.key)
                pending.append(called.body)
            if isinstance(node, ir.Loop) and trips.constant(node) is None and _is_search(functions, node):
                found.add(node.span)
    return frozenset(found)


def _is_search(functions: Mapping[str, ir.Function], loop: ir.Loop) -> bool:
    counter = _counter(loop)
    if counter is None:
        return False
    set_inside = set(_set(loop.body)) - {counter}
    for node in nodes(loop.body):
        match node:
            case ir.If():
                branches = [branch for branch in (node.then, node.otherwise) if branch is not None]
                if _reads(node.condition, set_inside) and any(_keeps(branch, counter) for branch in branches):
                    return True
            case ir.Assign(operator=None, value=ir.Conditional() as value):
                if _reads(value.condition, set_inside) and _is_kept(node.target, value, counter):
                    return True
            case ir.Call():
                called = functions.get(node.function or "")
                if called is not None and _hands_on(called, node, counter):
                    return True
    return False


def _counter(loop: ir.Loop) -> str | None:
    """Return the key of the variable that a loop counts by in constant steps, so that no other thread has a part."""
    step = loop.step
    target = step.target if isinstance(step, ir.Assign | ir.Increment) and step_of(step) is not None else None
    return target.variable.key if isinstance(target, ir.Name) else None


def _set(node: ir.Statement) -> Iterator[str]:
    """Yield the keys of the variables that a statement sets."""
    for part in nodes(node):
        if isinstance(part, ir.Assign | ir.Increment) and isinstance(part.target, ir.Name):
            yield part.target.variable.key
        elif isinstance(part, ir.Declare):
            yield part.variable.key


def _reads(condition: ir.Expression, set_inside: set[str]) -> bool:
    """Whether a condition rests on what an iteration reads or computes."""
    return any(
        isinstance(part, ir.Subscript | ir.Dereference | ir.Call)
        or (isinstance(part, ir.Name) and part.variable.key in set_inside)
        for part in nodes(condition)
    )


def _keeps(branch: ir.Statement, counter: str) -> bool:
    """Whether a branch stores the counter, or hands it on."""
    for part in nodes(branch):
        if isinstance(part, ir.Assign) and part.operator is None and _is_kept(part.target, part.value, counter):
            return True
        if isinstance(part, ir.Call) and any(_is_counter(argument, counter) for argument in part.arguments):
            return part.function is not None
    return False


def _is_kept(target: ir.Expression, value: ir.Expression, counter: str) -> bool:
    return _is_of(value, counter) and not any(_is_counter(part, counter) for part in nodes(target))


def _is_of(value: ir.Expression, counter: str) -> bool:
    """Whether a value is computed from the counter itself, not from what it is the index of."""
    pending: list[ir.Expression | ir.Statement] = [value]
    while pending:
        node = pending.pop()
        if _is_counter(node, counter):
            return True
        if not isinstance(node, ir.Subscript | ir.Dereference | ir.Call):
            pending.extend(children(node))
    return False


def _is_counter(node: ir.Expression | ir.Statement, counter: str) -> bool:
    if isinstance(node, ir.Expression):
        node = without_casts(node)
    return isinstance(node, ir.Name) and node.variable.key == counter


def _hands_on(function: ir.Function, call: ir.Call, counter: str) -> bool:
    """Whether a function is given the counter, and keeps it under a condition."""
    given = [
        parameter.key
        for parameter, argument in zip(function.parameters, call.arguments, strict=False)
        if _is_counter(argument, counter)
    ]
    branches = (branch for node in nodes(function.body) if isinstance(node, ir.If) for branch in _branches(node))
    return any(_keeps_in_memory(branch, given) for branch in branches)


def _branches(node: ir.If) -> Iterable[ir.Statement]:
    return (node.then,) if node.otherwise is None else (node.then, node.otherwise)


def _keeps_in_memory(branch: ir.Statement, given: Iterable[str]) -> bool:
    return any(
        isinstance(part, ir.Assign)
        and isinstance(part.target, ir.Subscript | ir.Dereference | ir.Member)
        and any(_is_kept(part.target, part.value, parameter) for parameter in given)
        for part in nodes(branch)
    )
