"""Closed forms of executed warp instructions where the source leaves sizes open: sums of sympy, proved at samples.

A form is made from the guards: inequalities that share no variable multiply. It is kept only if it gives what the lane
model counts for every sample of the open sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from coalint.analysis.counts.axes import Axes
from coalint.analysis.counts.counted_loop import CountedLoop
from coalint.analysis.counts.executions import MAX_LANES
from coalint.analysis.counts.forms.expression_values import formula_of
from coalint.analysis.counts.forms.open_quantities import NoClosedForm, OpenQuantities
from coalint.analysis.counts.forms.ranges import Ranges, warp_spans
from coalint.analysis.counts.forms.sequences import Sequences
from coalint.analysis.counts.patterns import Enumerated
from coalint.analysis.domain.algebra.atoms import AtomKind, Poly
from coalint.analysis.domain.conditions import Condition, conjuncts
from coalint.analysis.warps.quantities import OPEN
from coalint.core.facts.formulas import Formula
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.warps.model import WarpModel


@record(frozen=True, slots=True)
class Part:
    """A part of the guards: its value, the counters and thread indices inside, and whether nothing in it is open."""

    value: Poly
    variables: frozenset[int]
    is_numeric: bool


class ClosedForm:
    """The executions under guards and loops as an expression of sympy in the `open` quantities."""

    def __init__(self, model: WarpModel, guards: Sequence[Condition], loops: Sequence[CountedLoop], axes: Axes) -> None:
        self.open = OpenQuantities(model)
        self.sympy = self.open.sympy
        self.model, algebra = model, model.algebra
        sequences = Sequences(self.open, axes, warp_spans(model.block)[0])
        goes_on = {part for loop in loops for part in sequences.goes_on(loop)}
        parts = [part for guard in guards for part in conjuncts(algebra, guard.value) if part not in goes_on]
        for loop in loops:
            parts = sequences.without_guard(loop, parts)
        guarded = sequences.guarded
        self._counted_axes = frozenset({0} if guarded else ())
        counted = {loop.counter.index: loop for loop in loops if loop.counter is not None}
        counters = {atom.index: atom for atom in algebra.closure(*parts) if atom.kind is AtomKind.COUNTER}
        counters |= {loop.counter.index: loop.counter for loop in loops if loop.counter is not None}
        if any(guard.over for guard in guards) or any(loop.counter is None and loop.trips is None for loop in loops):
            raise NoClosedForm
        trips = guarded | {at: sequences.trips_of(loop) for at, loop in counted.items() if at not in guarded}
        self.ranges = Ranges(self.open, axes, counters, list(counted), trips)
        self.expression = self._product([self._part(part) for part in parts])
        for loop in loops:
            if loop.counter is None:
                self.expression *= loop.trips

    def formula(self) -> Formula:
        """Return the expression as plain data, in symbols of its own."""
        return formula_of(self.expression)

    def _part(self, value: Poly) -> Part:
        inside = self.model.algebra.closure(value)
        variables = {atom.index for atom in inside if atom.index in self.ranges.variables}
        return Part(value, frozenset(variables), not any(atom.kind in OPEN for atom in inside))

    def _product(self, parts: Sequence[Part]) -> Any:
        ranges, groups = self.ranges, _groups(parts)
        total = self.sympy.Integer(1)
        axes = ranges.axes_of(frozenset().union(*(variables for variables, _ in groups)))
        for axis in {0, 1, 2} - axes - self._counted_axes:
            total *= -(-ranges.block[axis] // ranges.spans[axis])
        for index in ranges.variables.difference(*(variables for variables, _ in groups)):
            total *= ranges.free(index)
        for variables, together in groups:
            total *= self._group(variables, together)
        for axis, block in enumerate(ranges.axes.blocks):
            if block not in ranges.counters and (ranges.axes.read[axis] or ranges.axes.grid is not None):
                total *= ranges.extent_of_axis(axis)
        return total

    def _group(self, variables: frozenset[int], parts: list[Part]) -> Any:
        """Return how many values some variables take together, thread indices in spans of warps."""
        ranges = self.ranges
        if not variables:
            raise NoClosedForm  # a condition on sizes alone may switch everything off
        if all(part.is_numeric for part in parts):
            return self._tried(variables, parts)
        inequalities = [self.open.inequality(part.value, ranges.variables) for part in parts]
        threads = [index for index in variables if index in ranges.of_thread]
        if not threads:
            return ranges.nest(variables, inequalities)
        if len(threads) > 1 or any(threads[0] not in part.factors for part in inequalities):
            raise NoClosedForm
        above = [part for part in inequalities if part.factors[threads[0]] > 0]
        below = [part for part in inequalities if part not in above]
        if len(below) != 1 or len(above) > 1:
            raise NoClosedForm
        spans = ranges.line(threads[0], below[0])
        for part in above:
            if any(part.factors.get(i) != -factor for i, factor in below[0].factors.items()):
                raise NoClosedForm
            if part.factors[threads[0]] != 1:
                raise NoClosedForm
            first = self.sympy.floor((1 - part.rest) / ranges.spans[ranges.of_thread[threads[0]]])
            self.open.conditions.append(
                1 - part.rest < below[0].rest
            )  # from the lower bound on, and below the upper one
            spans = self.sympy.Max(0, spans - self.sympy.Max(0, first))
        return spans

    def _tried(self, variables: frozenset[int], parts: Sequence[Part]) -> Any:
        """Return how many spans of warps pass conditions of which everything is known."""
        ranges, limits = self.ranges, {}
        for index in sorted(variables.difference(ranges.of_thread)):
            limits[index] = ranges.free(index)
            if not isinstance(limits[index], int) and not limits[index].is_Integer:
                raise NoClosedForm
        numbers = {index: int(limit) for index, limit in limits.items()}
        if 0 in numbers.values():
            return self.sympy.Integer(0)
        if prod(numbers.values()) * self.model.exists.size > MAX_LANES:
            raise NoClosedForm
        patterns = Enumerated(self.model, numbers, {}).patterns([Condition(part.value, "") for part in parts])
        axes = ranges.axes_of(variables)
        others = prod(-(-ranges.block[axis] // ranges.spans[axis]) for axis in {0, 1, 2} - axes)
        return self.sympy.Integer(int(patterns.lanes.any(axis=-1).sum(axis=-1) @ patterns.times)) / others


def _groups(parts: Sequence[Part]) -> list[tuple[frozenset[int], list[Part]]]:
    """Return the parts that share variables, directly or through others, together with their variables."""
    groups: list[tuple[frozenset[int], list[Part]]] = []
    for part in parts:
        near = [group for group in groups if group[0] & part.variables]
        groups = [group for group in groups if group not in near]
        merged = part.variables.union(*(group[0] for group in near))
        groups.append((merged, [*(each for group in near for each in group[1]), part]))
    return groups
