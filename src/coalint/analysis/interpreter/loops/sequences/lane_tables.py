"""Variables of a loop that each thread moves in its own way, followed lane by lane: `col = (col + 8) % 24`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coalint.analysis.domain.algebra.arithmetic import Number
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.interpreter.loops.sequences.table_atoms import MAX_CYCLE, offset_of
from coalint.analysis.warps.lanes.lane_numbers import Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.core.arrays import spread
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.domain.values import Value
    from coalint.analysis.interpreter.loops.changes.records import Carried, Slot
    from coalint.analysis.interpreter.loops.state import LoopState

MAX_TRIPS = 256
MAX_NUMBERS = 1 << 18  # iterations x lanes of one table


def tabulate_lanes(loop: LoopState, numbers: list[Carried], marks: dict[Slot, Poly], ends: dict[Slot, Value]) -> None:
    """Write down tables for what is still open: variables that rest on threads and iterations alone, and sums of such.

    Only with a known number of iterations, or where all come back to where they began.
    """
    model, trips = loop.state.recorder.model, loop.trips
    if model is None or loop.counter is None:
        return
    unsolved = {item.slot: item for item in numbers if item.slot in marks and item.slot not in loop.closed}
    nexts = {slot: after for slot in unsolved if (after := offset_of(ends.get(slot))) is not None}
    lanes = model.exists.size
    if not nexts or (trips is not None and not 0 < trips <= min(MAX_TRIPS, MAX_NUMBERS // lanes)):
        return
    own = loop.algebra.atoms_of(loop.counter)[0].index
    follower = _Follower(loop, own, dict(model.threads))
    starts = {slot: start for slot in nexts if (start := unsolved[slot].offset) is not None}
    rows = follower.follow(starts, nexts, marks)
    if trips is None:
        _write_cycle(loop, rows)
        return
    for slot, table in rows.items():
        loop.closed[slot] = table_atom(loop, unsolved[slot].name, table, loop.counter)
        loop.tabled[slot] = (loop.algebra.zero, table)
    known = {marks_index(loop, marks, slot): table for slot, table in rows.items()}
    for slot in nexts:
        if slot in rows or slot not in starts:
            continue
        sums = follower.sums(nexts[slot] - marks[slot], known, marks_index(loop, marks, slot))
        if sums is not None:
            moved = table_atom(loop, unsolved[slot].name, sums, loop.counter)
            loop.closed[slot] = starts[slot] + moved
            loop.tabled[slot] = (starts[slot], sums)


def marks_index(loop: LoopState, marks: dict[Slot, Poly], slot: Slot) -> int:
    """Return the atom that stands for a variable during the dry run."""
    return loop.algebra.atoms_of(marks[slot])[0].index


def table_atom(loop: LoopState, name: str, table: NDArray[np.int64], place: Poly) -> Poly:
    """Return an atom for row `place` of a table of shape (rows, W, 32)."""
    algebra = loop.algebra
    uniform = bool((table == table[:, :1, :1]).all())
    return algebra.atom(
        AtomKind.TABLE,
        name,
        Level.UNIFORM if uniform else Level.DIVERGENT,
        key=algebra.fresh_key(),
        operands=(place,),
        values=tuple(int(n) for n in table[:, 0, 0]) if uniform else (),
        lanes=None if uniform else table,
        low=int(table.min()),
        high=int(table.max()),
    )


def _write_cycle(loop: LoopState, rows: dict[Slot, NDArray[np.int64]]) -> None:
    algebra = loop.algebra
    if not rows:
        return
    length = len(next(iter(rows.values())))
    facts: dict[str, Any] = {"low": 0, "high": length - 1, "trips": length}
    phase = algebra.atom(AtomKind.COUNTER, loop.name, Level.UNIFORM, key=algebra.fresh_key(), **facts)
    for slot, table in rows.items():
        loop.closed[slot] = table_atom(loop, loop.name, table, phase)


class _Follower:
    def __init__(self, loop: LoopState, own: int, threads: dict[int, Number]) -> None:
        self.loop = loop
        self.own = own
        self.threads = threads
        model = loop.state.recorder.model
        assert model is not None
        self.shape = model.exists.shape[1:]

    def follow(
        self, starts: dict[Slot, Poly], nexts: dict[Slot, Poly], marks: dict[Slot, Poly]
    ) -> dict[Slot, NDArray[np.int64]]:
        """Return rows of those variables that can be followed, one more than there are iterations (or one cycle)."""
        index_of = {slot: marks_index(self.loop, marks, slot) for slot in nexts}
        followed = dict(starts)
        while followed:
            first = {slot: self.number(start, {}) for slot, start in followed.items()}
            lost = {slot for slot, number in first.items() if number is None}
            if not lost:
                state = {slot: number for slot, number in first.items() if number is not None}
                rows, lost = self._rows(state, nexts, index_of)
                if not lost:
                    return rows
            followed = {slot: start for slot, start in followed.items() if slot not in lost}
        return {}

    def _rows(
        self, state: dict[Slot, NDArray[np.int64]], nexts: dict[Slot, Poly], index_of: dict[Slot, int]
    ) -> tuple[dict[Slot, NDArray[np.int64]], set[Slot]]:
        trips = self.loop.trips
        rows = [state]
        for k in range(trips if trips is not None else MAX_CYCLE):
            known: dict[int, Number] = {index_of[slot]: number for slot, number in state.items()}
            if trips is not None:
                known[self.own] = k
            after = {slot: self.number(nexts[slot], known) for slot in state}
            lost = {slot for slot, number in after.items() if number is None}
            if lost:
                return {}, lost
            state = {slot: number for slot, number in after.items() if number is not None}
            if trips is None and all(np.array_equal(number, rows[0][slot]) for slot, number in state.items()):
                break
            rows.append(state)
        else:
            if trips is None:
                return {}, set(state)
        return {slot: np.stack([row[slot] for row in rows]) for slot in state}, set()

    def sums(self, step: Poly, tables: dict[int, NDArray[np.int64]], own: int) -> NDArray[np.int64] | None:
        """Return what a variable has moved by at the start of each iteration, and after the last one."""
        algebra, trips = self.loop.algebra, self.loop.trips
        assert trips is not None
        if algebra.depends(step, own):
            return None
        moved = [np.zeros(self.shape, dtype=np.int64)]
        for k in range(trips):
            number = self.number(step, {self.own: k, **{index: table[k] for index, table in tables.items()}})
            if number is None:
                return None
            moved.append(moved[-1] + number)
        return np.stack(moved)

    def number(self, value: Poly, known: dict[int, Number]) -> NDArray[np.int64] | None:
        """Return the number of every lane, shape (W, 32); None where anything is open or supposed."""
        numbers = {index: n if isinstance(n, int) else n.reshape(1, *self.shape) for index, n in known.items()}
        evaluator = LaneEvaluator(self.loop.algebra, {**self.threads, **numbers})
        try:
            number = evaluator.number(value)
            if number is None or evaluator.open_choices or evaluator.assumed or evaluator.approximate:
                return None
            lanes: NDArray[np.int64] = spread(np.asarray(number, dtype=np.int64), (1, *self.shape))[0]
        except (Undecided, OverflowError):  # a number of 64 bits without sign is more than a table takes
            return None
        return lanes
