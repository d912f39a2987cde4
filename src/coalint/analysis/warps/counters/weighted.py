"""Values of a counter that are alike: the least of them stands for all, with how many there are.

All blocks of `blockIdx.x * 256 + threadIdx.x < n` but the last ones let each of their threads pass, whichever they are.
So a few values of a counter give the mean over all of them, though there may be a million.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.warps.counters.counter_tests import CounterTest, counter_tests
from coalint.analysis.warps.counters.periods import common_period
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.domain.algebra.arithmetic import Number

MOST_CELLS = 1 << 22  # values of counters for which one condition is evaluated at once
MOST_RUNS = 2048  # stretches of a counter's values that are told apart
MOST_REQUESTS = 1 << 50  # that rows may stand for, so that sums of what they cost fit into 64 bits


@record(frozen=True, slots=True)
class Block:
    """A block: `exists` says which lanes there are, shape (1, W, 32); `threads` has threadIdx by its atoms."""

    threads: Mapping[int, Number]
    exists: NDArray[np.bool_]


@record(frozen=True, slots=True)
class Weighted:
    """Values of a counter in rising order, and how many each stands for, both int64 of shape (n,)."""

    numbers: NDArray[np.int64]
    weights: NDArray[np.int64]


def weighted_values(
    algebra: Algebra,
    guards: Sequence[Condition],
    block: Block,
    ranges: Mapping[int, int],
    addresses: Sequence[Poly],
    granularity: int,
    fixed: Mapping[int, int],
    limit: int,
) -> dict[int, Weighted]:
    """Return counters with values that stand for all of theirs, until there are at most `limit` combinations.

    Args:
        algebra: The atoms.
        guards: What lanes must pass.
        block: The threads that the guards are asked of.
        ranges: How many values each counter has, from 0 on, by the indices of their atoms.
        addresses: Those of the access.
        granularity: Bytes by which they may move without another pattern.
        fixed: Numbers of open quantities, likewise.
        limit: Combinations of counters.
    """
    if prod(ranges.values()) > MOST_REQUESTS // block.exists.shape[1]:
        return {}
    tests, mixed, followed = counter_tests(algebra, guards, ranges, fixed)
    found: dict[int, Weighted] = {}
    left = dict(ranges)
    for index in sorted(ranges, key=lambda index: -ranges[index]):
        if prod(left.values()) <= limit:
            break
        if index in followed or algebra.atoms[index].trips is None:
            continue
        repeats = common_period(algebra, addresses, mixed.get(index, ()), index, granularity)
        if repeats is None:
            continue
        own = [test for test in tests if index in test.counters]
        values = _Counter(algebra, block, ranges, fixed, index).values(own, repeats)
        if values is not None and len(values.numbers) < ranges[index]:
            found[index] = values
            left[index] = len(values.numbers)
    return found


class _Counter:
    """The values of one counter, told apart by conditions."""

    def __init__(
        self, algebra: Algebra, block: Block, ranges: Mapping[int, int], fixed: Mapping[int, int], index: int
    ) -> None:
        self.algebra, self.block, self.ranges, self.fixed, self.index = algebra, block, ranges, fixed, index

    def values(self, tests: Sequence[CounterTest], period: int) -> Weighted | None:
        """Return the values that stand for all; None where some condition is open, or tells too many apart."""
        try:
            columns = [self._column(test) for test in tests]
        except (Undecided, OverflowError):
            return None
        kinds: dict[tuple[bytes, int], list[int]] = {}
        runs = _runs(columns, self.ranges[self.index])
        if len(runs) > MOST_RUNS:
            return None
        for first, length in runs:
            told = b"".join(column[first].tobytes() for column in columns)
            for value in range(first, first + min(period, length)):
                counted = kinds.setdefault((told, value % period), [value, 0])
                counted[1] += (first + length - 1 - value) // period + 1
        ordered = np.array(sorted(kinds.values()), dtype=np.int64)
        return Weighted(ordered[:, 0], ordered[:, 1])

    def _column(self, test: CounterTest) -> NDArray[np.int64]:
        """Return what a condition sees of each value, in all combinations with the other counters that it rests on.

        Raises Undecided where that is open. Numbers beyond those of the threads are as good as the next one.
        """
        others = [index for index in test.counters if index != self.index]
        axes = [self.index, *others]
        cells = prod(self.ranges[index] for index in axes)
        if cells > MOST_CELLS:
            raise Undecided("a condition on too many combinations of counters")
        grid = np.indices([self.ranges[index] for index in axes], dtype=np.int64).reshape(len(axes), cells, 1, 1)
        common = self._number(test.common, {**self.fixed, **dict(zip(axes, grid, strict=True))})
        column: NDArray[np.int64] = np.broadcast_to(common, (cells, 1, 1)).reshape(self.ranges[self.index], -1)
        if test.own is None:
            return column
        exists = self.block.exists
        lanes = np.broadcast_to(self._number(test.own, {**self.block.threads, **self.fixed}), exists.shape)[exists]
        clipped: NDArray[np.int64] = np.clip(column, -lanes.max() - 1, 1 - lanes.min())
        return clipped

    def _number(self, value: Poly, known: dict[int, Number]) -> Number:
        """Return a value without anything open. Raises Undecided."""
        evaluator = LaneEvaluator(self.algebra, known)
        number = evaluator.value(value)
        if not number.keys() <= {CONSTANT} or evaluator.assumed or evaluator.approximate or evaluator.open_choices:
            raise Undecided("a part of a condition is open")
        return number.get(CONSTANT, 0)


def _runs(columns: Sequence[NDArray[np.int64]], count: int) -> list[tuple[int, int]]:
    """Return the stretches of equal rows of all columns: where each begins, and how long it is."""
    begins = np.zeros(count, dtype=np.bool_)
    begins[0] = True
    for column in columns:
        begins[1:] |= (column[1:] != column[:-1]).any(axis=1)
    firsts = np.flatnonzero(begins)
    lengths = np.diff(firsts, append=count)
    return list(zip(firsts.tolist(), lengths.tolist(), strict=True))
