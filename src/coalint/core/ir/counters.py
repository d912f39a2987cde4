"""What loops count, and which expressions hold nothing else: compilers know these once they have unrolled the loops."""

from __future__ import annotations

from collections.abc import Container

from coalint.core.ir.expressions import Assign, Binary, Cast, Conditional, Increment, Literal, Name, Unary
from coalint.core.ir.nodes import Expression
from coalint.core.ir.statements import Loop
from coalint.core.ir.walk import nodes


def stepped(loop: Loop) -> frozenset[str]:
    """Return the keys of the variables that a loop's step changes."""
    steps = nodes(loop.step) if loop.step is not None else ()
    targets = (step.target for step in steps if isinstance(step, Assign | Increment))
    return frozenset(target.variable.key for target in targets if isinstance(target, Name))


def is_decided(expression: Expression, counters: Container[str]) -> bool:
    """Whether an expression is made of numbers and of variables with these keys alone."""
    for node in nodes(expression):
        if isinstance(node, Name):
            if node.variable.key not in counters and node.variable.constant is None:
                return False
        elif not isinstance(node, Literal | Unary | Binary | Cast | Conditional):
            return False
    return True


def unrollable(loop: Loop) -> frozenset[str]:
    """Return the keys of a loop's counters, if numbers alone say how often it runs; none of other loops."""
    counters = stepped(loop)
    return counters if loop.condition is not None and is_decided(loop.condition, counters) else frozenset()
