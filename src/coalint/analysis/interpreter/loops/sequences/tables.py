"""Variables whose every iteration is known: s = 128, 64, ..., 1, or values that repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.arithmetic import Number
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.values import Value
from coalint.analysis.interpreter.dry_runs import restored_variables
from coalint.analysis.interpreter.loops.sequences.nested_tables import tabulate_rows
from coalint.analysis.interpreter.loops.sequences.table_atoms import MAX_CYCLE, MAX_TABLE, offset_of, recount, table_of
from coalint.analysis.warps.lanes.lane_numbers import Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.changes.records import Carried, Slot
    from coalint.analysis.interpreter.loops.state import LoopState

HALVED_FROM = 256
"""What a variable is taken to start with that a loop halves and whose start is not known: a block's usual size."""


def tabulate(loop: LoopState, numbers: list[Carried], marks: dict[Slot, Poly], ends: dict[Slot, Value]) -> None:
    """Follow variables that start with a number iteration by iteration: s = 128, 64, ..., 1.

    `marks` are the stand-ins of the variables, `ends` their values after an iteration, in terms of the stand-ins.
    """
    algebra = loop.algebra
    starts = {
        item.slot: item.offset
        for item in numbers
        if item.slot in marks and item.slot not in loop.steps and item.offset is not None
    }
    next_of = {slot: offset_of(ends.get(slot)) for slot in starts}
    starts = {slot: start for slot, start in starts.items() if next_of[slot] is not None}
    if not starts or loop.counter is None:
        return
    condition = _condition_with(loop, numbers, marks) if loop.statement.test_first else None
    if tabulate_rows(loop, numbers, marks, starts, next_of, condition):
        return
    first = {slot: number for slot, start in starts.items() if (number := algebra.number(start)) is not None}
    followed = _follow(loop, marks, first, next_of, condition) if first else None
    if followed is None or not followed.rows:
        if loop.trips is None:
            _halved(loop, marks, starts, first, next_of, condition)
        return
    rows = followed.rows
    if followed.repeats:
        _set_cycle(loop, rows, marks)
        return
    if loop.trips is None:
        if not followed.ended:
            return
        recount(loop, numbers, len(rows))
    for slot in rows[-1]:
        loop.closed[slot] = table_of(loop, slot, tuple(row[slot] for row in rows), marks)
        loop.finals[slot] = followed.last.get(slot)


@record(frozen=True, slots=True)
class _Followed:
    """The values of variables at the start of each iteration, and `last` after the last one.

    `ended` says that the condition ended the loop, `repeats` that the rows come again and again.
    """

    rows: list[dict[Slot, int]]
    last: dict[Slot, int]
    ended: bool = False
    repeats: bool = False


def _follow(
    loop: LoopState,
    marks: dict[Slot, Poly],
    first: dict[Slot, int],
    next_of: dict[Slot, Poly | None],
    condition: Poly | None,
) -> _Followed | None:
    """Run the iterations with numbers; None where the variables are not known in all of them, or do not repeat."""
    assert loop.counter is not None
    algebra = loop.algebra
    index_of = {slot: algebra.atoms_of(marks[slot])[0].index for slot in first}
    counter = algebra.atoms_of(loop.counter)[0].index
    rows: list[dict[Slot, int]] = []
    seen: dict[tuple[int, ...], int] = {}
    values = dict(first)
    for k in range(MAX_TABLE if loop.trips is None else min(MAX_TABLE, loop.trips)):
        known: dict[int, Number] = {**{index_of[slot]: value for slot, value in values.items()}, counter: k}
        evaluator = LaneEvaluator(algebra, known, strict=True)
        if condition is not None:
            holds = _integer(evaluator, condition)
            if holds == 0:
                return _Followed(rows, values, ended=True)
            if holds is None:
                condition = None
        key = tuple(values.values())
        if condition is None and loop.trips is None:
            if key in seen:  # what comes before the cycle is no part of a table
                return None if seen[key] else _Followed(rows, values, repeats=True)
            if k >= MAX_CYCLE:
                return None
        seen[key] = k
        rows.append(dict(values))
        advanced = {slot: value for slot in values if (value := _integer(evaluator, next_of[slot])) is not None}
        if len(advanced) < len(values):
            rows = [{slot: row[slot] for slot in advanced} for row in rows]
            if not advanced:
                return None
        values = advanced
    return _Followed(rows, values)


def _halved(
    loop: LoopState,
    marks: dict[Slot, Poly],
    starts: dict[Slot, Poly],
    first: dict[Slot, int],
    next_of: dict[Slot, Poly | None],
    condition: Poly | None,
) -> None:
    """Tabulate a variable that is halved from a start that is not known: ..., 16, 8, 4, 2, 1, whatever it starts with.

    Others that go along with it from known starts are tabulated too. Which iteration it is stays open.
    """
    algebra = loop.algebra
    for slot, start in starts.items():
        if slot in first or algebra.level(start) is not Level.UNIFORM:
            continue
        index = algebra.atoms_of(marks[slot])[0].index
        halves = (
            _integer(LaneEvaluator(algebra, {index: number}, strict=True), next_of[slot]) == number // 2
            for number in (HALVED_FROM, 6, 1)
        )
        if not all(halves):
            continue
        followed = _follow(loop, marks, {**first, slot: HALVED_FROM}, next_of, condition)
        rows = [row for row in followed.rows if row.get(slot)] if followed is not None else []
        if len(rows) > 1:
            name = algebra.atoms_of(marks[slot])[0].name
            _set_cycle(loop, rows, marks, f"`{name}` is {HALVED_FROM}, {HALVED_FROM // 2}, ... in turn")
            return


def _set_cycle(loop: LoopState, rows: list[dict[Slot, int]], marks: dict[Slot, Poly], supposed: str = "") -> None:
    """Tabulate values that repeat: an unknown phase takes the place of the iteration."""
    phase = loop.algebra.atom(
        AtomKind.COUNTER,
        loop.name,
        Level.UNIFORM,
        key=loop.algebra.fresh_key(),
        low=0,
        high=len(rows) - 1,
        trips=len(rows),
    )
    for slot in rows[0]:
        loop.closed[slot] = table_of(loop, slot, tuple(row[slot] for row in rows), marks, phase, supposed)


def _condition_with(loop: LoopState, numbers: list[Carried], marks: dict[Slot, Poly]) -> Poly | None:
    state = loop.state
    if loop.statement.condition is None:
        return None
    with restored_variables(state):
        loop.put(loop.placeholders(numbers, marks))
        return state.condition(loop.statement.condition)


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
