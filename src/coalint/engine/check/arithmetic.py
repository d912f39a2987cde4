"""What a kernel computes beside an access: where that is much, little of its time is the access's.

Functions and floating-point operations are counted, in cycles of a multiprocessor for one warp, as coarsely as a
sector or wavefront counts as one. What stands beside an access is what is computed whenever the access is made: the
statements of the blocks around it, up to the loop that it stands in. A branch beside it may not be taken and counts
as nothing; a branch in a loop beside it counts, since some lane of the warp may take it in some iteration.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from coalint.core import ir
from coalint.core.ir.intrinsics import Intrinsic
from coalint.core.ir.walk import children
from coalint.core.source.spans import Span

OPEN_TRIPS = 128
"""Iterations of a loop that counts up or down by a constant to a bound that the source leaves open."""
OTHER_TRIPS = 8
"""Iterations of any other loop whose number is open, as one that halves a distance."""
_FUNCTION = 6.0
_HARDWARE_FUNCTION = 2.0
_OPERATIONS = {"+": 0.125, "-": 0.125, "*": 0.125, "/": 2.0}  # a multiplication and a sum are one instruction
_INTRINSICS = {Intrinsic.ARITHMETIC: 0.25, Intrinsic.TEXTURE_READ: 8.0, Intrinsic.SQUARE_ROOT: 2.0}
_NAMES = (
    r"sin|cos|tan|sincos|sinpi|cospi|sincospi|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|exp10|"
    r"expm1|log|log2|log10|log1p|pow|erf|erfc|erfinv|erfcinv|tgamma|lgamma|cbrt|rcbrt|hypot|fmod|remainder|j0|j1|y0|y1"
)
_PRECISE = re.compile(rf"(std::)?({_NAMES})f?$")
_HARDWARE = re.compile(rf"(__({_NAMES})f|h2?({_NAMES}))$")
_BOUNDS = frozenset({"<", "<=", ">", ">=", "!="})


class Arithmetic:
    """The functions that a kernel computes, by the places of its accesses."""

    def __init__(self, module: ir.Module, kernel: ir.Kernel, passed: Mapping[str, int | float]) -> None:
        self._functions, self._kernel, self._passed = module.functions, kernel, passed
        self._inside: dict[str, float] = {}

    def beside(self, span: Span) -> float:
        """Return how many cycles a warp computes whenever it makes the access that the kernel itself has at a place."""
        return self._beside.get(span, 0.0)

    @cached_property
    def _beside(self) -> dict[Span, float]:
        found: dict[Span, float] = {}
        self._place(self._kernel.function.body, 0.0, found)
        return found

    def _place(self, node: ir.Statement, around: float, found: dict[Span, float]) -> None:
        """Note the cycles beside each expression of a statement, of which the blocks around it have `around`."""
        match node:
            case ir.Block():
                self._place_all(node.statements, around, found)
            case ir.If():
                self._place_expression(node.condition, around, found)
                for branch in (node.then, node.otherwise):
                    if branch is not None:
                        self._place_all((branch,), around, found)
            case ir.Switch():
                self._place_expression(node.subject, around, found)
                for case in node.cases:
                    self._place_all(case.body, around, found)
            case ir.Loop():
                for statement in node.initializer:
                    self._place(statement, around, found)
                tests = sum(self._cycles(part) for part in (node.condition, node.step) if part is not None)
                self._place_all((node.body,), tests, found)
                for part in (node.condition, node.step):
                    if part is not None:
                        self._place_expression(part, 0.0, found)
            case ir.Labelled():
                self._place_all((node.statement,), around, found)
            case _:
                self._place_expression(node, around, found)

    def _place_all(self, statements: Iterable[ir.Statement], around: float, found: dict[Span, float]) -> None:
        statements = tuple(statements)
        around += sum(self._certain(statement) for statement in statements)
        for statement in statements:
            self._place(statement, around, found)

    def _place_expression(self, node: ir.Expression | ir.Statement, around: float, found: dict[Span, float]) -> None:
        waiting = [node]
        while waiting:
            node = waiting.pop()
            found[node.span] = min(around, found.get(node.span, around))
            waiting.extend(children(node))

    def _certain(self, node: ir.Statement) -> float:
        """Return the cycles of a statement that what stands beside it shares: not of blocks, nor of branches."""
        if isinstance(node, ir.Block | ir.If | ir.Switch | ir.Labelled | ir.Try):
            return 0.0
        return self._cycles(node)

    def _cycles(self, node: ir.Expression | ir.Statement) -> float:
        """Return the cycles of all that a node computes."""
        cycles, waiting = 0.0, [(node, 1.0)]
        while waiting:
            node, times = waiting.pop()
            if isinstance(node, ir.Loop):
                times *= self._trips(node)
            elif isinstance(node, ir.Call):
                cycles += times * self._cycles_of_call(node)
            elif isinstance(node, ir.Binary | ir.Assign) and isinstance(node.type, ir.Floating):
                cycles += times * _OPERATIONS.get(node.operator or "", 0.0)
            waiting.extend((part, times) for part in children(node))
        return cycles

    def _cycles_of_call(self, call: ir.Call) -> float:
        if _PRECISE.match(call.name):
            return _FUNCTION
        if _HARDWARE.match(call.name):
            return _HARDWARE_FUNCTION
        if call.function is None or call.function not in self._functions:
            return 0.0 if call.intrinsic is None else _INTRINSICS.get(call.intrinsic, 0.0)
        if call.function not in self._inside:
            self._inside[call.function] = 0.0  # of a function that calls itself
            self._inside[call.function] = self._cycles(self._functions[call.function].body)
        return self._inside[call.function]

    def _trips(self, loop: ir.Loop) -> float:
        condition, step = loop.condition, _step(loop.step)
        if not isinstance(condition, ir.Binary) or condition.operator not in _BOUNDS or not step:
            return OTHER_TRIPS
        first, last = self._first(loop, condition.left), self._number(condition.right)
        if last is None:
            return OPEN_TRIPS
        if first is None:
            return OTHER_TRIPS
        return max(0, (last - first) / step + (condition.operator in ("<=", ">=")))

    def _first(self, loop: ir.Loop, counter: ir.Expression) -> int | None:
        """Return what a loop's counter is set to at its start."""
        counter = _plain(counter)
        for statement in loop.initializer:
            if isinstance(statement, ir.Declare) and isinstance(counter, ir.Name):
                if statement.variable.key == counter.variable.key and statement.initializer is not None:
                    return self._number(statement.initializer)
            elif isinstance(statement, ir.Evaluate) and isinstance(statement.expression, ir.Assign):
                return self._number(statement.expression.value)
        return None

    def _number(self, node: ir.Expression) -> int | None:
        node = _plain(node)
        if isinstance(node, ir.Literal):
            return node.value
        if isinstance(node, ir.Name):
            constant = node.variable.constant
            value = self._passed.get(node.variable.name) if constant is None else constant
            return value if isinstance(value, int) else None
        return None


def _step(step: ir.Expression | None) -> int | None:
    """Return by what constant a loop's counter moves; None where it is no constant."""
    if isinstance(step, ir.Increment):
        return step.step
    if isinstance(step, ir.Assign) and step.operator in ("+", "-"):
        value = _plain(step.value)
        if isinstance(value, ir.Literal) and value.value is not None:
            return value.value if step.operator == "+" else -value.value
    return None


def _plain(node: ir.Expression) -> ir.Expression:
    while isinstance(node, ir.Cast):
        node = node.operand
    return node
