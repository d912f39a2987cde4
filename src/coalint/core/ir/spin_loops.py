"""Loops that a thread leaves by what an atomic in them returns: `while (old != seen) old = atomicCAS(...)`, a lock."""

from __future__ import annotations

from collections.abc import Iterable

from coalint.core.ir.expressions import Assign, Call, Name
from coalint.core.ir.nodes import Expression, Statement
from coalint.core.ir.statements import Declare, If, Jump, JumpKind, Loop
from coalint.core.ir.walk import nodes


def spins(loop: Loop) -> bool:
    """Whether the condition of a loop, or one by which it is broken off, rests on an atomic in its body."""
    inside = list(nodes(loop.body))
    told: set[str] = set()
    while True:
        count = len(told)
        for node in inside:
            told.update(_set_by(node, told))
        if len(told) == count:
            break
    if loop.condition is not None and _rests(loop.condition, told):
        return True
    return any(isinstance(node, If) and _rests(node.condition, told) and _breaks(node) for node in inside)


def _set_by(node: Expression | Statement, told: set[str]) -> Iterable[str]:
    """Return the variables that a node sets by what an atomic returns, or by a variable among those `told`."""
    match node:
        case Assign(target=Name(variable=variable), value=value) if _rests(value, told):
            return (variable.key,)
        case Declare(variable=variable, initializer=value) if value is not None and _rests(value, told):
            return (variable.key,)
        case If(condition=condition) if _rests(condition, told):
            return (
                one.target.variable.key
                for one in nodes(node)
                if isinstance(one, Assign) and isinstance(one.target, Name)
            )
    return ()


def _rests(value: Expression, told: set[str]) -> bool:
    return any(
        (isinstance(one, Name) and one.variable.key in told)
        or (isinstance(one, Call) and one.intrinsic is not None and one.intrinsic.name.startswith("ATOMIC_"))
        for one in nodes(value)
    )


def _breaks(branch: If) -> bool:
    return any(isinstance(one, Jump) and one.kind is JumpKind.BREAK for one in nodes(branch))
