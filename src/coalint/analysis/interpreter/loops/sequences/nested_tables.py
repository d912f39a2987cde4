"""Tables of variables that depend on the loops around, one row for each of their iterations."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Poly
from coalint.analysis.interpreter.loops.sequences import nested
from coalint.analysis.interpreter.loops.sequences.table_atoms import MAX_TABLE, recount, table_of
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.changes.records import Carried, Slot
    from coalint.analysis.interpreter.loops.state import LoopState


def tabulate_rows(
    loop: LoopState,
    numbers: list[Carried],
    marks: dict[Slot, Poly],
    starts: dict[Slot, Poly],
    next_of: dict[Slot, Poly | None],
    condition: Poly | None,
) -> bool:
    """Tabulate variables that depend on the loops around, for each of their iterations, in rows of one length.

    Return whether there is such a table.
    """
    algebra = loop.algebra
    assert loop.counter is not None
    own = algebra.atoms_of(loop.counter)[0].index
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
    if not starts or not outer or (condition is None and loop.trips is None):
        return False
    limit = MAX_TABLE if loop.trips is None else loop.trips

    def step(around: dict[int, int], state: dict[Slot, int], k: int) -> dict[Slot, int] | None:
        known = {**around, **{index_of[slot]: value for slot, value in state.items()}, own: k}
        evaluator = LaneEvaluator(algebra, dict(known), strict=True)
        if condition is not None and loop.trips is None and nested.whole(evaluator, condition) == 0:
            return None
        return {slot: nested.whole(evaluator, after) for slot, after in afters.items()}

    rows = nested.follow_rows(algebra, outer, starts, step, limit)
    if rows is None or (loop.trips is None and any(len(row) > limit for row in rows)):
        return False
    width = max(len(row) for row in rows) - 1
    if width < 1:
        return False
    if loop.trips is None:
        recount(loop, numbers, width)
        loop.varying = any(len(row) <= width for row in rows)
    place = nested.row_number(algebra, outer, loop.counter, width)
    for slot in starts:
        padded = [state[slot] for row in rows for state in [*row, *([row[-1]] * width)][:width]]
        loop.closed[slot] = table_of(loop, slot, tuple(padded), marks, place)
        last = {row[-1][slot] for row in rows}
        loop.finals[slot] = last.pop() if len(last) == 1 else None
    return True


def _counted(algebra: Algebra, own: int, value: Poly, known: Collection[int] = ()) -> bool:
    """Whether a value is made of nothing but numbers of iterations (and atoms that are `known`)."""
    counted = (AtomKind.COUNTER, AtomKind.OPERATION, AtomKind.TABLE)
    return all(
        atom.index in known
        or (atom.kind in counted and (atom.index == own or atom.kind is not AtomKind.COUNTER or atom.trips))
        for atom in algebra.closure(value)
    )
