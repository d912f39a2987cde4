"""Counts the warp instructions that a launch executes under given guards and loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.counts.counted_loop import CountedLoop
from coalint.analysis.domain.algebra.atoms import AtomKind
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.warps.counters.plan import Plan
from coalint.analysis.warps.lanes.lane_numbers import Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.analysis.warps.passing_lanes import PassingLanes
from coalint.analysis.warps.quantities import OPEN, given_numbers
from coalint.core.facts.executions import Executions
from coalint.core.lazy import np

if TYPE_CHECKING:
    from coalint.analysis.warps.model import WarpModel

MAX_LANES = 1 << 22
"""Lanes, over all combinations of counters, that are tried one by one."""
NO_GRID = "the number of blocks"


def count_executions(
    model: WarpModel,
    guards: Sequence[Condition],
    loops: Sequence[CountedLoop],
    grid: tuple[int, int, int] | None,
) -> Executions:
    """Return how often a launch executes what stands under guards, in loops.

    Every combination of the counters that the guards test is tried with every lane of a block, as the lane model has
    them; what the guards do not test multiplies the result.

    Args:
        model: The lanes of one block.
        guards: The conditions that hold where it is executed.
        loops: The loops around it, outermost first.
        grid: The blocks of the launch along x, y and z; None where the launch does not tell.
    """
    algebra = model.algebra
    inside = algebra.closure(*(guard.value for guard in guards))
    fixed = given_numbers(algebra, model.given, (), guards)
    open_ = [atom.name for atom in inside if atom.kind in OPEN and atom.index not in fixed]
    if open_:
        return Executions(None, missing=tuple(dict.fromkeys(open_)))
    if grid is None:
        return Executions(None, missing=(NO_GRID,))
    counts = {atom.index: atom.trips for atom in inside if atom.kind is AtomKind.COUNTER}
    times = prod(grid) // prod(atom.trips or 1 for atom in inside if atom.is_block_index)
    counts |= {index: algebra.atoms[index].trips for guard in guards for index, _ in guard.over}
    for loop in loops:
        if loop.trips is None:
            return Executions(None, missing=(f"the iterations of the loop over `{loop.name}`",))
        if loop.counter is None or loop.counter.index not in counts:
            times *= loop.trips
    return _enumerated(model, guards, counts, fixed, times)


def _enumerated(
    model: WarpModel,
    guards: Sequence[Condition],
    counts: Mapping[int, int | None],
    fixed: Mapping[int, int],
    times: int,
) -> Executions:
    algebra = model.algebra
    known = {index: count for index, count in counts.items() if count is not None}
    if len(known) < len(counts):
        return Executions(None, missing=tuple(algebra.atoms[i].name for i, count in counts.items() if count is None))
    rows = prod(known.values())
    if rows * model.exists.size > MAX_LANES:
        return Executions(None, missing=("too many iterations and blocks to try one by one",))
    axes = np.indices(tuple(known.values()), dtype=np.int64).reshape(len(known), rows)
    plan = Plan(
        arrays={index: axis.reshape(-1, 1, 1) for index, axis in zip(known, axes, strict=True)},
        combinations=rows,
        averaged=frozenset(),
        sampled=False,
        assumed={},
        counts=dict(known),
        whole=frozenset(known),
    )
    evaluator = LaneEvaluator(algebra, {**model.threads, **fixed, **plan.arrays})
    active = np.broadcast_to(model.exists, (rows, *model.exists.shape[1:])).copy()
    passing = PassingLanes(algebra, evaluator, plan, fixed, active)
    try:
        for guard in guards:
            passing.restrict(guard)
    except (Undecided, OverflowError):
        return Executions(None, missing=("a condition that is not followed",))
    lost = [part.guard.text for part in passing.parts if not part.followed]
    if lost or passing.suppositions or evaluator.open_choices or evaluator.approximate or evaluator.permuted:
        return Executions(None, missing=tuple(f"`{text}`" for text in dict.fromkeys(lost)) or ("a condition",))
    return Executions(int(active.any(axis=-1).sum()) * times, int(active.sum()) * times)


