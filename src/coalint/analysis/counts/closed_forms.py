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
from coalint.analysis.counts.doublings import Doublings
from coalint.analysis.counts.executions import MAX_LANES
from coalint.analysis.counts.expression_values import formula_of
from coalint.analysis.counts.patterns import Enumerated
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Poly
from coalint.analysis.domain.algebra.functions import DIVISION
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.conditions import Condition, conjuncts
from coalint.analysis.domain.inequalities import slack
from coalint.analysis.warps.quantities import OPEN
from coalint.core.facts.formulas import Formula
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.warps.model import WarpModel


MOST_SPANS = 8
"""Warps along x that are counted one by one, each with a logarithm."""


@record(frozen=True, slots=True)
class Part:
    """A part of the guards: its value, the counters and thread indices inside, and whether nothing in it is open."""

    value: Poly
    variables: frozenset[int]
    is_numeric: bool


@record(frozen=True, slots=True)
class Inequality:
    """A guard's part as `rest + sum(factors[v] * v) > 0` over counters and thread indices, by their atoms' indices."""

    factors: dict[int, Any]
    rest: Any


class NoClosedForm(Exception):
    """The guards are not of a form that is summed here."""


class ClosedForm:
    """The executions under guards and loops as an expression of sympy in the open quantities.

    `symbols` are the open quantities by the indices of their atoms, `conditions` relations under which it holds.
    """

    def __init__(self, model: WarpModel, guards: Sequence[Condition], loops: Sequence[CountedLoop], axes: Axes) -> None:
        import sympy

        self.sympy = sympy
        self.model, self.algebra = model, model.algebra
        self.symbols: dict[int, Any] = {}
        self.conditions: list[Any] = []
        self._spans = warp_spans(model.block)
        self.axes = axes
        self._axes = {index: axis for axis, index in enumerate(axes.threads) if index is not None}
        goes_on = {part for loop in loops for part in self._goes_on(loop)}
        parts = [part for guard in guards for part in conjuncts(self.algebra, guard.value) if part not in goes_on]
        guarded: dict[int, Any] = {}
        for loop in loops:
            parts = self._without_guard(loop, parts, guarded)
        self._counted_axes = frozenset({0} if guarded else ())
        inside = self.algebra.closure(*parts)
        self._counters = {atom.index: atom for atom in inside if atom.kind is AtomKind.COUNTER}
        self._counters |= {loop.counter.index: loop.counter for loop in loops if loop.counter is not None}
        self._order = [loop.counter.index for loop in loops if loop.counter is not None]
        if any(guard.over for guard in guards) or any(loop.counter is None and loop.trips is None for loop in loops):
            raise NoClosedForm
        counted = {loop.counter.index: loop for loop in loops if loop.counter is not None}
        self._trips = guarded | {at: self._trips_of(loop) for at, loop in counted.items() if at not in guarded}
        self.parts = [self._part(part) for part in parts]
        self.expression = self._product()
        for loop in loops:
            if loop.counter is None:
                self.expression *= loop.trips

    def _trips_of(self, loop: CountedLoop) -> Any:
        """Return the iterations of a loop that guards need not bound; None where they do."""
        if loop.sequence is None:
            return loop.trips
        doublings = Doublings(self.algebra, self._value)
        trips = doublings.trips(loop.sequence)
        if trips is None:
            raise NoClosedForm
        self.conditions += doublings.conditions
        return trips

    def _without_guard(self, loop: CountedLoop, parts: list[Poly], guarded: dict[int, Any]) -> list[Poly]:
        """Return the parts of guards without `threadIdx.x < s` of a loop that halves `s`, which is `guarded` then.

        With it go the warps along x that have such a lane in each iteration: one if `s` is at least 1, two from 33 on.
        """
        thread, spans = self.axes.threads[0], self.model.block[0] // self._spans[0]
        if loop.sequence is None or loop.counter is None or thread is None or guarded or spans > MOST_SPANS:
            return parts
        for value in loop.sequence.values:
            if value.held is None:
                continue
            inside = {part: {atom.index for atom in self.algebra.closure(part)} for part in parts}
            own = [part for part in parts if value.held in inside[part] or thread in inside[part]]
            if len(own) != 1 or slack(self.algebra, own[0]) != generator(value.held) - generator(thread):
                continue
            doublings = Doublings(self.algebra, self._value)
            bounds = (number * self._spans[0] + 1 for number in range(spans))
            iterations = doublings.at_least(loop.sequence, value.held, bounds)
            if iterations is not None:
                self.conditions += doublings.conditions
                guarded[loop.counter.index] = iterations
                return [part for part in parts if part is not own[0]]
        return parts

    def _goes_on(self, loop: CountedLoop) -> list[Poly]:
        """Return the condition of a loop that is counted by itself, as guards have it."""
        if loop.sequence is None:
            return []
        condition = loop.sequence.condition
        for value in loop.sequence.values:
            if value.held is not None:
                atom = self.algebra.atoms[value.mark]
                condition = Substitution(self.algebra, atom, generator(value.held)).of(condition)
        return conjuncts(self.algebra, condition)

    def _part(self, value: Poly) -> Part:
        inside = self.algebra.closure(value)
        variables = {atom.index for atom in inside if atom.index in self._counters or atom.index in self._axes}
        return Part(value, frozenset(variables), not any(atom.kind in OPEN for atom in inside))

    def _inequality(self, part: Poly) -> Inequality:
        room = slack(self.algebra, part)
        if room is None:
            raise NoClosedForm
        factors: dict[int, Any] = {}
        rest = self.sympy.Integer(0)
        for coefficient, monomial in self.algebra.terms(room):
            moving = [index for index, _ in monomial if index in self._counters or index in self._axes]
            if len(moving) > 1 or any(power > 1 for index, power in monomial if index in moving):
                raise NoClosedForm
            term = self.sympy.Integer(coefficient)
            for index, power in monomial:
                if index not in moving:
                    term *= self._symbol(self.algebra.atoms[index]) ** power
            if moving:
                factors[moving[0]] = factors.get(moving[0], 0) + term
            else:
                rest += term
        return Inequality(factors, rest)

    def _value(self, value: Poly) -> Any:
        """Return a value of open quantities that all threads share."""
        total = self.sympy.Integer(0)
        for coefficient, monomial in self.algebra.terms(value):
            factors = (self._symbol(self.algebra.atoms[index]) ** power for index, power in monomial)
            total += self.sympy.Mul(coefficient, *factors)
        return total

    def _symbol(self, atom: Atom) -> Any:
        """Return the symbol of a quantity that the source leaves open."""
        uniform = self.algebra.closure(*atom.operands) if atom.operands else []
        if atom.kind not in OPEN and not (atom.operands and all(inner.kind is AtomKind.UNIFORM for inner in uniform)):
            raise NoClosedForm
        if atom.kind is not AtomKind.UNIFORM and atom.kind in OPEN:
            raise NoClosedForm
        divisor = self.algebra.number(atom.operands[1]) if atom.operator == DIVISION else None
        if divisor is not None and divisor > 0:
            return self.sympy.floor(self._value(atom.operands[0]) / divisor)
        if atom.index not in self.symbols:
            name = name_of(self.model, atom)
            self.symbols[atom.index] = self.sympy.Symbol(name, integer=True, nonnegative=True)
        return self.symbols[atom.index]

    def formula(self) -> Formula:
        """Return the expression as plain data, in symbols of its own."""
        return formula_of(self.expression)

    # --- groups of inequalities that share a variable

    def _product(self) -> Any:
        groups: list[tuple[frozenset[int], list[Part]]] = []
        alone = {*self._counters, *self._axes}
        for part in self.parts:
            alone -= part.variables
            near = [group for group in groups if group[0] & part.variables]
            groups = [group for group in groups if group not in near]
            merged = part.variables.union(*(group[0] for group in near))
            groups.append((merged, [*(each for group in near for each in group[1]), part]))
        total = self.sympy.Integer(1)
        axes = {self._axes[index] for variables, _ in groups for index in variables if index in self._axes}
        for axis in {0, 1, 2} - axes - self._counted_axes:
            total *= -(-self.model.block[axis] // self._spans[axis])
        for index in alone:
            total *= self._free(index)
        for variables, parts in groups:
            total *= self._group(variables, parts)
        for axis, block in enumerate(self.axes.blocks):
            if block not in self._counters:
                total *= self._extent_of_axis(axis) if self.axes.read[axis] or self.axes.grid is not None else 1
        return total

    def _free(self, index: int) -> Any:
        """Return how many values a variable takes that no guard tests."""
        if index in self._axes:
            return 1  # counted with its axis
        if index in self.axes.blocks:
            return self._extent(index)
        trips = self._trips.get(index)
        if trips is None:
            raise NoClosedForm
        return trips

    def _group(self, variables: frozenset[int], parts: list[Part]) -> Any:
        if not variables:
            raise NoClosedForm  # a condition on sizes alone may switch everything off
        if all(part.is_numeric for part in parts):
            return self._tried(variables, parts)
        inequalities = [self._inequality(part.value) for part in parts]
        threads = [index for index in variables if index in self._axes]
        if not threads:
            return self._nest(variables, inequalities)
        if len(threads) > 1 or any(threads[0] not in part.factors for part in inequalities):
            raise NoClosedForm
        above = [part for part in inequalities if part.factors[threads[0]] > 0]
        below = [part for part in inequalities if part not in above]
        if len(below) != 1 or len(above) > 1:
            raise NoClosedForm
        spans = self._line(threads[0], below[0])
        for part in above:
            if any(part.factors.get(i) != -factor for i, factor in below[0].factors.items()):
                raise NoClosedForm
            if part.factors[threads[0]] != 1:
                raise NoClosedForm
            first = self.sympy.floor((1 - part.rest) / self._spans[self._axes[threads[0]]])
            self.conditions.append(1 - part.rest < below[0].rest)  # from the lower bound on, and below the upper one
            spans = self.sympy.Max(0, spans - self.sympy.Max(0, first))
        return spans

    def _tried(self, variables: frozenset[int], parts: Sequence[Part]) -> Any:
        """Return how many spans of warps pass conditions of which everything is known."""
        limits = {}
        for index in sorted(variables.difference(self._axes)):
            limits[index] = self._free(index)
            if not isinstance(limits[index], int) and not limits[index].is_Integer:
                raise NoClosedForm
        numbers = {index: int(limit) for index, limit in limits.items()}
        if 0 in numbers.values():
            return self.sympy.Integer(0)
        if prod(numbers.values()) * self.model.exists.size > MAX_LANES:
            raise NoClosedForm
        patterns = Enumerated(self.model, numbers, {}).patterns([Condition(part.value, "") for part in parts])
        axes = {self._axes[index] for index in variables if index in self._axes}
        others = prod(-(-self.model.block[axis] // self._spans[axis]) for axis in {0, 1, 2} - axes)
        return self.sympy.Integer(int(patterns.lanes.any(axis=-1).sum(axis=-1) @ patterns.times)) / others

    def _line(self, thread: int, part: Inequality) -> Any:
        """Return how many spans of a warp along an axis have a lane whose index, counted through, is below a bound.

        The index is `thread + extent * block + extent * blocks * iteration`: each number once.
        """
        axis = self._axes[thread]
        unit = -part.factors[thread]
        if not unit.is_Integer or unit <= 0:
            raise NoClosedForm
        reach: Any = unit * self.model.block[axis]  # what all variables so far cover without a gap
        others = dict(part.factors)
        others.pop(thread)
        limited = True
        while others:
            index = next((i for i, factor in others.items() if self.sympy.expand(-factor - reach) == 0), None)
            if index is None:
                raise NoClosedForm
            others.pop(index)
            if index in self._trips:  # the loop goes on while the guard holds
                limited = False
                if others:
                    raise NoClosedForm
                break
            reach = reach * self._extent(index)
        spans = self.sympy.ceiling(part.rest / (unit * self._spans[axis]))
        if limited and self.axes.grid is not None:
            return self.sympy.Min(spans, reach / (unit * self._spans[axis]))
        return spans  # enough blocks are supposed

    def _rows(self, variables: frozenset[int], parts: list[Inequality]) -> Any:
        """Return how many blocks along an axis are below a bound that is their own: of threads they have one there."""
        if len(variables) > 1 or len(parts) > 1:
            raise NoClosedForm
        ((block, factor),) = parts[0].factors.items()
        if not factor.is_Integer or factor >= 0:
            raise NoClosedForm
        rows = self.sympy.ceiling(parts[0].rest / -factor)
        return rows if self.axes.grid is None else self.sympy.Min(rows, self._extent(block))

    def _extent(self, block: int) -> Any:
        """Return the number of blocks along the axis of a block index: a number or a symbol."""
        return self._extent_of_axis(self.axes.blocks.index(block))

    def _extent_of_axis(self, axis: int) -> Any:
        if self.axes.grid is not None:
            return self.sympy.Integer(self.axes.grid[axis])
        extent = self.axes.extents[axis]
        if extent is None:
            raise NoClosedForm
        return self._symbol(self.algebra.atoms[extent])

    def _nest(self, variables: frozenset[int], parts: list[Inequality]) -> Any:
        """Return the iterations of a nest of loops, from the innermost out."""
        if any(self._counters[index].is_block_index for index in variables):
            return self._rows(variables, parts)
        names = {index: self.sympy.Symbol(f"_{index}", integer=True, nonnegative=True) for index in variables}
        total = self.sympy.Integer(1)
        left = list(parts)
        for index in reversed([index for index in self._order if index in variables]):
            bounding = [part for part in left if index in part.factors]
            if len(bounding) != 1:
                raise NoClosedForm
            left.remove(bounding[0])
            step = -bounding[0].factors[index]
            room = bounding[0].rest + sum(f * names[i] for i, f in bounding[0].factors.items() if i != index)
            if not step.is_Integer or step <= 0 or (step != 1 and room.free_symbols & set(names.values())):
                raise NoClosedForm
            last = self.sympy.ceiling(room / step) - 1
            is_constant = names[index] not in total.free_symbols  # a sum of sympy takes a hundred times as long
            total = total * (last + 1) if is_constant else self.sympy.summation(total, (names[index], 0, last))
        if left or total.free_symbols & set(names.values()):
            raise NoClosedForm
        return self.sympy.factor(total) if not total.has(self.sympy.ceiling) else total


def warp_spans(block: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return the lanes of a warp along x, y and z; NoClosedForm where warps are no boxes of the block."""
    left, spans = 32, []
    for extent in block:
        span = min(left, extent)
        if extent % span or left % span:
            raise NoClosedForm
        spans.append(span)
        left //= span
        if left > 1 and span < extent:
            raise NoClosedForm
    return spans[0], spans[1], spans[2]


def name_of(model: WarpModel, atom: Atom) -> str:
    """Return what formulas call an open quantity: its name, or what it is computed from in parentheses."""
    name = model.printer.atom(atom)
    return name if name.replace(".", "").isidentifier() or name.startswith("(") else f"({name})"


def text(expression: Any) -> str:
    """Return a form as users would write it: `ceil(n/32)`."""
    return str(expression).replace("ceiling(", "ceil(").replace("**", "^")
