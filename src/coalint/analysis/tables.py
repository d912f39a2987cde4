"""Variables whose every iteration is known: s = 128, 64, ..., 1, or values that repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.lanevalue import LaneEvaluator, Undecided
from coalint.analysis.symbolic import Kind, Level, Poly
from coalint.analysis.values import Address, Value

if TYPE_CHECKING:
    from coalint.analysis.recurrence import Carried, Recurrence, Slot

MAX_TABLE = 1024  # iterations that are followed one by one
MAX_CYCLE = 64  # iterations after which a repeating state must have come back


def tabulate(recurrence: Recurrence, numbers: list[Carried], marks: dict[Slot, Poly], ends: dict[Slot, Value]) -> None:
    """Follow variables with known numbers iteration by iteration: s = 128, 64, ..., 1."""
    algebra = recurrence.algebra
    followed = {
        item.slot: algebra.number(item.offset)
        for item in numbers
        if item.slot in marks and item.slot not in recurrence.steps and item.offset is not None
    }
    follow = {slot: start for slot, start in followed.items() if start is not None}
    next_of = {slot: offset_of(ends.get(slot)) for slot in follow}
    follow = {slot: start for slot, start in follow.items() if next_of[slot] is not None}
    if not follow or recurrence.counter is None:
        return
    index_of = {slot: algebra.atoms_of(marks[slot])[0].index for slot in follow}
    counter_index = algebra.atoms_of(recurrence.counter)[0].index
    condition = _condition_with(recurrence, numbers, marks) if recurrence.statement.test_first else None
    rows: list[dict[Slot, int]] = []
    state = dict(follow)
    ended = False
    seen: dict[tuple[int, ...], int] = {}
    limit = MAX_TABLE if recurrence.trips is None else min(MAX_TABLE, recurrence.trips)
    for k in range(limit):
        known = {**{index_of[slot]: value for slot, value in state.items()}, counter_index: k}
        evaluator = LaneEvaluator(algebra, known)
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


def _recount(recurrence: Recurrence, carried: list[Carried], trips: int) -> None:
    recurrence.trips, recurrence.monotone, recurrence.varying = trips, True, False
    recurrence.counter = recurrence.new_counter(trips)
    recurrence.close(carried, recurrence.counter)


def _cycle(recurrence: Recurrence, rows: list[dict[Slot, int]], lead: int, marks: dict[Slot, Poly]) -> None:
    """Values that repeat: an unknown phase takes the place of the iteration."""
    if lead:
        return
    phase = recurrence.algebra.atom(
        Kind.COUNTER,
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
    recurrence: Recurrence, slot: Slot, values: tuple[int, ...], marks: dict[Slot, Poly], phase: Poly | None = None
) -> Poly:
    name = recurrence.algebra.atoms_of(marks[slot])[0].name
    counter = phase if phase is not None else recurrence.counter
    return recurrence.algebra.atom(
        Kind.TABLE,
        name,
        Level.UNIFORM,
        key=recurrence.algebra.fresh_key(),
        operands=(counter,),
        values=values,
        low=min(values),
        high=max(values),
    )


def _condition_with(recurrence: Recurrence, numbers: list[Carried], marks: dict[Slot, Poly]) -> Poly | None:
    run = recurrence.run
    if recurrence.statement.condition is None:
        return None
    run.dry += 1
    saved = run.store.snapshot()
    try:
        recurrence.put(recurrence.placeholders(numbers, marks))
        return run.condition(recurrence.statement.condition)
    finally:
        run.dry -= 1
        run.store.cells = saved


def offset_of(value: Value | None) -> Poly | None:
    """The number in a value: itself, or the offset of an address."""
    if isinstance(value, Address):
        return value.offset
    return value if hasattr(value, "ring") else None


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
