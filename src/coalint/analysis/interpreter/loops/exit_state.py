"""The variables after a loop."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Cells, Exit
from coalint.analysis.domain.store.extents import WHOLE
from coalint.analysis.domain.values import Address, AggregateValue, Cell, Value
from coalint.analysis.interpreter.loops.changes.records import Carried
from coalint.analysis.interpreter.loops.pointers.targets import chosen
from coalint.analysis.interpreter.loops.sequences.lane_tables import table_atom
from coalint.analysis.interpreter.loops.sequences.rotation import rotated
from coalint.analysis.interpreter.loops.sequences.table_atoms import offset_of
from coalint.analysis.interpreter.loops.solving.closed_forms import in_type
from coalint.analysis.interpreter.loops.solving.running import standing
from coalint.analysis.uniformity.sharing import can_differ, sharing_of
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


@record(frozen=True, slots=True)
class Leaving:
    """How threads leave a loop.

    `conditions` are what threads may differ in when they leave, `level` over which threads these are the same.
    `breaks` are the exits by break. `trips` is how many iterations each thread makes; None where that is not followed.
    `counted` says that it is `loop.trips` for every thread.
    """

    conditions: tuple[Poly, ...]
    level: Level
    breaks: tuple[Exit, ...]
    trips: Poly | None
    counted: bool


def leaving(loop: LoopState, breaks: Sequence[Exit], conditions: Sequence[Poly]) -> Leaving:
    """Return how threads leave a loop by `breaks` and by conditions that are not the same for the block."""
    level = max((loop.algebra.level(condition) for condition in conditions), default=Level.UNIFORM)
    counted = loop.surely and not loop.varying and not breaks and level is Level.UNIFORM and loop.trips is not None
    trips = loop.algebra.constant(loop.trips) if counted and loop.trips is not None else None
    if trips is None and loop.total is not None and not breaks:
        trips = loop.total if loop.statement.test_first else loop.total + 1
    return Leaving(tuple(conditions), level, tuple(breaks), trips, counted)


def set_exit_state(loop: LoopState, carried: list[Carried], entry: Cells, way_out: Leaving) -> None:
    """Set the variables to what they hold after the loop; `entry` is what they held before it."""
    for item in carried:
        if item.slot[1] == WHOLE:
            _leave_array(loop, item, way_out)
        elif item.slot in loop.leads:
            loop.put({item.slot: chosen(loop, item.slot)})
        else:
            loop.put({item.slot: _final_value(loop, item, way_out)})
    condition = loop.statement.condition
    if condition is not None and loop.statement.test_first:  # what it changes when it fails, as in `while (n-- > 0)`
        loop.state.dry += 1
        with loop.state.solved.aside():  # what it does then says nothing of when it holds
            loop.state.condition(condition)
        loop.state.dry -= 1
    _mix_others(loop, {item.slot[0] for item in carried}, entry, way_out)


def _final_value(loop: LoopState, item: Carried, way_out: Leaving) -> Value:
    """Return what a variable holds after the loop."""
    store, trips = loop.state.store, way_out.trips
    cell = standing(loop, store.cells, item.slot, item.start)
    broken = [standing(loop, exit.cells, item.slot, item.start) for exit in way_out.breaks]
    if all(other is None or other.value == item.start for other in (cell, *broken)):
        return item.start
    step = loop.steps.get(item.slot)
    if step is not None and item.offset is not None and not any(_jumps(loop, item, other, step) for other in broken):
        turns = _unknown_trips(loop, way_out) if trips is None else trips
        return _like(item.start, in_type(loop, item, item.offset + step * turns))
    if trips is not None and item.slot in loop.turns:
        return rotated(loop.state, loop.turns[item.slot], trips)
    if trips is not None and item.slot in loop.tabled:
        start, table = loop.tabled[item.slot]
        return _like(item.start, start + table_atom(loop, item.name, table, trips))
    final = loop.finals.get(item.slot)
    if way_out.counted and final is not None and not isinstance(item.start, Address):
        return loop.algebra.constant(final)
    others = [other.value for other in broken if other is not None]
    end = cell.value if cell is not None else item.start
    level = max(store.level(item.start), store.level(end), way_out.level, *map(store.level, others))
    return _mixed(loop, end, level, item.name, (item.start, *others, *way_out.conditions))


def _like(start: Value, number: Poly) -> Value:
    """Return the number, or the address with this offset where the variable holds a pointer."""
    return Address(start.base, number) if isinstance(start, Address) else number


def _unknown_trips(loop: LoopState, way_out: Leaving) -> Poly:
    """Return an opaque number of iterations."""
    text = f"threads run the loop at line {loop.statement.span.line} a different number of times"
    uniformity = loop.state.recorder.uniformity
    sharing = sharing_of(uniformity, text, way_out.level, *way_out.conditions)
    may_agree = can_differ(way_out.level) and not sharing.varies
    reason = "how often a loop runs is not known" if may_agree else ""
    return loop.algebra.opaque(f"iterations of {loop.name}", way_out.level, reason, sharing=sharing)


def _mix_others(loop: LoopState, carried: Collection[int], entry: Cells, way_out: Leaving) -> None:
    """Set variables that are not followed to what they held before the loop, or what its body has left in them."""
    store = loop.state.store
    for storage, cells in list(store.cells.items()):
        before = entry.get(storage)
        if before is None or before is cells or storage in carried:
            continue
        for offset, cell in cells.items():
            if before.get(offset) is cell:
                continue
            old = before.get(offset) if offset == WHOLE else store.standing(storage, before, offset, cell)
            if old.value == cell.value if old is not None else not _moves(loop, cell.value):
                continue
            values = () if old is None else (old.value,)
            level = max(store.level(cell.value), way_out.level, *map(store.level, values))
            others = (*values, *way_out.conditions)
            value = _mixed(loop, cell.value, level, store.called(storage, offset, cell), others)
            store.cells[storage] = {**store.cells[storage], offset: replace(cell, value=value)}


def _moves(loop: LoopState, value: Value) -> bool:
    """Whether a value goes by the number of the iteration: after the loop it is that of the last one alone."""
    number = offset_of(value)
    if number is None:
        return False
    counting = (AtomKind.COUNTER, AtomKind.TABLE)
    return any(atom.index >= loop.born and atom.kind in counting for atom in loop.algebra.closure(number))


def _leave_array(loop: LoopState, item: Carried, way_out: Leaving) -> None:
    """Set an array of which no element is followed.

    Only elements that every iteration sets alike are known, where there is at least one iteration.
    """
    surely = way_out.counted and bool(loop.trips)
    store, storage = loop.state.store, item.slot[0]
    contents = [store.cells.get(storage, {}), *(exit.cells.get(storage, {}) for exit in way_out.breaks)]
    level = max((store.level(cell.value) for cells in contents for cell in cells.values()), default=way_out.level)
    reason = f"`{item.name}` after a loop is not followed"
    whole = Cell(item.size, loop.algebra.opaque(item.name, max(level, way_out.level), reason))
    kept = {
        at: cell
        for at, cell in contents[0].items()
        if surely and at != WHOLE and (number := offset_of(cell.value)) is not None and not loop.varies(number)
    }
    store.cells[storage] = {WHOLE: whole, **kept}


def _jumps(loop: LoopState, item: Carried, cell: Cell | None, step: Poly) -> bool:
    """Whether a break leaves a variable that moves in steps with a value that is not one of them."""
    value = None if cell is None else offset_of(cell.value)
    return value is None or value - loop.closed[item.slot] not in (loop.algebra.zero, step)


def _mixed(loop: LoopState, end: Value, level: Level, name: str, others: Sequence[Value]) -> Value:
    """Return an opaque value like `end` that depends on the other values."""
    reason = f"`{name}` after a loop is not followed"
    if isinstance(end, Address):
        return Address(end.base, loop.algebra.opaque(name, level, reason, is_quoted=True))
    text = f"threads leave the loop at line {loop.statement.span.line} with different values in `{name}`"
    sharing = sharing_of(loop.state.recorder.uniformity, text, level, end, *others)
    if isinstance(end, AggregateValue):
        return AggregateValue(
            {}, loop.algebra.opaque(name, level, reason if level is not Level.UNIFORM else "", sharing=sharing)
        )
    if not isinstance(end, Polynomial):
        return end
    if loop.state.store.is_float(end):
        return loop.state.store.floating(level, warp_uniform=sharing.warp_uniform)
    return loop.algebra.opaque(name, level, reason, sharing=sharing, is_quoted=True)
