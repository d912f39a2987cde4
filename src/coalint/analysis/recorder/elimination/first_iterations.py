"""Where the first iteration of a loop stands: what leaves the loop is executed there."""

from __future__ import annotations

from coalint.analysis.counts.counted_loop import CountedLoop
from coalint.analysis.counts.reaches import Reach
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.conditions import Condition, When
from coalint.analysis.recorder.elimination.occurrences import rests_on

MOST_COPIES = 64
"""Iterations of a loop of which a compiler may copy the body for each."""


def first_offset(algebra: Algebra, offset: Poly, counted: CountedLoop) -> Poly | None:
    """Return an offset in the first iteration of a loop; None of a loop that no compiler leaves copies of alone."""
    if counted.counter is None or counted.trips is None or counted.trips > MOST_COPIES:
        return None
    return Substitution(algebra, counted.counter, algebra.zero).of(offset)


def first_iteration(algebra: Algebra, reach: Reach, counted: CountedLoop) -> Reach | None:
    """Return where the first iteration stands; None where the guards do not tell."""
    loops = reach.loops[:-1]
    if counted.counter is None:
        return Reach(reach.guards, loops, reach.several)
    conditions: list[Condition] = []
    known = [Substitution(algebra, counted.counter, algebra.zero)]
    guards = reach.guards
    if counted.sequence is not None:
        for carried in counted.sequence.values:
            stand_ins = (index for index in (carried.mark, carried.held) if index is not None)
            known += [Substitution(algebra, algebra.atoms[i], carried.start) for i in stand_ins]
        if counted.sequence.test_first:  # a table may hold nothing for which it fails: then no guard has it
            guards = (*guards, Condition(counted.sequence.condition, counted.name))
    for guard in guards:
        over = dict(guard.over)
        when = over.pop(counted.counter.index, None)
        if when is When.EVER:
            return None
        if when is When.BEFORE:
            continue
        value = guard.value
        for start in known:
            value = start.of(value)
        if algebra.number(value) == 0:
            return None
        if algebra.number(value) is None:
            conditions.append(Condition(value, guard.text, tuple(over.items())))
    return Reach(tuple(conditions), loops, reach.several)


def may_be_skipped(algebra: Algebra, reach: Reach, first: Reach, counted: CountedLoop) -> bool:
    """Whether a loop has no iteration in some iterations of those around it."""
    if counted.counter is None:
        return False
    tested = [g for g in reach.guards if rests_on(algebra, g.value, counted.counter)]
    own = {guard.text for guard in tested}
    around = [loop.counter for loop in first.loops if loop.counter is not None]
    return any(rests_on(algebra, g.value, c) for g in first.guards if g.text in own for c in around)
