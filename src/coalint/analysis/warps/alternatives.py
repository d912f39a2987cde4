"""How many lanes pass alternatives of which one must hold, as `!(x >= 4 && x + 7 < n)`: the ends of a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Poly
from coalint.analysis.domain.conditions import disjuncts
from coalint.analysis.warps.lanes.fulfilled import fulfilled
from coalint.analysis.warps.passed_intervals import FAR, Interval, Unknown, intervals
from coalint.analysis.warps.remainders import Quotient
from coalint.core.arrays import distinct
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.warps.lanes.lane_values import LaneEvaluator

MOST_VALUES = 256  # of one sum that are tried


@record(frozen=True, slots=True)
class Choice:
    """A condition that holds by one of several alternatives, with lanes of shape (E, W, 32).

    `known` are the lanes that may pass by alternatives that do not rest on `unknown`, `open` the intervals of its
    values with which they pass by the others. No alternative rests on anything else; None where they rest on nothing.
    """

    part: Poly
    known: NDArray[np.bool_]
    unknown: Unknown | None
    open: tuple[Interval, ...]

    def passing(self, value: int) -> NDArray[np.bool_]:
        """Return the lanes that pass for a value of the unknown sum."""
        lanes = self.known
        for low, high in self.open:
            lanes = lanes | ((low <= value) & (value <= high))
        return lanes


@record(frozen=True, slots=True)
class Choices:
    """Reads conditions as alternatives, with lanes of this shape; `divided` are quotients in them."""

    evaluator: LaneEvaluator
    shape: tuple[int, ...]
    divided: Sequence[Quotient]

    def of(self, parts: Iterable[Poly]) -> Iterator[Choice]:
        """Yield each condition that is a choice, once for each unknown sum that all its open alternatives share."""
        for part in parts:
            alternatives = disjuncts(self.evaluator.algebra, part)
            if len(alternatives) > 1:
                yield from self._choices(part, alternatives)

    def _choices(self, part: Poly, alternatives: Sequence[Poly]) -> Iterator[Choice]:
        known = np.zeros(self.shape, dtype=np.bool_)
        open_ones: list[dict[Unknown, Interval]] = []
        for alternative in alternatives:
            passing = fulfilled(self.evaluator, alternative, self.shape)
            if passing is not None:
                known = known | passing
                continue
            ranges = dict(intervals(self.evaluator, alternative, self.shape, self.divided))
            lanes = [_from_zero(interval) for unknown, interval in ranges.items() if self._never_negative(unknown)]
            if lanes:
                known = known | np.logical_and.reduce(lanes)
            else:
                open_ones.append(ranges)
        if not open_ones:
            yield Choice(part, known, None, ())
            return
        for unknown in open_ones[0]:
            if unknown and all(unknown in one for one in open_ones):
                yield Choice(part, known, unknown, tuple(one[unknown] for one in open_ones))

    def _never_negative(self, unknown: Unknown) -> bool:
        """Whether a sum is of indices of blocks and counts of iterations alone, none of them subtracted."""
        atoms = self.evaluator.algebra.atoms
        return bool(unknown) and all(
            factor > 0 and all(atoms[index].is_block_index or atoms[index].kind is AtomKind.COUNTER for index, _ in key)
            for key, factor in unknown
        )


def most_of(choices: Sequence[Choice], bounds: Interval, active: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], int]:
    """Return the active lanes that pass for the value of an unknown sum that lets most of one warp pass, and the value.

    `bounds` are the values of that sum that other conditions leave each lane.
    """
    low, high = bounds
    ends = [end for interval in (bounds, *(one for choice in choices for one in choice.open)) for end in interval]
    values = distinct(np.concatenate([end[active] for end in ends] or [np.zeros(0, dtype=np.int64)]))
    values = values[(values > -FAR) & (values < FAR)]
    if not len(values):
        return active, 0
    best, number, most = active, 0, (-1, -1)
    for value in values[:: -(-len(values) // MOST_VALUES)].tolist():
        passing = active & (low <= value) & (value <= high)
        for choice in choices:
            passing = passing & choice.passing(value)
        count = (int(passing.sum(axis=2).max(initial=0)), int(passing.sum()))
        if count > most:
            best, number, most = passing, value, count
    return best, number


def _from_zero(interval: Interval) -> NDArray[np.bool_]:
    """Return the lanes whose intervals hold a value that is not negative."""
    low, high = interval
    return (high >= 0) & (low <= high)
