"""Conditions in a loop's body that an access stands under: what keeps nvcc from making one of several iterations.

Seen in machine code of nvcc 13 for sm_90, in loops over four neighbours that the source asks to unroll: under `k < n`,
`t + k < n` or `in[k] > 0` each is loaded and stored alone; under `k < 3`, which the compiler decides, or `n > 3`,
which it takes out of the loop, they become one vector; so they do under `t + k < 8` where a loop around steps `t` up to
a number, and under `j < 8` where `j` is `t + k`; under `t < n` stores do and loads do not. Where a loop is left
before its count is up, or an iteration left out, by `k < n`, `t + k < n` or `in[k] > 0`, each is stored alone; loads
become one vector or not, and none do after a `continue`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from coalint.core import ir
from coalint.core.facts.access import Conditions
from coalint.core.ir.counters import is_decided, stepped, unrollable


def conditions_in(loop: ir.Loop, around: Iterable[ir.Loop] = ()) -> dict[int, Conditions]:
    """Return under what each expression of a loop's body stands, by its `id`; not those under no condition.

    `around` are the loops that it is in.
    """
    changed = frozenset(_changed(loop))
    inside = (node for node in ir.nodes(loop) if isinstance(node, ir.Loop))
    counters = _with_copies(loop, frozenset().union(*map(stepped, inside), *map(unrollable, around)))

    def own_of(condition: ir.Expression) -> Conditions:
        names = {each.variable.key for each in ir.nodes(condition) if isinstance(each, ir.Name)}
        return Conditions.DIFFERENT if names & changed and not is_decided(condition, counters) else Conditions.ALIKE

    parts = _conjuncts(loop.condition)
    asked = [part for part in parts if len(parts) > 1 and not is_decided(part, counters)]
    ways_out = [min(own_of(part), Conditions.LEFT) for part in asked]
    ways_out += _jumps(loop.body, own_of)
    return dict(_under(loop.body, max(ways_out, default=Conditions.NONE), own_of))


def _under(
    body: ir.Statement, around: Conditions, own_of: Callable[[ir.Expression], Conditions]
) -> Iterator[tuple[int, Conditions]]:
    """Yield the `id` of each part of a body that stands under a condition, and under what."""
    pending: list[tuple[ir.Expression | ir.Statement, Conditions]] = [(body, around)]
    while pending:
        node, under = pending.pop()
        if under is not Conditions.NONE:
            yield id(node), under
        condition, chosen = _parted(node)
        if condition is None:
            pending.extend((child, under) for child in ir.children(node))
        else:
            inside = max(under, own_of(condition))
            pending.append((condition, under))
            pending.extend((child, inside) for child in chosen)


def _conjuncts(condition: ir.Expression | None) -> list[ir.Expression]:
    """Return the parts of a loop's condition that all have to hold."""
    if condition is None:
        return []
    if isinstance(condition, ir.Binary) and condition.operator == "&&":
        return [*_conjuncts(condition.left), *_conjuncts(condition.right)]
    return [condition]


def _jumps(body: ir.Statement, own_of: Callable[[ir.Expression], Conditions]) -> Iterator[Conditions]:
    """Yield what the jumps and returns of a body make of all that stands in it.

    What comes after a `continue` stands under its condition; a way out ends the loop.
    """
    pending: list[tuple[ir.Expression | ir.Statement, Conditions]] = [(body, Conditions.ALIKE)]
    while pending:
        node, under = pending.pop()
        if isinstance(node, ir.Jump | ir.Return):
            is_skip = isinstance(node, ir.Jump) and node.kind is ir.JumpKind.CONTINUE
            yield under if is_skip else min(under, Conditions.LEFT)
        condition, chosen = _parted(node)
        inside = under if condition is None else max(under, own_of(condition))
        pending.extend((child, inside) for child in (ir.children(node) if condition is None else chosen))


def _parted(
    node: ir.Expression | ir.Statement,
) -> tuple[ir.Expression | None, tuple[ir.Expression | ir.Statement, ...]]:
    """Return the condition of a node, and what is executed by it."""
    match node:
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            return condition, (then,) if otherwise is None else (then, otherwise)
        case ir.Conditional(condition=condition, then=then, otherwise=otherwise):
            return condition, (then, otherwise)
        case ir.Binary(operator="&&" | "||", left=left, right=right):
            return left, (right,)
        case ir.Switch(subject=subject):
            return subject, tuple(child for child in ir.children(node) if child is not subject)
    return None, ()


def _changed(loop: ir.Loop) -> Iterator[str]:
    """Yield the keys of the variables that a loop declares or assigns."""
    for node in ir.nodes(loop):
        if isinstance(node, ir.Declare):
            yield node.variable.key
        elif isinstance(node, ir.Assign | ir.Increment) and isinstance(node.target, ir.Name):
            yield node.target.variable.key


def _with_copies(loop: ir.Loop, counters: frozenset[str]) -> frozenset[str]:
    """Return the keys of counters and of what a loop's body declares as made of these alone."""
    targets = (node.target for node in ir.nodes(loop) if isinstance(node, ir.Assign | ir.Increment | ir.AddressOf))
    assigned = {target.variable.key for target in targets if isinstance(target, ir.Name)}
    for node in ir.nodes(loop):
        initializer = node.initializer if isinstance(node, ir.Declare) else None
        if isinstance(node, ir.Declare) and initializer is not None and node.variable.key not in assigned:
            counters |= {node.variable.key} if is_decided(initializer, counters) else frozenset()
    return counters
