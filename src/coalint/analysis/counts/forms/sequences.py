"""Loops whose variables double or halve: how often they go round, and the guards that this already says."""

from __future__ import annotations

from typing import Any

from coalint.analysis.counts.axes import Axes
from coalint.analysis.counts.counted_loop import CountedLoop
from coalint.analysis.counts.forms.doublings import Doublings
from coalint.analysis.counts.forms.open_quantities import NoClosedForm, OpenQuantities
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.conditions import conjuncts
from coalint.analysis.domain.inequalities import slack

MOST_SPANS = 8
"""Warps along x that are counted one by one, each with a logarithm."""


class Sequences:
    """The loops of one access; relations under which their numbers hold are added to those of the open quantities.

    `guarded` is what comes of a loop's counter together with a guard of the thread index, by the index of its atom.
    """

    def __init__(self, open_: OpenQuantities, axes: Axes, span: int) -> None:
        self.open, self.algebra, self.axes = open_, open_.algebra, axes
        self.span = span
        self.guarded: dict[int, Any] = {}

    def trips_of(self, loop: CountedLoop) -> Any:
        """Return the iterations of a loop that guards need not bound; None where they do."""
        if loop.sequence is None:
            return loop.trips
        doublings = Doublings(self.algebra, self.open.value)
        trips = doublings.trips(loop.sequence)
        if trips is None:
            raise NoClosedForm
        self.open.conditions += doublings.conditions
        return trips

    def without_guard(self, loop: CountedLoop, parts: list[Poly]) -> list[Poly]:
        """Return the parts of guards without `threadIdx.x < s` of a loop that halves `s`, which is `guarded` then.

        With it go the warps along x that have such a lane in each iteration: one if `s` is at least 1, two from 33 on.
        """
        thread, spans = self.axes.threads[0], self.open.model.block[0] // self.span
        if loop.sequence is None or loop.counter is None or thread is None or self.guarded or spans > MOST_SPANS:
            return parts
        for value in loop.sequence.values:
            if value.held is None:
                continue
            inside = {part: {atom.index for atom in self.algebra.closure(part)} for part in parts}
            own = [part for part in parts if value.held in inside[part] or thread in inside[part]]
            if len(own) != 1 or slack(self.algebra, own[0]) != generator(value.held) - generator(thread):
                continue
            doublings = Doublings(self.algebra, self.open.value)
            bounds = (number * self.span + 1 for number in range(spans))
            iterations = doublings.at_least(loop.sequence, value.held, bounds)
            if iterations is not None:
                self.open.conditions += doublings.conditions
                self.guarded[loop.counter.index] = iterations
                return [part for part in parts if part is not own[0]]
        return parts

    def goes_on(self, loop: CountedLoop) -> list[Poly]:
        """Return the condition of a loop that is counted by itself, as guards have it."""
        if loop.sequence is None:
            return []
        condition = loop.sequence.condition
        for value in loop.sequence.values:
            if value.held is not None:
                atom = self.algebra.atoms[value.mark]
                condition = Substitution(self.algebra, atom, generator(value.held)).of(condition)
        return conjuncts(self.algebra, condition)
