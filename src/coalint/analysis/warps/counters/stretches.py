"""Stretches of a counter's values that conditions do not tell apart."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.warps.counters.counter_tests import CounterTest
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.domain.algebra.arithmetic import Number

MOST_CELLS = 1 << 20  # values of counters for which one condition is evaluated at once
MOST_STRETCHES = 2048


@record(frozen=True, slots=True)
class Block:
    """A block: `exists` says which lanes there are, shape (1, W, 32); `threads` has threadIdx by its atoms."""

    threads: Mapping[int, Number]
    exists: NDArray[np.bool_]


@record(frozen=True, slots=True)
class Stretch:
    """Values of a counter that follow each other: the first, how many, and what conditions see of each of them."""

    first: int
    length: int
    told: Hashable


@record(frozen=True, slots=True)
class _Line:
    """A condition that sees `start + step * v` of a value v, up to `low` and from `high` on as one number each."""

    start: int
    step: int
    low: int
    high: int

    def of(self, value: int) -> int:
        return min(max(self.start + self.step * value, self.low), self.high)

    def between(self, count: int) -> range:
        """Return the values of `count` from which on it sees another number."""
        start, low, high = (n if self.step > 0 else -n for n in (self.start, self.low, self.high))
        low, high = min(low, high), max(low, high)
        if not self.step:
            return range(0)
        step = abs(self.step)
        return range(max(0, (low - start) // step + 1), min(count - 1, -((start - high) // step)) + 1)


class Stretches:
    """The values of one counter, told apart by conditions."""

    def __init__(
        self, algebra: Algebra, block: Block, ranges: Mapping[int, int], fixed: Mapping[int, int], index: int
    ) -> None:
        self.algebra, self.block, self.ranges, self.fixed, self.index = algebra, block, ranges, fixed, index

    def of(self, tests: Sequence[CounterTest]) -> list[Stretch] | None:
        """Return all values, in order; None where some condition is open, or tells too many apart."""
        count = self.ranges[self.index]
        try:
            lines = [self._line(test) for test in tests]
            known = [line for line in lines if line is not None]
            if len(known) == len(lines):
                inner = [line.between(count) for line in known]
                if sum(map(len, inner)) > MOST_STRETCHES:
                    return None
                firsts = sorted({0, *(value for values in inner for value in values)})
                told: Iterable[Hashable] = (tuple(line.of(first) for line in known) for first in firsts)
            else:
                columns = [self._column(test) for test in tests]
                firsts = _changes(columns, count)
                if len(firsts) > MOST_STRETCHES:
                    return None
                told = (b"".join(column[first].tobytes() for column in columns) for first in firsts)
        except (Undecided, OverflowError):
            return None
        lengths = (after - first for first, after in pairwise([*firsts, count]))
        return list(map(Stretch, firsts, lengths, told))

    def _line(self, test: CounterTest) -> _Line | None:
        """Return a condition on this counter alone that grows by steps with it; None for any other."""
        if test.own is None or len(test.counters) > 1:
            return None
        made = (atom for atom in self.algebra.closure(test.common) if atom.index != self.index)
        if any(self.algebra.depends(operand, self.index) for atom in made for operand in atom.operands):
            return None
        step = self.algebra.number(self.algebra.difference(test.common, self.algebra.atoms[self.index]))
        if step is None:
            return None
        start = np.asarray(self._number(test.common, {**self.fixed, self.index: 0}))
        low, high = self._ends(test.own)
        return _Line(int(start.reshape(-1)[0]), step, low, high)

    def _column(self, test: CounterTest) -> NDArray[np.int64]:
        """Return what a condition sees of each value, in all combinations with the other counters that it rests on.

        Raises Undecided where that is open.
        """
        axes = [self.index, *(index for index in test.counters if index != self.index)]
        cells = prod(self.ranges[index] for index in axes)
        if cells > MOST_CELLS:
            raise Undecided("a condition on too many combinations of counters")
        grid = np.indices([self.ranges[index] for index in axes], dtype=np.int64).reshape(len(axes), cells, 1, 1)
        common = self._number(test.common, {**self.fixed, **dict(zip(axes, grid, strict=True))})
        column: NDArray[np.int64] = np.broadcast_to(common, (cells, 1, 1)).reshape(self.ranges[self.index], -1)
        if test.own is None:
            return column
        clipped: NDArray[np.int64] = np.clip(column, *self._ends(test.own))
        return clipped

    def _ends(self, own: Poly) -> tuple[int, int]:
        """Return the numbers below and above which a sum with those of the threads compares alike with 0."""
        exists = self.block.exists
        lanes = np.broadcast_to(self._number(own, {**self.block.threads, **self.fixed}), exists.shape)[exists]
        return -int(lanes.max()) - 1, 1 - int(lanes.min())

    def _number(self, value: Poly, known: dict[int, Number]) -> Number:
        """Return a value without anything open. Raises Undecided."""
        evaluator = LaneEvaluator(self.algebra, known)
        number = evaluator.value(value)
        if not number.keys() <= {CONSTANT} or evaluator.assumed or evaluator.approximate or evaluator.open_choices:
            raise Undecided("a part of a condition is open")
        return number.get(CONSTANT, 0)


def _changes(columns: Sequence[NDArray[np.int64]], count: int) -> list[int]:
    """Return the rows that differ from the one before in some column, and the first."""
    begins = np.zeros(count, dtype=np.bool_)
    begins[0] = True
    for column in columns:
        begins[1:] |= (column[1:] != column[:-1]).any(axis=1)
    return [int(first) for first in np.flatnonzero(begins)]
