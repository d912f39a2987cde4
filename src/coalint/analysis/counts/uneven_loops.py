"""Loops that the lanes of one warp leave in different iterations: what the compiler's copies of the body change.

nvcc makes rounds of several iterations of a loop, four as a rule, and puts what is left of them after. A lane that
leaves after 5 iterations then goes through one round and one of the rest, beside lanes that come to the rest after 9:
the same accesses in other requests. Seen on an H200 (`upper_triangle_by_four` of the fixtures): 102 requests where the
source has 96. Where all lanes of each warp that come to an access make as many iterations, copies change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.counts.counted_loop import CountedLoop
from coalint.analysis.counts.patterns import Enumerated, NotFollowed, independent
from coalint.analysis.counts.whole_blocks import mixed_blocks
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Level
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.core import ir
from coalint.core.arrays import LARGEST
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

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


class Known:
    """What was found out under the conditions that matter, which many accesses share.

    `found` are answers, `lost` conditions in a row of which the last is not followed.
    """

    def __init__(self) -> None:
        self.found: dict[tuple[object, ...], bool | None] = {}
        self.lost: set[tuple[object, ...]] = set()


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
    active = _within(groups, limits)
    stays = [one for tested, conditions in independent(algebra, loop.stays) if tested for one in conditions]
    wider = limits | _apart(algebra, groups, fixed)
    parts = active, stays, _within(groups, wider)
    tried = (counter.index, *limits.items(), *fixed.items())
    key = (*tried, *(tuple((one.value, one.over) for one in part) for part in parts))
    if key not in known.found:
        known.found[key] = _found(model, counter, parts, limits, wider, fixed, most_lanes, known.lost, tried)
    return known.found[key]


def _within(groups: Sequence[tuple[frozenset[int], list[Condition]]], limits: Mapping[int, int]) -> list[Condition]:
    """Return the conditions that test nothing but these counters."""
    return [one for tested, conditions in groups if tested <= limits.keys() for one in conditions]


def _found(
    model: WarpModel,
    counter: Atom,
    parts: tuple[Sequence[Condition], Sequence[Condition], Sequence[Condition]],
    limits: Mapping[int, int],
    wider: Mapping[int, int],
    fixed: Mapping[int, int],
    most_lanes: int,
    lost: set[tuple[object, ...]],
    key: tuple[object, ...],
) -> bool | None:
    """Return what `is_left_unevenly` does, with the conditions of the access and those to stay that matter.

    The third `parts` are the conditions that test the counters of `wider`: other guards may leave none but lanes that
    go along with each other.
    """
    active, stays, further = parts
    is_known = all(model.algebra.atoms[index].trips for index in limits)
    try:
        if prod(limits.values()) * model.exists.size <= most_lanes:
            tried = Enumerated(model, limits, fixed)
            is_uneven = _differ(_passing(tried, active, lost, key), tried.passing(stays), counter, limits)
            if is_uneven and len(wider) > len(limits) and prod(wider.values()) * model.exists.size <= most_lanes:
                tried = Enumerated(model, wider, fixed)
                is_uneven = _differ(tried.passing(further), tried.passing(stays), counter, wider)
        elif is_known:
            return _differ_at_the_end(model, active, stays, counter, limits, fixed, most_lanes)
        else:
            return None
    except NotFollowed:
        return None
    return is_uneven or (False if is_known else None)


def _passing(
    tried: Enumerated, guards: Sequence[Condition], lost: set[tuple[object, ...]], key: tuple[object, ...]
) -> NDArray[np.bool_]:
    """Return the lanes that pass. Raises NotFollowed, at once where that is known of the first of these guards.

    `key` is what is tried: what is known to be `lost` holds for that alone.
    """
    begins = [(*key, *((one.value, one.over) for one in guards[: end + 1])) for end in range(len(guards))]
    if not lost.isdisjoint(begins):
        raise NotFollowed
    try:
        return tried.passing(guards, at_once=True)
    except NotFollowed as refused:
        if begins:
            lost.add(begins[(len(refused.args) or len(begins)) - 1])
        raise


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


def _differ(active: NDArray[np.bool_], stays: NDArray[np.bool_], counter: Atom, limits: Mapping[int, int]) -> bool:
    """Whether lanes of a warp that are ever active make different numbers of iterations, all other counters the same.

    `active` and `stays` have the lanes of each combination of counters, shape (rows, W, 32).
    """
    axis, shape = list(limits).index(counter.index), (*limits.values(), *active.shape[1:])
    takes_part = active.reshape(shape).any(axis=axis)
    iterations = np.logical_and.accumulate(stays.reshape(shape), axis=axis).sum(axis=axis)
    most = np.where(takes_part, iterations, 0).max(axis=-1)
    least = np.where(takes_part, iterations, LARGEST).min(axis=-1)
    return bool((takes_part.any(axis=-1) & (most != least)).any())


def _differ_at_the_end(
    model: WarpModel,
    active: Sequence[Condition],
    stays: Sequence[Condition],
    counter: Atom,
    limits: Mapping[int, int],
    fixed: Mapping[int, int],
    most_lanes: int,
) -> bool | None:
    """Return the same of inequalities that hold for whole blocks in most iterations; None where that is not known.

    A warp of which some lanes stay in an iteration, and some that began the loop do not, has lanes of both kinds.
    """
    around = [one for one in active if not any(one.value == stay.value for stay in stays)]
    if any(atom.index in limits for one in around for atom in model.algebra.closure(one.value)):
        return None
    mixed = mixed_blocks(model, stays, limits, fixed, model.exists, most_lanes)
    if mixed is None:
        return None
    if not mixed.rows:
        return False
    first = {**mixed.arrays, counter.index: np.zeros_like(mixed.arrays[counter.index])}
    begun = Enumerated(model, limits, fixed, arrays=first).passing([*around, *stays])
    stay = Enumerated(model, limits, fixed, arrays=mixed.arrays).passing(stays)
    return bool(((begun & stay).any(axis=-1) & (begun & ~stay).any(axis=-1)).any())


def supposed_whole(loop: CountedLoop) -> Supposition:
    """Return what a number rests on that counts a loop iteration by iteration."""
    text = f"the compiler does not unroll the loop over `{loop.name}`, which lanes of a warp leave at different times"
    return Supposition(text, Supposed.UNROLLING)
