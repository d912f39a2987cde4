"""One iteration: the variables at its start, its condition, its body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.conditions import Condition, When
from coalint.analysis.domain.frames import Cells, Exit
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.domain.store.extents import WHOLE
from coalint.analysis.domain.values import Address, AggregateValue, Cell, Value
from coalint.analysis.interpreter.dry_runs import dry_run
from coalint.analysis.interpreter.loops.changes.records import Carried, Slot
from coalint.analysis.interpreter.loops.pointers.splits import confirm
from coalint.analysis.interpreter.loops.pointers.trial import end_cells
from coalint.analysis.interpreter.loops.sequences.rotation import rotated
from coalint.analysis.interpreter.statements import control_flow
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState
    from coalint.analysis.recorder.unsynchronised import Written


def placeholders(loop: LoopState, numbers: list[Carried], marks: dict[Slot, Poly]) -> dict[Slot, Value]:
    """Return values for a dry run: stand-ins where nothing is known yet."""
    values: dict[Slot, Value] = {}
    for item in numbers:
        poly = marks.get(item.slot, loop.closed.get(item.slot))
        if poly is not None:
            values[item.slot] = Address(item.start.base, poly) if isinstance(item.start, Address) else poly
    return values


@record(frozen=True, slots=True)
class Iteration:
    """One iteration that nothing records: what `values` have become at its end, and the state that it leaves.

    `guard` and `late` are the loop's condition, at its start or at its end, where that is open. `stands` says that
    another run from the same values would give the same: it has read memory as later iterations find it, and left no
    trace in what is known of stores. `stores` says that the whole block has made some.
    """

    ends: dict[Slot, Value]
    cells: Cells
    exits: tuple[Exit, ...]
    guard: Guard | None
    late: Guard | None
    stands: bool
    stores: bool


def dry_iteration(loop: LoopState, values: dict[Slot, Value]) -> Iteration:
    """Run one iteration that starts with `values`, nothing recorded; the state is as before."""
    state, born = loop.state, loop.born
    mark, epoch, stores = len(state.exits), state.epoch, state.recorder.unsynchronised
    written, whole, escaped = stores.written, stores.whole, len(state.escaped)
    with dry_run(state):
        loop.put(values)
        begin = state.store.snapshot()
        guard = loop.test(first=True)
        late = loop.test(first=False) if loop.body(mark) else None
        confirm(loop, begin, end_cells(state, mark))
        ends = {}
        for storage, offset in values:
            cell = standing(loop, state.store.cells, (storage, offset), values[storage, offset])
            if cell is not None:
                ends[(storage, offset)] = cell.value
        aged = state.epoch == epoch or epoch != loop.epoch
        stands = aged and _is_fresh(stores.written, written, born) and len(state.escaped) == escaped
        left, stored = tuple(state.exits[mark:]), stores.whole != whole
        return Iteration(ends, state.store.cells, left, guard, late, stands, stored)


def _is_fresh(after: Written, before: Written, born: int) -> bool:
    """Whether stores went to places alone that the atoms from `born` on are in: those of no other iteration."""
    kept = len(before)
    return after[:kept] == before and all(
        not at.lies_below(born) or (base, at, span) in before for base, at, span in after[kept:]
    )


def standing(loop: LoopState, contents: Cells, slot: Slot, like: Value) -> Cell | None:
    """Return what a variable holds, whatever way it was written; `like` is a value of its kind."""
    storage, offset = slot
    cells = contents.get(storage, {})
    if offset == WHOLE:
        return cells.get(WHOLE)
    return loop.state.store.standing(storage, cells, offset, Cell(loop.sizes.get(slot, 4), like))


def put(loop: LoopState, values: dict[Slot, Value]) -> None:
    """Set variables, keeping where they came from."""
    store = loop.state.store
    for (storage, offset), value in values.items():
        cells = store.cells.get(storage, {})
        old = cells.get(offset)
        size = loop.sizes.get((storage, offset), old.size if old is not None else 4)
        definition = old.definition if old is not None else None
        if offset == WHOLE or (old is not None and old.size == size):
            store.cells[storage] = {**cells, offset: Cell(size, value, definition)}
        else:
            store.write(storage, loop.algebra.constant(offset), size, value, definition)


def enter(loop: LoopState, carried: list[Carried]) -> None:
    """Set every variable to what it holds at the start of iteration k."""
    store = loop.state.store
    values: dict[Slot, Value] = {}
    for item in carried:
        poly = loop.closed.get(item.slot)
        if item.slot in loop.turns and loop.counter is not None:
            values[item.slot] = rotated(loop.state, loop.turns[item.slot], loop.counter)
        elif poly is not None:
            values[item.slot] = Address(item.start.base, poly) if isinstance(item.start, Address) else poly
        else:
            level = store.level(item.start)
            values[item.slot] = _unfollowed(loop, item, level)
    loop.put(values)


def _unfollowed(loop: LoopState, item: Carried, level: Level) -> Value:
    if isinstance(item.start, AggregateValue) and item.slot in loop.replaced:
        reason = f"`{item.name}` changes in a loop in a way that is not followed"
        return AggregateValue({}, loop.algebra.opaque(item.name, loop.replaced[item.slot], reason))
    if isinstance(item.start, Polynomial) and loop.state.store.is_float(item.start):
        held = standing(loop, loop.state.store.cells, item.slot, item.start)
        return item.start if held is None else held.value
    if item.offset is None:
        return item.start
    reason = f"`{item.name}` changes in a loop in a way that is not followed"
    return loop.algebra.opaque(item.name, level, reason, is_quoted=True)


def test(loop: LoopState, first: bool) -> Guard | None:
    """Evaluate the condition; it guards the body when it is tested first."""
    state, condition = loop.state, loop.statement.condition
    if condition is None or first is not loop.statement.test_first:
        return None
    mark = state.begin()
    value = state.condition(condition)
    trace = tuple(dict.fromkeys(state.trace[mark:]))
    if loop.algebra.number(value):
        return None
    over: tuple[tuple[int, When], ...] = ()
    if first and loop.counter is not None and loop.trips is not None and not loop.monotone:
        over = ((loop.algebra.atoms_of(loop.counter)[0].index, When.UNTIL),)
    guard = Guard(
        Condition(value, state.condition_text(value, condition.span), over), GuardKind.LOOP, condition.span, trace
    )
    if first:
        state.guards = (*state.guards, guard)
    return guard


def body(loop: LoopState, mark: int) -> bool:
    """Run the body and the step, for which threads that continued are back. False where none gets there."""
    state, depth, epoch = loop.state, len(loop.state.guards), loop.state.epoch
    state.execute(loop.statement.body)
    if state.epoch == epoch:
        state.quiet.add(id(loop.statement))
    else:
        state.quiet.discard(id(loop.statement))
    exits = state.exits[mark:]
    state.exits[mark:] = [exit for exit in exits if exit.kind is not GuardKind.CONTINUE]
    control_flow.rejoin(state, [exit for exit in exits if exit.kind is GuardKind.CONTINUE], depth)
    if state.alive and loop.statement.step is not None:
        state.value(loop.statement.step)
    return state.alive
