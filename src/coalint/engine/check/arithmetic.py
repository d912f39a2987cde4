"""What a kernel computes beside an access: where that is much, little of its time is the access's.

Functions, floating-point operations and integer operations on values are counted, in cycles of a multiprocessor for one
warp, as coarsely as a sector or wavefront counts as one. What stands beside an access is what is computed whenever the
access is made: the statements of the blocks around it, up to the loop that it stands in; of what stands around a loop
between constants, each iteration has its part. A branch beside it may not be taken and counts as nothing; a branch in a
loop beside it counts, since some lane of the warp may take it in some iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from math import inf

from coalint.core import ir
from coalint.core.ir.loop_trips import LoopTrips, may_leave
from coalint.core.ir.walk import children
from coalint.core.source.spans import Span
from coalint.engine.check.floating_work import floating_cycles
from coalint.engine.check.integer_work import IntegerWork
from coalint.engine.check.searches import searches
from coalint.engine.check.ways_out import ways_out


class Arithmetic:
    """The functions and operations that a kernel computes, by the places of its accesses."""

    def __init__(self, module: ir.Module, kernel: ir.Kernel, passed: Mapping[str, int | float]) -> None:
        self._functions, self._kernel, self._trips = module.functions, kernel, LoopTrips(passed)

    def beside(self, span: Span) -> float:
        """Return how many cycles a warp computes whenever it makes the access that the kernel itself has at a place.

        A loop whose number of iterations is open counts as one of a usual number, integer operations as nothing.
        """
        return self._supposed.get(span, 0.0)

    def surely_beside(self, span: Span) -> float:
        """Return the same for an access of a function that it calls, too, with integers and without what is supposed.

        A loop whose number of iterations is open counts as nothing, of two branches the shorter counts, and what stands
        after a conditional exit counts beside what stands there alone.
        """
        return self._sure.get(span, 0.0)

    @cached_property
    def searches(self) -> frozenset[Span]:
        """The loops of open length that search."""
        return searches(self._functions, self._kernel.function, self._trips)

    @cached_property
    def ways_out(self) -> Mapping[Span, frozenset[Span]]:
        """The loops that are left after what stands at a place, by that place."""
        return ways_out(self._functions, self._kernel.function)

    @cached_property
    def _integers(self) -> IntegerWork:
        return IntegerWork(self._functions, self._kernel)

    @cached_property
    def _supposed(self) -> dict[Span, float]:
        return self._counted(is_sure=False)

    @cached_property
    def _sure(self) -> dict[Span, float]:
        return self._counted(is_sure=True)

    def _counted(self, *, is_sure: bool) -> dict[Span, float]:
        tally = _Tally(self._functions, self._integers, self._trips, is_sure)
        tally.place(self._kernel.function.body, 0.0)
        return tally.beside


class _Tally:
    """What stands `beside` each expression of a kernel, in cycles.

    With `is_sure` no loop or branch is supposed, and the functions that the kernel calls have theirs as well.
    """

    def __init__(
        self, functions: Mapping[str, ir.Function], integers: IntegerWork, trips: LoopTrips, is_sure: bool
    ) -> None:
        self._functions, self._integers, self._trips, self._is_sure = functions, integers, trips, is_sure
        self._inside: dict[str, float] = {}
        self._placed: dict[str, float] = {}
        self._entered: set[str] = set()
        self.beside: dict[Span, float] = {}

    def place(self, node: ir.Statement, around: float) -> None:
        """Note the cycles beside each expression of a statement, of which the blocks around it have `around`."""
        match node:
            case ir.Block():
                self._place_all(node.statements, around)
            case ir.If():
                self._place_expression(node.condition, around)
                for branch in (node.then, node.otherwise):
                    if branch is not None:
                        self._place_all((branch,), around)
            case ir.Switch():
                self._place_expression(node.subject, around)
                for case in node.cases:
                    self._place_all(case.body, around)
            case ir.Loop():
                for statement in node.initializer:
                    self.place(statement, around)
                tests = sum(self._cycles(part) for part in (node.condition, node.step) if part is not None)
                trips = self._trips.constant(node)
                shared = around / trips - self._cycles(node.body) if trips else 0.0
                self._place_all((node.body,), max(tests, shared))
                for part in (node.condition, node.step):
                    if part is not None:
                        self._place_expression(part, 0.0)
            case ir.Labelled():
                self._place_all((node.statement,), around)
            case _:
                self._place_expression(node, around)

    def _place_all(self, statements: Iterable[ir.Statement], around: float) -> None:
        statements = tuple(_flat(statements))
        for statement, cycles in zip(statements, self._shared(statements), strict=True):
            self.place(statement, around + cycles)

    def _shared(self, statements: Iterable[ir.Statement]) -> list[float]:
        """Return for each statement what is computed with it: what may be left before is not sure."""
        shared: list[float] = []
        cycles, waiting = 0.0, 0
        for statement in statements:
            cycles, waiting = cycles + self._certain(statement), waiting + 1
            if self._is_sure and may_leave(statement):
                shared.extend([cycles] * waiting)
                waiting = 0
        return [*shared, *[cycles] * waiting]

    def _place_expression(self, node: ir.Expression | ir.Statement, around: float) -> None:
        waiting = [node]
        while waiting:
            node = waiting.pop()
            self.beside[node.span] = min(around, self.beside.get(node.span, around))
            if self._is_sure and isinstance(node, ir.Call) and node.function is not None:
                self._place_called(node.function, around)
            waiting.extend(children(node))

    def _place_called(self, key: str, around: float) -> None:
        """Note what stands beside the expressions of a function: of all its calls, where that is least."""
        if key not in self._functions or key in self._entered or self._placed.get(key, inf) <= around:
            return
        self._placed[key] = around
        self._entered.add(key)
        self._place_all((self._functions[key].body,), max(0.0, around - self._cycles_inside(key)))
        self._entered.remove(key)

    def _certain(self, node: ir.Statement) -> float:
        """Return the cycles of a statement that what stands beside it shares: not of branches."""
        if isinstance(node, ir.If | ir.Switch | ir.Labelled | ir.Try):
            return 0.0
        return self._cycles(node)

    def _cycles(self, node: ir.Expression | ir.Statement) -> float:
        """Return the cycles of all that a node computes."""
        cycles, waiting = 0.0, [(node, 1.0)]
        while waiting:
            node, times = waiting.pop()
            if isinstance(node, ir.Loop):
                times *= self._trips.sure(node) if self._is_sure else self._trips.supposed(node)
            elif isinstance(node, ir.If | ir.Switch) and self._is_sure:
                cycles += times * self._cycles_of_branches(node)
                continue
            elif isinstance(node, ir.Block) and self._is_sure:
                waiting.extend((part, times) for part in _reached(node.statements))
                continue
            else:
                cycles += times * self._cycles_of_node(node)
            waiting.extend((part, times) for part in children(node))
        return cycles

    def _cycles_of_branches(self, node: ir.If | ir.Switch) -> float:
        """Return the cycles of what tells branches apart, with those of the shorter branch."""
        if isinstance(node, ir.Switch):
            return self._cycles(node.subject)
        branches = [0.0 if branch is None else self._cycles(branch) for branch in (node.then, node.otherwise)]
        return self._cycles(node.condition) + min(branches)

    def _cycles_of_node(self, node: ir.Expression | ir.Statement) -> float:
        floating = floating_cycles(node)
        if floating is not None:
            return floating
        if isinstance(node, ir.Call) and node.function in self._functions:
            assert node.function is not None
            return self._cycles_inside(node.function)
        return self._integers.cycles(node) if self._is_sure else 0.0

    def _cycles_inside(self, key: str) -> float:
        if key not in self._inside:
            self._inside[key] = 0.0  # of a function that calls itself
            self._inside[key] = self._cycles(self._functions[key].body)
        return self._inside[key]


def _reached(statements: Iterable[ir.Statement]) -> Iterator[ir.Statement]:
    """Yield the statements that are executed whenever the first is."""
    for statement in statements:
        yield statement
        if may_leave(statement):
            return


def _flat(statements: Iterable[ir.Statement]) -> Iterator[ir.Statement]:
    """Yield statements, and those of blocks among them, as macros make them, in their place."""
    for statement in statements:
        if isinstance(statement, ir.Block):
            yield from _flat(statement.statements)
        else:
            yield statement
