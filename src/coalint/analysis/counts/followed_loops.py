"""Loops that are followed with numbers, iteration by iteration: those that halve or double from an open start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from coalint.analysis.counts.counted_loop import CountedLoop
from coalint.analysis.counts.patterns import NotFollowed
from coalint.analysis.counts.reaches import Reach
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.sequences import Sequence
from coalint.analysis.warps.lanes.lane_numbers import Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.core.lazy import np
from coalint.core.records import record

MOST_ITERATIONS = 4096
"""That are followed: a loop that goes on is taken for one that does not end."""


@record(frozen=True, slots=True)
class Followed:
    """A loop with numbers.

    Attributes:
        trips: How many iterations it makes.
        values: What each variable is at the start of each, by the mark of the variable.
    """

    trips: int
    values: dict[int, tuple[int, ...]]


def with_numbers(algebra: Algebra, reach: Reach, fixed: Mapping[int, int]) -> Reach:
    """Return a place with the loops around it that are counted by numbers, each with its iterations.

    What the guards have for their variables becomes a table of the values; the atoms of these are new ones.

    Raises:
        NotFollowed: A loop does not end, or is not followed.
    """
    if not any(loop.sequence is not None for loop in reach.loops):
        return reach
    guards, loops = reach.guards, []
    for loop in reach.loops:
        if loop.sequence is None or loop.counter is None:
            loops.append(loop)
            continue
        followed = follow(algebra, loop.sequence, fixed)
        counter = _counter(algebra, loop.counter, followed.trips)
        index = algebra.atoms_of(counter)[0].index
        inside = {atom.index for atom in algebra.closure(*(guard.value for guard in guards))}
        substitutions = [
            Substitution(algebra, algebra.atoms[value.held], _table(algebra, counter, followed.values[value.mark]))
            for value in loop.sequence.values
            if value.held is not None and value.held in inside and followed.trips
        ]
        substitutions.append(Substitution(algebra, loop.counter, counter))
        renumbered = []
        for guard in guards:
            value = guard.value
            for substitution in substitutions:
                value = substitution.of(value)
            over = tuple((index if at == loop.counter.index else at, when) for at, when in guard.over)
            renumbered.append(replace(guard, value=value, over=over))
        guards = tuple(renumbered)
        loops.append(CountedLoop(algebra.atoms[index], followed.trips, loop.name))
    return replace(reach, guards=guards, loops=tuple(loops))


def follow(algebra: Algebra, sequence: Sequence, fixed: Mapping[int, int]) -> Followed:
    """Return the iterations of a loop with numbers for all that is open; NotFollowed where it does not end."""
    state = {value.mark: _number(algebra, value.start, fixed) for value in sequence.values}
    rows: list[dict[int, int]] = []
    goes_on = True
    while True:
        known = {**fixed, **state, sequence.counter: len(rows)}
        if sequence.test_first:
            goes_on = bool(_number(algebra, sequence.condition, known))
        if not goes_on:
            return Followed(len(rows), {mark: tuple(row[mark] for row in rows) for mark in state})
        if len(rows) >= MOST_ITERATIONS:
            raise NotFollowed("a loop that does not end")
        rows.append(state)
        if not sequence.test_first:
            goes_on = bool(_number(algebra, sequence.condition, known))
        state = {value.mark: _number(algebra, value.after, known) for value in sequence.values}


def _number(algebra: Algebra, value: Poly, known: Mapping[int, int]) -> int:
    try:
        number = LaneEvaluator(algebra, dict(known), strict=True).number(value)
    except (Undecided, OverflowError) as error:
        raise NotFollowed("the iterations of a loop") from error
    if number is None or np.size(number) != 1:
        raise NotFollowed("the iterations of a loop")
    return int(np.asarray(number).reshape(-1)[0])


def _counter(algebra: Algebra, counter: Atom, trips: int) -> Poly:
    return algebra.atom(
        AtomKind.COUNTER,
        counter.name,
        Level.UNIFORM,
        key=algebra.fresh_key(),
        low=0,
        high=max(0, trips - 1),
        trips=trips,
    )


def _table(algebra: Algebra, counter: Poly, values: tuple[int, ...]) -> Poly:
    return algebra.atom(
        AtomKind.TABLE,
        "value",
        Level.UNIFORM,
        key=algebra.fresh_key(),
        operands=(counter,),
        values=values,
        low=min(values),
        high=max(values),
    )
