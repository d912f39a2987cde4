"""Accesses where the compiled kernel makes them, in the order of execution."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from operator import attrgetter

from coalint.analysis.counts.reaches import Reach
from coalint.analysis.domain.algebra.atoms import Atom
from coalint.analysis.recorder.elimination.loop_invariant import LoopInvariant
from coalint.analysis.recorder.elimination.occurrences import Occurrence
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.core.records import record

_ORDER = attrgetter("order")


@record(frozen=True, slots=True)
class Made:
    """An access where the compiled kernel makes it.

    A load that leaves loops stands before the outermost of these, a store behind it.

    Attributes:
        one: The access as it is come to.
        reach: Where it is executed.
        order: Its place in the order of execution: whether it comes before or after what a loop does, and its number.
        loops: The loops that are left around it.
        decided: What the launch has decided that it comes to: branches, and loops that it has left.
        branches: The sides of branches that it stands in.
    """

    one: Occurrence
    reach: Reach
    order: tuple[int, int, int]
    loops: tuple[ir.Loop, ...]
    decided: frozenset[int]
    branches: frozenset[int]


def in_order(
    occurrences: Sequence[Occurrence], invariant: LoopInvariant, rests_on_launch: Callable[[ir.Loop], bool]
) -> list[Made]:
    """Return accesses as they are made, in the order of execution."""
    ends: dict[tuple[ir.Loop, Atom | None], tuple[int, int]] = {}
    for one in occurrences:
        for key in _runs(one):
            first, last = ends.get(key, (one.number, one.number))
            ends[key] = min(first, one.number), max(last, one.number)
    made = []
    for one in occurrences:
        reach = invariant.reach(one)
        left = one.loops[len(reach.loops) :] if len(one.loops) == len(one.reach.loops) else ()
        order, decided = (one.number, 0, 0), frozenset(one.decided)
        if left:
            first, last = ends[_runs(one)[len(reach.loops)]]
            order = (first, -1, one.number) if one.operation is Operation.LOAD else (last, 1, one.number)
            decided |= {-id(loop) for loop in left if rests_on_launch(loop)}
        made.append(Made(one, reach, order, one.loops[: len(one.loops) - len(left)], decided, frozenset(one.branches)))
    return sorted(made, key=lambda each: each.order)


def _runs(one: Occurrence) -> list[tuple[ir.Loop, Atom | None]]:
    """Return the loops around an access, outermost first, with the counter: it tells one run of a loop from another."""
    return [(loop, counted.counter) for loop, counted in zip(one.loops, one.reach.loops, strict=False)]


def between(one: Made, other: Made, others: Sequence[Made]) -> Sequence[Made]:
    """Return those that are made between two, of others in the order of execution."""
    return others[bisect_right(others, one.order, key=_ORDER) : bisect_left(others, other.order, key=_ORDER)]


def follows(one: Made, other: Made) -> bool:
    """Whether no way leads to an access but through another before it.

    `if (c) v = p[i]; f(); if (c) w = p[i];` loads twice: nvcc does not see that the same threads come to both.
    """
    return other.branches <= one.branches


def are_adjacent(one: Made, other: Made, others: Sequence[Made]) -> bool:
    """Whether nothing is accessed between the branches around two accesses: nvcc may make one branch of these."""
    return all(
        one.branches <= each.branches or other.branches <= each.branches or exclude(each, one)
        for each in between(one, other, others)
    )


def exclude(one: Made, other: Made) -> bool:
    """Whether two accesses stand in different branches of one condition."""
    conditions = {guard.value for guard in one.one.reach.guards if not guard.over}
    return any(1 - guard.value in conditions for guard in other.one.reach.guards if not guard.over)


def are_beside(one: Made, other: Made) -> bool:
    """Whether the same threads come to two accesses, under the same conditions and in the same loops."""
    return one.loops == other.loops and is_under(one, other) and is_under(other, one)


def is_under(one: Made, other: Made) -> bool:
    """Whether each thread that comes to an access comes to another: that has no condition or branch of its own."""
    conditions = {(guard.value, guard.over) for guard in one.reach.guards}
    return other.decided <= one.decided and all((guard.value, guard.over) in conditions for guard in other.reach.guards)
