"""Counts the warp instructions that a launch executes under given guards and loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.counts.axes import Axes
from coalint.analysis.counts.followed_loops import with_numbers
from coalint.analysis.counts.patterns import Enumerated, NotFollowed, Patterns, TooLarge, independent
from coalint.analysis.counts.reaches import NONE_KEPT, Reach
from coalint.analysis.counts.whole_blocks import block_patterns, most_values
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.conditions import Condition, conjuncts
from coalint.analysis.domain.inequalities import bounds_counter
from coalint.analysis.warps.quantities import OPEN
from coalint.core.facts.executions import Executions
from coalint.core.lazy import np

if TYPE_CHECKING:
    from coalint.analysis.warps.model import WarpModel

MAX_LANES = 1 << 22
"""Lanes, over all combinations of counters, that are tried one by one."""
FEW_LANES = 1 << 14
"""Lanes that are tried one by one in any case."""
MAX_TIMES = 1 << 62
"""Combinations of counters of all groups of guards, which are counted in 64 bits."""
FIRST_LIMIT = 64
"""Values of a counter without a known number that are tried first."""
NO_GRID = "the number of blocks"
ANEW = "each iteration goes to memory anew"
NONE_LEFT_OUT = "the compiler leaves out none of several accesses to one place"
MEAN = "of loads that copies of a loop's body share, those that are left cost as much as all on average"


def count_executions(
    model: WarpModel, reach: Reach, axes: Axes, fixed: Mapping[int, int], most_lanes: int = MAX_LANES
) -> Executions:
    """Return how often a launch executes what stands at a place.

    Every combination of the counters that the guards test is tried with every lane of a block, as the lane model has
    them; what the guards do not test multiplies the result. Where the launch does not tell the number of blocks along
    an axis that the guards bound, there are supposed to be enough for all that pass; and one along an axis whose index
    the kernel does not read.

    Args:
        model: The lanes of one block.
        reach: The guards and loops of the place.
        axes: The axes of the launch.
        fixed: Numbers of open quantities, by the indices of their atoms.
        most_lanes: Over all combinations of counters, that are tried one by one.
    """
    if reach.kept == NONE_KEPT:
        return Executions(0, 0)
    inside = [atom for atom in model.algebra.closure(*reach.sizes) if atom.index not in reach.stands_for]
    missing = [atom.name for atom in inside if atom.kind in OPEN and atom.index not in fixed]
    if missing:
        return Executions(None, missing=tuple(dict.fromkeys(missing)))
    mark = model.algebra.mark()
    try:
        numbered = with_numbers(model.algebra, reach, fixed)
        return _counted(model, numbered, axes, fixed, most_lanes)
    except NotFollowed as lost:
        return Executions(None, missing=lost.args)
    finally:
        model.algebra.forget(mark)


def _counted(model: WarpModel, reach: Reach, axes: Axes, fixed: Mapping[int, int], most_lanes: int) -> Executions:
    """Return the same, where all loops are counted by their trips or by guards."""
    algebra, guards, loops = model.algebra, reach.guards, reach.loops
    if any(loop.trips == 0 for loop in loops):
        return Executions(0, 0)
    inside = algebra.closure(*(guard.value for guard in guards))
    counts = {atom.index: atom.trips for atom in inside if atom.kind is AtomKind.COUNTER}
    counts |= {index: algebra.atoms[index].trips for guard in guards for index, _ in guard.over}
    supposed = ((reach.may_leave, ANEW), (reach.is_mean, MEAN), (reach.may_merge, NONE_LEFT_OUT))
    assumed = [text for is_supposed, text in supposed if is_supposed]
    times = 1
    for axis, (block, extent) in enumerate(zip(axes.blocks, axes.extents, strict=True)):
        number = axes.grid[axis] if axes.grid is not None else None if extent is None else fixed.get(extent)
        if block not in counts:
            if number is None and axes.read[axis]:
                return Executions(None, missing=(NO_GRID if extent is None else algebra.atoms[extent].name,))
            times *= 1 if number is None else number
            if number is None and axis == 0:
                assumed.append("one block is launched")
        else:
            counts[block] = number
            if number is None:
                assumed.append(f"`{algebra.atoms[block].name}` reaches all that pass the guards")
    for loop in loops:
        if loop.counter is not None and loop.counter.index in counts:
            continue
        if loop.trips is None:
            return Executions(None, missing=(f"the iterations of the loop over `{loop.name}`",))
        times *= loop.trips
    try:
        patterns = Patterns(model.exists, np.ones(1, dtype=np.int64))
        for tested, conditions in independent(algebra, guards):
            limits = {index: counts[index] for index in sorted(tested) if index not in fixed}
            tried = _tried(model, conditions, limits, fixed, most_lanes)
            if int(patterns.times.sum()) * int(tried.times.sum()) > MAX_TIMES:
                raise NotFollowed("too many iterations and blocks to count")
            patterns = patterns.both(tried)
    except TooLarge as large:
        return Executions(None, missing=large.args, is_too_large=True)
    except NotFollowed as lost:
        return Executions(None, missing=tuple(dict.fromkeys(lost.args)) or ("a condition that is not followed",))
    warps, threads = patterns.lanes.any(axis=-1).sum(axis=-1), patterns.lanes.sum(axis=(1, 2))
    counts_of = patterns.times.astype(object) * times  # numbers of any size: 64 bits would wrap around
    kept, of_all = reach.kept
    executed, active = (int(numbers @ counts_of) * kept // of_all for numbers in (warps, threads))
    return Executions(executed, active, assumed=tuple(assumed))


def _tried(
    model: WarpModel,
    guards: Sequence[Condition],
    counts: Mapping[int, int | None],
    fixed: Mapping[int, int],
    most_lanes: int,
) -> Patterns:
    """Try every combination of counters; of those without a number as many values as may pass the guards."""
    algebra = model.algebra
    bounds: dict[int, list[Poly]] = {}
    for index in (index for index, count in counts.items() if count is None):
        counter = algebra.atoms[index]
        parts = [part for guard in guards for part in conjuncts(algebra, guard.value)]
        bounds[index] = [part for part in parts if bounds_counter(algebra, part, counter, fixed)]
        if not bounds[index] or any(over == index for guard in guards for over, _ in guard.over):
            raise NotFollowed(f"the iterations of the loop over `{counter.name}`")
    if len(bounds) == 1:
        ((index, parts),) = bounds.items()
        most = most_values(model, parts, index, {i: n for i, n in counts.items() if n is not None}, fixed, most_lanes)
        counts, bounds = ({**counts, index: most}, {}) if most is not None else (counts, bounds)
    limits = {index: FIRST_LIMIT if count is None else count for index, count in counts.items()}
    uniform = all(algebra.level(guard.value) is Level.UNIFORM for guard in guards)
    exists = np.ones((1, 1, 1), dtype=np.bool_) if uniform else model.exists
    if not bounds and prod(limits.values()) * exists.size > FEW_LANES:
        patterns = block_patterns(model, guards, limits, fixed, exists, most_lanes)
        if patterns is not None:
            return patterns
    while prod(limits.values()) * exists.size <= most_lanes:
        tried = Enumerated(model, limits, fixed, exists)
        patterns = tried.patterns(guards)
        larger = [i for i, parts in bounds.items() if not any(tried.fails_at_last(part, i) for part in parts)]
        if not larger:
            return patterns
        limits |= {index: limits[index] * 8 for index in larger}
    raise TooLarge("too many iterations and blocks to try one by one")
