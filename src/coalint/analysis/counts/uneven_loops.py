"""Loops that the lanes of one warp leave in different iterations: what the compiler's copies of the body change.

nvcc makes rounds of several iterations of a loop, four as a rule, and puts what is left of them after. A lane that
leaves after 5 iterations then goes through one round and one of the rest, beside lanes that come to the rest after 9:
the same accesses in other requests. Seen on an H200 (`upper_triangle_by_four` of the fixtures): 102 requests where the
source has 96. Where all lanes of each warp that come to an access make as many iterations, copies change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from coalint.analysis.counts.counted_loop import CountedLoop
from coalint.analysis.counts.patterns import independent
from coalint.analysis.counts.uneven_trials import Known, Tested, Trial
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Level
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.core import ir
from coalint.core.facts.suppositions import Supposed, Supposition

if TYPE_CHECKING:
    from coalint.analysis.warps.model import WarpModel

FORBIDDEN = 1
"""Copies of a body that the source asks for, where it forbids more than one."""
FEW_BLOCKS = 64
"""Values of a block index that are tried where the launch does not tell how many there are."""


def conditions_to_stay(loop: ir.Loop, counter: Atom | None, guards: Iterable[Guard]) -> tuple[Condition, ...]:
    """Return the guards that keep a thread in a loop; none where the compiler may not copy its body.

    These are its condition, and that the thread has not left it in an earlier iteration.
    """
    if counter is None or loop.unroll == FORBIDDEN:
        return ()
    tested = None if loop.condition is None else loop.condition.span
    return tuple(
        guard.condition
        for guard in guards
        if any(index == counter.index for index, _ in guard.condition.over)
        or (guard.kind is GuardKind.LOOP and guard.span == tested)
    )


def is_left_unevenly(
    model: WarpModel,
    guards: Sequence[Condition],
    loop: CountedLoop,
    fixed: Mapping[int, int],
    most_lanes: int,
    known: Known,
) -> bool | None:
    """Whether lanes of one warp that come to an access make different numbers of iterations of a loop around it.

    Args:
        model: The lanes of one block.
        guards: All conditions of the access.
        loop: The loop.
        fixed: Numbers of open quantities, by the indices of their atoms.
        most_lanes: Over all combinations of counters, that are tried one by one.
        known: What was found out before, for the same model.

    Returns:
        None where that is not known.
    """
    algebra, counter = model.algebra, loop.counter
    if counter is None or all(algebra.level(condition.value) is Level.UNIFORM for condition in loop.stays):
        return False
    groups = independent(algebra, guards)
    limits = {
        index: algebra.atoms[index].trips or FEW_BLOCKS
        for tested, _ in groups
        if counter.index in tested
        for index in sorted(tested)
        if index not in fixed
    }
    if counter.index not in limits:
        return None
    stays = [one for tested, conditions in independent(algebra, loop.stays) if tested for one in conditions]
    wider = limits | _apart(algebra, groups, fixed)
    tested_by = Tested(_within(groups, limits), stays, _within(groups, wider))
    return Trial(model, counter, limits, wider, fixed, most_lanes, known).result(tested_by)


def _within(groups: Sequence[tuple[frozenset[int], list[Condition]]], limits: Mapping[int, int]) -> list[Condition]:
    """Return the conditions that test nothing but these counters."""
    return [one for tested, conditions in groups if tested <= limits.keys() for one in conditions]


def _apart(
    algebra: Algebra, groups: Sequence[tuple[frozenset[int], list[Condition]]], fixed: Mapping[int, int]
) -> dict[int, int]:
    """Return how many values the counters have that guards test which tell lanes apart, as far as that is known."""
    return {
        index: trips
        for tested, conditions in groups
        if any(algebra.level(one.value) is not Level.UNIFORM for one in conditions)
        for index in sorted(tested)
        if index not in fixed and (trips := algebra.atoms[index].trips)
    }


def supposed_whole(loop: CountedLoop) -> Supposition:
    """Return what a number rests on that counts a loop iteration by iteration."""
    text = f"the compiler does not unroll the loop over `{loop.name}`, which lanes of a warp leave at different times"
    return Supposition(text, Supposed.UNROLLING)
