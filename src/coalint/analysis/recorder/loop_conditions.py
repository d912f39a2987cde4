"""Conditions in a loop's body that an access stands under: what keeps nvcc from making one of several iterations.

Seen in machine code of nvcc 13 for sm_90, in loops over four neighbours that the source asks to unroll: under `k < n`,
`t + k < n` or `in[k] > 0` each is loaded and stored alone; under `k < 3`, which the compiler decides, or `n > 3`,
which it takes out of the loop, they become one vector; under `t < n` stores do and loads do not.
"""

from __future__ import annotations

from collections.abc import Iterator

from coalint.core import ir
from coalint.core.facts.access import Conditions


def conditions_in(loop: ir.Loop) -> dict[int, Conditions]:
    """Return under what each expression of a loop's body stands, by its `id`; not those under no condition."""
    changed = frozenset(_changed(loop))
    counters = frozenset(_counters(loop))
    conditions: dict[int, Conditions] = {}
    jumps = any(isinstance(node, ir.Jump | ir.Return) for node in ir.nodes(loop.body))

    def visit(node: ir.Expression | ir.Statement, under: Conditions) -> None:
        if under is not Conditions.NONE:
            conditions[id(node)] = under
        condition, chosen = _parted(node)
        if condition is None:
            for child in ir.children(node):
                visit(child, under)
            return
        visit(condition, under)
        own = Conditions.ALIKE
        names = {each.variable.key for each in ir.nodes(condition) if isinstance(each, ir.Name)}
        if names & changed and not _is_decided(condition, counters):
            own = Conditions.DIFFERENT
        for child in chosen:
            visit(child, max(under, own))

    visit(loop.body, Conditions.ALIKE if jumps else Conditions.NONE)
    return conditions


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


def _is_decided(condition: ir.Expression, counters: frozenset[str]) -> bool:
    """Whether a condition is made of numbers and of what loops count, so that copies of a body need not test it."""
    for node in ir.nodes(condition):
        if isinstance(node, ir.Name):
            if node.variable.key not in counters and node.variable.constant is None:
                return False
        elif not isinstance(node, ir.Literal | ir.Unary | ir.Binary | ir.Cast | ir.Conditional):
            return False
    return True


def _changed(loop: ir.Loop) -> Iterator[str]:
    """Yield the keys of the variables that a loop declares or assigns."""
    for node in ir.nodes(loop):
        if isinstance(node, ir.Declare):
            yield node.variable.key
        elif isinstance(node, ir.Assign | ir.Increment) and isinstance(node.target, ir.Name):
            yield node.target.variable.key


def _counters(loop: ir.Loop) -> Iterator[str]:
    """Yield the keys of the variables that a loop and those inside of it step."""
    for node in ir.nodes(loop):
        if isinstance(node, ir.Loop) and node.step is not None:
            for step in ir.nodes(node.step):
                if isinstance(step, ir.Assign | ir.Increment) and isinstance(step.target, ir.Name):
                    yield step.target.variable.key
