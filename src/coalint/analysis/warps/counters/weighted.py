"""Values of a counter that are alike: the least of them stands for all, with how many there are.

All blocks of `blockIdx.x * 256 + threadIdx.x < n` but the last ones let each of their threads pass, whichever they are.
So a few values of a counter give the mean over all of them, though there may be a million.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.warps.counters.counter_tests import counter_tests
from coalint.analysis.warps.counters.periods import common_period
from coalint.analysis.warps.counters.stretches import Block, Stretch, Stretches
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_REQUESTS = 1 << 50  # that rows may stand for, so that sums of what they cost fit into 64 bits


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
    tests, mixed, followed = counter_tests(algebra, guards, addresses, ranges, fixed)
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
        stretches = Stretches(algebra, block, ranges, fixed, index).of(own)
        values = None if stretches is None else _weighted(stretches, repeats)
        if values is not None and len(values.numbers) < ranges[index]:
            found[index] = values
            left[index] = len(values.numbers)
    return found


def _weighted(stretches: Sequence[Stretch], period: int) -> Weighted:
    """Return the least value of each kind and each remainder by a period, with how many there are of it."""
    kinds: dict[tuple[Hashable, int], list[int]] = {}
    for one in stretches:
        for value in range(one.first, one.first + min(period, one.length)):
            counted = kinds.setdefault((one.told, value % period), [value, 0])
            counted[1] += (one.first + one.length - 1 - value) // period + 1
    ordered = np.array(sorted(kinds.values()), dtype=np.int64)
    return Weighted(ordered[:, 0], ordered[:, 1])
