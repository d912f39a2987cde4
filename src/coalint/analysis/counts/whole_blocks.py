"""Blocks and iterations in which all lanes of a block pass the guards, or none: told without trying each lane.

`i < n` of a grid that strides over ten million elements holds for whole blocks in all rounds but the last. An
inequality that is a sum of a part in counters and a part in threads is bounded by the least and the greatest value of
the latter; only the combinations of counters between these bounds have lanes of either kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.counts.patterns import Enumerated, Patterns, all_values
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.conditions import Condition, conjuncts
from coalint.analysis.domain.inequalities import parted, step_of
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.warps.model import WarpModel


def block_patterns(
    model: WarpModel,
    guards: Sequence[Condition],
    limits: Mapping[int, int],
    fixed: Mapping[int, int],
    exists: NDArray[np.bool_],
    most: int,
) -> Patterns | None:
    """Return the lanes that pass in every combination of counters; None where too many have to be tried.

    Args:
        model: The lanes of one block.
        guards: The conditions.
        limits: How many values each counter has, by the indices of their atoms.
        fixed: Numbers of open quantities, likewise.
        exists: The lanes that are tried, as `Enumerated` has them.
        most: Combinations of counters, and lanes over those of them that are tried one by one.

    Raises:
        NotFollowed: The lanes that pass a guard are not known.
    """
    sorted_out = mixed_blocks(model, guards, limits, fixed, exists, most)
    if sorted_out is None:
        return None
    kinds = np.stack((exists[0], np.zeros_like(exists[0])))
    times = np.array((sorted_out.all_pass, sorted_out.none_pass), dtype=np.int64)
    if sorted_out.rows:
        patterns = Enumerated(model, limits, fixed, exists, sorted_out.arrays).patterns(guards)
        kinds, times = np.concatenate((kinds, patterns.lanes)), np.concatenate((times, patterns.times))
    return Patterns(kinds[times > 0], times[times > 0])


@record(frozen=True, slots=True)
class MixedBlocks:
    """The combinations of counters in which some lanes may pass and others not.

    `all_pass` and `none_pass` are how many others there are of either kind; `rows` how many of these, and `arrays` the
    values of each counter in them, shape (rows, 1, 1).
    """

    all_pass: int
    none_pass: int
    rows: int
    arrays: dict[int, NDArray[np.int64]]


def mixed_blocks(
    model: WarpModel,
    guards: Sequence[Condition],
    limits: Mapping[int, int],
    fixed: Mapping[int, int],
    exists: NDArray[np.bool_],
    most: int,
) -> MixedBlocks | None:
    """Return the combinations that have to be tried; None where these are too many, as of `block_patterns`."""
    rows = prod(limits.values())
    if not limits or rows > most or any(guard.over for guard in guards):
        return None
    arrays = all_values(limits)
    try:
        all_pass, some_may = _bounds(model, guards, arrays, fixed, exists, rows)
    except (Undecided, OverflowError):
        return None
    left = some_may & ~all_pass
    if int(left.sum()) * exists.size > most:
        return None
    tried = {index: values[left] for index, values in arrays.items()}
    return MixedBlocks(int(all_pass.sum()), int((~some_may).sum()), int(left.sum()), tried)


def most_values(
    model: WarpModel,
    parts: Sequence[Poly],
    counter: int,
    limits: Mapping[int, int],
    fixed: Mapping[int, int],
    most: int,
) -> int | None:
    """Return how many values from 0 on a counter has before the first of some conditions fails for all lanes.

    Args:
        model: The lanes of one block.
        parts: Conditions that fail for all larger values once they fail for one.
        counter: The counter, by the index of its atom.
        limits: How many values each other counter has.
        fixed: Numbers of open quantities.
        most: Combinations of the other counters that are tried.

    Returns:
        At least 1; None where it is not known.
    """
    algebra = model.algebra
    if prod(limits.values()) > most:
        return None
    arrays = all_values({counter: 1, **limits})
    counters, threads = LaneEvaluator(algebra, {**fixed, **arrays}), LaneEvaluator(algebra, {**model.threads, **fixed})
    counts = []
    for part in parts:
        sides, step = parted(algebra, part, arrays), step_of(algebra, part, algebra.atoms[counter], fixed)
        if sides is None or step is None:
            return None
        try:
            values = [e.value(value) for e, value in zip((counters, threads), sides, strict=True)]
        except (Undecided, OverflowError):
            return None
        if any(not value.keys() <= {CONSTANT} for value in values):
            return None
        room = sum(int(np.max(value.get(CONSTANT, 0))) for value in values)
        counts.append(max(1, -(-room // -step)))
    if any(e.approximate or e.permuted or e.open_choices for e in (counters, threads)):
        return None
    return min(counts, default=None)


def _bounds(
    model: WarpModel,
    guards: Sequence[Condition],
    arrays: Mapping[int, NDArray[np.int64]],
    fixed: Mapping[int, int],
    exists: NDArray[np.bool_],
    rows: int,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return for each combination of counters whether all lanes pass, and whether some may, shape (rows,)."""
    algebra = model.algebra
    all_pass, some_may = np.ones(rows, dtype=np.bool_), np.ones(rows, dtype=np.bool_)
    counters = LaneEvaluator(algebra, {**fixed, **arrays})
    threads = LaneEvaluator(algebra, {**model.threads, **fixed})
    for part in (part for guard in guards for part in conjuncts(algebra, guard.value)):
        sides = parted(algebra, part, arrays)
        if sides is None:
            all_pass[:] = False
            continue
        common, own = (e.value(value) for e, value in zip((counters, threads), sides, strict=True))
        if not (common.keys() | own.keys()) <= {CONSTANT}:
            raise Undecided("a part of an inequality is open")
        start = np.broadcast_to(common.get(CONSTANT, 0), (rows, 1, 1)).reshape(rows)
        lanes = np.broadcast_to(own.get(CONSTANT, 0), exists.shape)[exists]
        all_pass &= start + lanes.min() > 0
        some_may &= start + lanes.max() > 0
    if any(e.approximate or e.permuted or e.open_choices for e in (counters, threads)):
        raise Undecided("a part of an inequality is no number")
    return all_pass, some_may
