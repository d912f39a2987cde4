"""How many iterations the loops of a kernel have, by the constants that they count between."""

from __future__ import annotations

from collections.abc import Mapping

from coalint.core import ir
from coalint.core.ir.walk import children
from coalint.core.records import record

OPEN_TRIPS = 128
"""Iterations of a loop that counts up or down by a constant to a bound that the source leaves open."""
OTHER_TRIPS = 8
"""Iterations of any other loop whose number is open, as one that halves a distance."""
_BOUNDS = frozenset({"<", "<=", ">", ">=", "!="})


@record(frozen=True, slots=True)
class LoopTrips:
    """The iterations of loops where a launch passes some constants, by the names of the parameters."""

    passed: Mapping[str, int | float]

    def constant(self, loop: ir.Loop) -> float | None:
        """Return the iterations of a loop that counts up or down between constants; None of any other.

        Of `do ... while (0)`, as macros have it, there is one.
        """
        condition, step = loop.condition, step_of(loop.step)
        if not loop.test_first and condition is not None and self._number(condition) == 0:
            return 1.0
        if not isinstance(condition, ir.Binary) or condition.operator not in _BOUNDS or not step:
            return None
        first, last = self._first(loop, condition.left), self._number(condition.right)
        if first is None or last is None:
            return None
        return max(0, (last - first) / step + (condition.operator in ("<=", ">=")))

    def supposed(self, loop: ir.Loop) -> float:
        """Return the iterations of any loop: of one that does not count between constants a usual number."""
        trips, condition, step = self.constant(loop), loop.condition, step_of(loop.step)
        if trips is not None:
            return trips
        if not isinstance(condition, ir.Binary) or condition.operator not in _BOUNDS or not step:
            return OTHER_TRIPS
        return OPEN_TRIPS if self._number(condition.right) is None else OTHER_TRIPS

    def sure(self, loop: ir.Loop) -> float:
        """Return how many iterations a loop has at least: one where it is left early, none where the number is open."""
        trips = self.constant(loop)
        if trips is None:
            return 0.0 if loop.test_first else 1.0
        return min(trips, 1.0) if may_leave(loop.body) else trips

    def _first(self, loop: ir.Loop, counter: ir.Expression) -> int | None:
        """Return what a loop's counter is set to at its start."""
        counter = without_casts(counter)
        for statement in loop.initializer:
            if isinstance(statement, ir.Declare) and isinstance(counter, ir.Name):
                if statement.variable.key == counter.variable.key and statement.initializer is not None:
                    return self._number(statement.initializer)
            elif isinstance(statement, ir.Evaluate) and isinstance(statement.expression, ir.Assign):
                return self._number(statement.expression.value)
        return None

    def _number(self, node: ir.Expression) -> int | None:
        node = without_casts(node)
        if isinstance(node, ir.Literal):
            return node.value
        if isinstance(node, ir.Name):
            constant = node.variable.constant
            value = self.passed.get(node.variable.name) if constant is None else constant
            return value if isinstance(value, int) else None
        return None


def may_leave(statement: ir.Statement) -> bool:
    """Whether what follows a statement in its block may be left out: after a return, or a jump out of the block."""
    pending = [(statement, False)]
    while pending:
        node, is_in_loop = pending.pop()
        if isinstance(node, ir.Jump):
            if not is_in_loop or node.kind not in (ir.JumpKind.BREAK, ir.JumpKind.CONTINUE):
                return True
        elif isinstance(node, ir.Return):
            return True
        is_in_loop = is_in_loop or isinstance(node, ir.Loop)
        pending.extend((part, is_in_loop) for part in children(node) if isinstance(part, ir.Statement))
    return False


def step_of(step: ir.Expression | None) -> int | None:
    """Return by what constant a loop's counter moves; None where it is no constant."""
    if isinstance(step, ir.Increment):
        return step.step
    if isinstance(step, ir.Assign) and step.operator in ("+", "-"):
        value = without_casts(step.value)
        if isinstance(value, ir.Literal) and value.value is not None:
            return value.value if step.operator == "+" else -value.value
    return None


def without_casts(node: ir.Expression) -> ir.Expression:
    """Return what a value was before it was converted."""
    while isinstance(node, ir.Cast):
        node = node.operand
    return node
