"""Conditions that stand one behind the other and say the same, of which nvcc makes one.

`if (c) { X } if (c) { Y }` is `if (c) { X Y }` (LLVM's jump threading): what ends X is followed by Y and by nothing
else, so that nvcc may make one instruction of both sides of a condition in it. So an H200 counts it, and otherwise
where there is anything between the two (tests/support/repeated_conditions.cu).
"""

from __future__ import annotations

from itertools import pairwise

from coalint.analysis.recorder.elimination.written_sums import shape_of
from coalint.core import ir

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


def repeated_conditions(body: ir.Expression | ir.Statement) -> set[int]:
    """Return the identities of the conditional statements beside which there is one of the same condition."""
    found: set[int] = set()
    for block in ir.nodes(body):
        if isinstance(block, ir.Block):
            for one, other in pairwise(block.statements):
                if (
                    isinstance(one, ir.If)
                    and isinstance(other, ir.If)
                    and _say_the_same(one.condition, other.condition)
                ):
                    found |= {id(one), id(other)}
    return found


def _say_the_same(one: ir.Expression, other: ir.Expression) -> bool:
    shape = shape_of(other)
    return shape_of(one) == shape or _mirrored(one) == shape


def _mirrored(condition: ir.Expression) -> object:
    """Return the shape of `b > a` for `a < b`; None for what is no comparison."""
    if not isinstance(condition, ir.Binary) or condition.operator not in _MIRRORED:
        return None
    return (_MIRRORED[condition.operator], shape_of(condition.right), shape_of(condition.left))
