"""A loop that is run once for all its iterations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.conditions import When
from coalint.analysis.domain.frames import Cells, Exit
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.interpreter.dry_runs import dry_run
from coalint.analysis.interpreter.loops.changes.carried import find_carried
from coalint.analysis.interpreter.loops.changes.records import Carried
from coalint.analysis.interpreter.loops.discovery import discover
from coalint.analysis.interpreter.loops.exit_state import leaving, set_exit_state
from coalint.analysis.interpreter.loops.pointers.splits import confirm
from coalint.analysis.interpreter.loops.solving.fixpoint import forget_floats, solve_by_running
from coalint.analysis.interpreter.loops.solving.running import Iteration, enter
from coalint.analysis.interpreter.loops.solving.steps import solve_by_steps
from coalint.analysis.interpreter.loops.solving.trip_counts import name_counter
from coalint.analysis.interpreter.statements import control_flow
from coalint.analysis.recorder.evaluated_kernel import LoopAround
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


@record(frozen=True, slots=True)
class _Entry:
    """The state before a loop: variables, guards, and how many exits and barriers there are."""

    cells: Cells
    guards: tuple[Guard, ...]
    exits: int
    barriers: int


def run_all(loop: LoopState) -> None:
    """Solve the carried variables, run the body once for all iterations, leave the state after the loop."""
    state = loop.state
    if state.discovering:
        discover(loop)
        return
    carried = forget_floats(loop, find_carried(loop))
    name_counter(loop, carried)
    unsolved = solve_by_steps(loop, carried)
    stands: Iteration | None = None
    if unsolved or _decided_by_floats(loop, carried):
        stands = solve_by_running(loop, carried)
    entry = _Entry(state.store.snapshot(), state.guards, len(state.exits), state.recorder.barriers.mark())
    if stands is not None and _goes_on(loop, entry, stands):
        _after(loop, carried, entry, stands.guard or stands.late)
        return
    if state.dry and _may_be_gone(loop):
        run = _dry_run(loop, carried, entry)
        if run.stands:
            _after(loop, carried, entry, run.guard)
            return
        gone = run.gone
    else:
        gone = _gone(loop, carried)
    enter(loop, carried)
    begin = state.store.snapshot()
    state.guards = (*state.guards, *gone)
    state.recorder.push_loop(_around(loop, carried))
    _begin(loop, len(entry.guards))
    guard = loop.test(first=True)
    late = loop.test(first=False) if loop.body(entry.exits) else None
    state.recorder.pop_loop()
    exits = state.exits[entry.exits :]
    _end(loop, guard or late, exits)
    confirm(loop, begin, [state.store.cells, *(exit.cells for exit in exits)])
    _after(loop, carried, entry, guard or late)


def _decided_by_floats(loop: LoopState, carried: list[Carried]) -> bool:
    """Whether it matters how the floating-point numbers that a loop carries differ between threads."""
    store = loop.state.store
    floats = any(isinstance(item.start, Polynomial) and store.is_float(item.start) for item in carried)
    return floats and loop.state.assignments.floats_decide(loop.statement)


def _around(loop: LoopState, carried: list[Carried]) -> LoopAround:
    is_open = loop.trips is None and loop.total is not None
    most = loop.algebra.range(loop.total)[1] if is_open and loop.total is not None else None
    return LoopAround(loop.statement, loop.counter, loop.trips, _variable(loop, carried), loop.sequence, most)


def _variable(loop: LoopState, carried: list[Carried]) -> Poly | None:
    """Return the number that the variable which the loop is named after holds at the start of an iteration."""
    named = loop.change.counter
    if named is None:
        return None
    own = [item for item in carried if item.key == named.key and isinstance(item.start, Polynomial)]
    return loop.closed.get(own[0].slot) if own else None


def _begin(loop: LoopState, depth: int) -> None:
    counter = loop.algebra.atoms_of(loop.counter)[0].index if loop.counter is not None else -1
    loop.state.recorder.order.began(loop.statement, counter, loop.trips, depth, loop.change.breaks)


def _end(loop: LoopState, guard: Guard | None, exits: Sequence[Exit]) -> None:
    conditions = [condition.condition.value for exit in exits for condition in exit.path]
    if guard is not None:
        conditions.append(guard.condition.value)
    loop.state.recorder.order.ended(loop.state, conditions)


def _may_be_gone(loop: LoopState) -> bool:
    """Whether a thread may have left the loop in an earlier iteration otherwise than by the condition at its start."""
    late = loop.statement.condition is not None and not loop.statement.test_first
    return loop.counter is not None and (loop.change.breaks or late)


def _gone(loop: LoopState, carried: list[Carried]) -> list[Guard]:
    """Return the guards that a thread has not left the loop in an earlier iteration (break, return, a late test)."""
    if not _may_be_gone(loop):
        return []
    state = loop.state
    depth, mark = len(state.guards), len(state.exits)
    with dry_run(state):
        enter(loop, carried)
        loop.test(first=True)
        late = loop.test(first=False) if loop.body(mark) else None
        return _left(loop, state.exits[mark:], late, depth)


def _left(loop: LoopState, exits: Sequence[Exit], late: Guard | None, depth: int) -> list[Guard]:
    """Return the guards that a thread has taken none of these exits before, nor left by the `late` test."""
    assert loop.counter is not None
    index = loop.algebra.atoms_of(loop.counter)[0].index
    lefts = [control_flow.exit_guard(loop.state, exit, depth, ((index, When.BEFORE),)) for exit in exits]
    same = loop.monotone and not loop.varying  # for all threads and blocks, if the condition is
    if late is not None and not (same and loop.algebra.level(late.condition.value) is Level.UNIFORM):
        condition = replace(late.condition, over=((index, When.BEFORE),))
        lefts.append(replace(late, condition=condition))
    return [left for left in lefts if not _idle(loop, left.condition.value)]


def _goes_on(loop: LoopState, entry: _Entry, run: Iteration) -> bool:
    """Go on with the state that a dry run has left, as if it had known which threads are gone; False if it had to."""
    state, depth = loop.state, len(entry.guards)
    gone = _left(loop, run.exits, run.late, depth) if _may_be_gone(loop) else []
    if run.stores and not all(state.recorder.uniform(left.condition.value) for left in gone):
        return False
    state.store.cells = run.cells
    state.exits.extend(_after_guards(run.exits, gone, depth))
    return True


def _after_guards(exits: Sequence[Exit], gone: Sequence[Guard], depth: int) -> list[Exit]:
    """Return exits with the guards of an iteration on their way, behind those of before the loop."""
    return [replace(exit, path=(*exit.path[:depth], *gone, *exit.path[depth:])) for exit in exits]


@record(frozen=True, slots=True)
class _DryRun:
    """What a run says that records nothing: the guards that a thread is not gone before, and the loop's condition.

    `stands` says that a run under these guards would give the same, so that the state after it is the one to go on
    with; otherwise the state is as it was before.
    """

    gone: list[Guard]
    guard: Guard | None
    stands: bool


def _dry_run(loop: LoopState, carried: list[Carried], entry: _Entry) -> _DryRun:
    """Run the body once where nothing is recorded, to see how threads leave and what they hold then.

    Guards matter there to what is said of exits alone, and to stores: whether part of the block makes them.
    """
    state, depth, stores = loop.state, len(entry.guards), loop.state.recorder.unsynchronised
    before = state.epoch, stores.written, stores.whole, len(state.escaped)
    cells = state.store.snapshot()
    enter(loop, carried)
    begin = state.store.snapshot()
    state.recorder.push_loop(_around(loop, carried))
    guard = loop.test(first=True)
    late = loop.test(first=False) if loop.body(entry.exits) else None
    state.recorder.pop_loop()
    exits = state.exits[entry.exits :]
    confirm(loop, begin, [state.store.cells, *(exit.cells for exit in exits)])
    gone = _left(loop, exits, late, depth)
    epoch, written, whole, escaped = before
    aged = state.epoch == epoch or epoch != loop.epoch  # else it has taken memory for what it was before the loop
    parted = whole != stores.whole and not all(state.recorder.uniform(left.condition.value) for left in gone)
    stands = aged and not parted and stores.written == written and len(state.escaped) == escaped
    if stands:
        state.exits[entry.exits :] = _after_guards(exits, gone, depth)
    else:
        state.store.cells, state.guards, state.alive = cells, entry.guards, True
        del state.exits[entry.exits :]
    return _DryRun(gone, guard or late, stands)


def _idle(loop: LoopState, value: Poly) -> bool:
    """Whether a condition says nothing of single threads or iterations: uniform and not known."""
    if loop.algebra.level(value) is not Level.UNIFORM:
        return False
    counted = (AtomKind.COUNTER, AtomKind.OPERATION, AtomKind.TABLE)
    return not all(atom.kind in counted for atom in loop.algebra.closure(value))


def _after(loop: LoopState, carried: list[Carried], entry: _Entry, guard: Guard | None) -> None:
    """Set the state after the loop; `guard` is its condition, where that is open."""
    state, depth = loop.state, len(entry.guards)
    exits = state.exits[entry.exits :]
    breaks = [exit for exit in exits if exit.kind is GuardKind.BREAK]
    returns = [exit for exit in exits if exit.kind in control_flow.FARTHER]
    state.guards = entry.guards
    lefts = [control_flow.exit_guard(state, exit, depth) for exit in breaks + returns]
    if guard is not None and not loop.statement.test_first:
        lefts.append(guard)
    state.recorder.barriers.taint(entry.barriers, lefts)
    state.recorder.barriers.out()
    ways_out = lefts[: len(breaks)] + ([guard] if guard is not None else [])
    conditions = [way.condition.value for way in ways_out if not state.recorder.uniform(way.condition.value)]
    set_exit_state(loop, carried, entry.cells, leaving(loop, breaks, conditions))
    returns = [_outside(loop, exit, depth) for exit in returns]
    state.exits[entry.exits :] = returns
    state.alive = loop.statement.condition is not None or bool(breaks)
    for exit in returns:
        state.guards = (*state.guards, control_flow.exit_guard(state, exit, depth))


def _outside(loop: LoopState, exit: Exit, depth: int) -> Exit:
    """Return a return as it is seen after the loop: taken in any of its iterations that the thread is part of."""
    own = [guard for guard in exit.path[depth:] if guard.condition.over]
    leaving = {GuardKind.LEAVE, *control_flow.FARTHER}
    followed = exit.followed and all(guard.kind in leaving for guard in own)
    counter = () if loop.counter is None else (loop.algebra.atoms_of(loop.counter)[0].index,)
    return replace(exit, loops=(*exit.loops, *counter), followed=followed)
