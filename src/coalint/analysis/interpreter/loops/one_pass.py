"""A loop that is run once for all its iterations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Exit
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.interpreter.loops import recorded_loops
from coalint.analysis.interpreter.loops.changes.carried import find_carried
from coalint.analysis.interpreter.loops.changes.records import Carried
from coalint.analysis.interpreter.loops.discovery import discover
from coalint.analysis.interpreter.loops.exit_state import leaving, set_exit_state
from coalint.analysis.interpreter.loops.gone_threads import guards_of_gone, may_be_gone
from coalint.analysis.interpreter.loops.pointers.splits import confirm
from coalint.analysis.interpreter.loops.pointers.trial import end_cells
from coalint.analysis.interpreter.loops.solving.fixpoint import forget_floats, solve_by_running
from coalint.analysis.interpreter.loops.solving.running import Iteration, enter
from coalint.analysis.interpreter.loops.solving.steps import solve_by_steps
from coalint.analysis.interpreter.loops.solving.trip_counts import name_counter
from coalint.analysis.interpreter.loops.unrecorded import Entry, goes_on, run_unrecorded
from coalint.analysis.interpreter.statements import control_flow

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


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
    entry = Entry(state.store.snapshot(), state.guards, len(state.exits), state.recorder.barriers.mark())
    if stands is not None and goes_on(loop, entry, stands):
        _after(loop, carried, entry, stands.guard or stands.late)
        return
    if state.dry and may_be_gone(loop):
        run = run_unrecorded(loop, carried, entry)
        if run.stands:
            _after(loop, carried, entry, run.guard)
            return
        gone = run.gone
    else:
        gone = guards_of_gone(loop, carried)
    enter(loop, carried)
    begin = state.store.snapshot()
    state.guards = (*state.guards, *gone)
    state.recorder.push_loop(recorded_loops.around(loop, carried))
    recorded_loops.begin(loop, len(entry.guards))
    accesses = state.recorder.supposed_loops
    since, meetings = accesses.count, state.recorder.order.meetings
    guard = loop.test(first=True)
    until = accesses.count
    late = loop.test(first=False) if loop.body(entry.exits) else None
    recorded_loops.tested(loop, guard, since, until, meetings)
    state.recorder.pop_loop()
    exits = state.exits[entry.exits :]
    recorded_loops.end(loop, guard or late, exits)
    confirm(loop, begin, end_cells(state, entry.exits))
    _after(loop, carried, entry, guard or late)


def _decided_by_floats(loop: LoopState, carried: list[Carried]) -> bool:
    """Whether it matters how the floating-point numbers that a loop carries differ between threads."""
    store = loop.state.store
    floats = any(isinstance(item.start, Polynomial) and store.is_float(item.start) for item in carried)
    return floats and loop.state.assignments.floats_decide(loop.statement)


def _after(loop: LoopState, carried: list[Carried], entry: Entry, guard: Guard | None) -> None:
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
