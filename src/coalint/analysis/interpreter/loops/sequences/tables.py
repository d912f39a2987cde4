"""Variables whose every iteration is known: s = 128, 64, ..., 1, or values that repeat."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.values import Address, Value
from coalint.analysis.interpreter.loops.sequences import nested
from coalint.analysis.warps.lanes.lane_numbers import Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.changed_variables import Carried, Slot
    from coalint.analysis.interpreter.loops.state import LoopState

MAX_TABLE = 1024  # iterations that are followed one by one
MAX_CYCLE = 64  # iterations after which a repeating state must have come back


def tabulate(recurrence: LoopState, numbers: list[Carried], marks: dict[Slot, Poly], ends: dict[Slot, Value]) -> None:
    """Follow variables with known numbers iteration by iteration: s = 128, 64, ..., 1."""
    algebra = recurrence.algebra
    starts = {
        item.slot: item.offset
        for item in numbers
        if item.slot in marks and item.slot not in recurrence.steps and item.offset is not None
    }
    next_of = {slot: offset_of(ends.get(slot)) for slot in starts}
    numbered = {slot: algebra.number(start) for slot, start in starts.items() if next_of[slot] is not None}
    follow = {slot: start for slot, start in numbered.items() if start is not None}
    if not numbered or recurrence.counter is None:
        return
    index_of = {slot: algebra.atoms_of(marks[slot])[0].index for slot in numbered}
    counter_index = algebra.atoms_of(recurrence.counter)[0].index
    condition = _condition_with(recurrence, numbers, marks) if recurrence.statement.test_first else None
    if _tabulate_rows(recurrence, numbers, marks, {slot: starts[slot] for slot in numbered}, next_of, condition):
        return
    if not follow:
        return
    rows: list[dict[Slot, int]] = []
    state = dict(follow)
    ended = False
    seen: dict[tuple[int, ...], int] = {}
    limit = MAX_TABLE if recurrence.trips is None else min(MAX_TABLE, recurrence.trips)
    for k in range(limit):
        known = {**{index_of[slot]: value for slot, value in state.items()}, counter_index: k}
        evaluator = LaneEvaluator(algebra, known, strict=True)
        if condition is not None:
            holds = _integer(evaluator, condition)
            if holds == 0:
                ended = True
                break
            if holds is None and condition is not None:
                condition = None
        key = tuple(state.values())
        if condition is None and recurrence.trips is None:
            if key in seen:
                _cycle(recurrence, rows[seen[key] :], seen[key], marks)
                return
            if k >= MAX_CYCLE:
                return
        seen[key] = k
        rows.append(dict(state))
        advanced: dict[Slot, int] = {}
        for slot in list(state):
            value = _integer(evaluator, next_of[slot])
            if value is None:
                for other in [slot]:
                    follow.pop(other, None)
                continue
            advanced[slot] = value
        if len(advanced) < len(state):
            state = advanced
            rows = [{s: row[s] for s in advanced} for row in rows]
            if not state:
                return
            continue
        state = advanced
    if not rows:
        return
    if recurrence.trips is None:
        if not ended:
            return
        _recount(recurrence, numbers, len(rows))
    for slot in rows[-1]:
        recurrence.closed[slot] = _table(recurrence, slot, tuple(row[slot] for row in rows), marks)
        recurrence.finals[slot] = state.get(slot, None)


def _tabulate_rows(
    recurrence: LoopState,
    numbers: list[Carried],
    marks: dict[Slot, Poly],
    starts: dict[Slot, Poly],
    next_of: dict[Slot, Poly | None],
    condition: Poly | None,
) -> bool:
    """Follow variables that depend on the loops around, for each of their iterations, rows padded."""
    algebra = recurrence.algebra
    assert recurrence.counter is not None
    own = algebra.atoms_of(recurrence.counter)[0].index
    index_of = {slot: algebra.atoms_of(marks[slot])[0].index for slot in starts}
    starts = {slot: start for slot, start in starts.items() if _counted(algebra, own, start)}
    while True:
        inside = {index_of[slot] for slot in starts}
        kept = {
            slot: start
            for slot, start in starts.items()
            if (after := next_of[slot]) is not None and _counted(algebra, own, after, inside)
        }
        if len(kept) == len(starts):
            break
        starts = kept
    if condition is not None and not _counted(algebra, own, condition, inside):
        condition = None
    afters = {slot: after for slot in starts if (after := next_of[slot]) is not None}
    rest_on = [*starts.values(), *afters.values(), *([condition] if condition is not None else [])]
    outer = nested.outer_counters(algebra, own, rest_on)
    if not starts or not outer or (condition is None and recurrence.trips is None):
        return False
    limit = MAX_TABLE if recurrence.trips is None else recurrence.trips

    def step(around: dict[int, int], state: dict[Slot, int], k: int) -> dict[Slot, int] | None:
        known = {**around, **{index_of[slot]: value for slot, value in state.items()}, own: k}
        evaluator = LaneEvaluator(algebra, dict(known), strict=True)
        if condition is not None and recurrence.trips is None and nested.whole(evaluator, condition) == 0:
            return None
        return {slot: nested.whole(evaluator, after) for slot, after in afters.items()}

    rows = nested.follow_rows(algebra, outer, starts, step, limit)
    if rows is None or (recurrence.trips is None and any(len(row) > limit for row in rows)):
        return False
    width = max(len(row) for row in rows) - 1
    if width < 1:
        return False
    if recurrence.trips is None:
        _recount(recurrence, numbers, width)
        recurrence.varying = any(len(row) <= width for row in rows)
    place = nested.row_number(algebra, outer, recurrence.counter, width)
    for slot in starts:
        padded = [state[slot] for row in rows for state in [*row, *([row[-1]] * width)][:width]]
        recurrence.closed[slot] = _table(recurrence, slot, tuple(padded), marks, place)
        last = {row[-1][slot] for row in rows}
        recurrence.finals[slot] = last.pop() if len(last) == 1 else None
    return True


def _counted(algebra: Algebra, own: int, value: Poly, known: Collection[int] = ()) -> bool:
    """Whether a value is made of nothing but numbers of iterations (and atoms that are `known`)."""
    counted = (AtomKind.COUNTER, AtomKind.OPERATION, AtomKind.TABLE)
    return all(
        atom.index in known
        or (atom.kind in counted and (atom.index == own or atom.kind is not AtomKind.COUNTER or atom.trips))
        for atom in algebra.closure(value)
    )


def _recount(recurrence: LoopState, carried: list[Carried], trips: int) -> None:
    recurrence.trips, recurrence.varying = trips, False
    recurrence.surely = recurrence.monotone = True
    recurrence.counter = recurrence.new_counter(trips)
    recurrence.close(carried, recurrence.counter)


def _cycle(recurrence: LoopState, rows: list[dict[Slot, int]], lead: int, marks: dict[Slot, Poly]) -> None:
    """Values that repeat: an unknown phase takes the place of the iteration."""
    if lead:
        return
    phase = recurrence.algebra.atom(
        AtomKind.COUNTER,
        recurrence.name,
        Level.UNIFORM,
        key=recurrence.algebra.fresh_key(),
        low=0,
        high=len(rows) - 1,
        trips=len(rows),
    )
    for slot in rows[0]:
        recurrence.closed[slot] = _table(recurrence, slot, tuple(row[slot] for row in rows), marks, phase)


def _table(
    recurrence: LoopState, slot: Slot, values: tuple[int, ...], marks: dict[Slot, Poly], place: Poly | None = None
) -> Poly:
    name = recurrence.algebra.atoms_of(marks[slot])[0].name
    counter = place if place is not None else recurrence.counter
    return recurrence.algebra.atom(
        AtomKind.TABLE,
        name,
        Level.UNIFORM,
        key=recurrence.algebra.fresh_key(),
        operands=(counter,),
        values=values,
        low=min(values),
        high=max(values),
    )


def _condition_with(recurrence: LoopState, numbers: list[Carried], marks: dict[Slot, Poly]) -> Poly | None:
    state = recurrence.state
    if recurrence.statement.condition is None:
        return None
    state.dry += 1
    saved = state.store.snapshot()
    try:
        recurrence.put(recurrence.placeholders(numbers, marks))
        return state.condition(recurrence.statement.condition)
    finally:
        state.dry -= 1
        state.store.cells = saved


def offset_of(value: Value | None) -> Poly | None:
    """The number in a value: itself, or the offset of an address."""
    if isinstance(value, Address):
        return value.offset
    return value if isinstance(value, Polynomial) else None


def _integer(evaluator: LaneEvaluator, value: Poly | None) -> int | None:
    if value is None:
        return None
    try:
        number = evaluator.number(value)
    except Undecided:
        return None
    try:
        return None if number is None else int(number)
    except TypeError:
        return None
