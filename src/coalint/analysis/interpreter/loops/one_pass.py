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
from coalint.analysis.interpreter.loops.exit_state import leaving
from coalint.analysis.interpreter.loops.pointers.members import stand_in
from coalint.analysis.interpreter.loops.solving.fixpoint import forget_floats, solve_by_running
from coalint.analysis.interpreter.loops.solving.running import enter
from coalint.analysis.interpreter.loops.solving.steps import solve_by_steps
from coalint.analysis.interpreter.loops.solving.trip_counts import name_counter
from coalint.analysis.interpreter.statements import control_flow
from coalint.analysis.recorder.evaluated_kernel import LoopAround
from coalint.core.records import record

if TYPE_CHECKING:
    pass
from typing import TYPE_CHECKING

from coalint.analysis.interpreter.loops.exit_state import set_exit_state

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


FARTHER = (GuardKind.RETURN, GuardKind.JUMP)  # ways out of more than the loop around


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
        _pass(loop)
        return
    carried = forget_floats(loop, find_carried(loop))
    name_counter(loop, carried)
    unsolved = solve_by_steps(loop, carried)
    if unsolved or _decided_by_floats(loop, carried):
        solve_by_running(loop, carried)
    entry = _Entry(state.store.snapshot(), state.guards, len(state.exits), state.recorder.barriers.mark())
    gone = _gone(loop, carried)
    enter(loop, carried)
    state.guards = (*state.guards, *gone)
    around = LoopAround(loop.statement, loop.counter, loop.trips, _variable(loop, carried), loop.sequence)
    state.recorder.push_loop(around)
    _begin(loop, len(entry.guards))
    guard = loop.test(first=True)
    late = loop.test(first=False) if loop.body(entry.exits) else None
    state.recorder.pop_loop()
    _end(loop, guard or late, state.exits[entry.exits :])
    _after(loop, carried, entry, guard or late)


def _decided_by_floats(loop: LoopState, carried: list[Carried]) -> bool:
    """Whether it matters how the floating-point numbers that a loop carries differ between threads."""
    store = loop.state.store
    floats = any(isinstance(item.start, Polynomial) and store.is_float(item.start) for item in carried)
    return floats and loop.state.assignments.floats_decide(loop.statement)


def _pass(loop: LoopState) -> None:
    """Run the body once, with stand-ins for all that the loop changes, before it and after it.

    That tells what the loops around this one change; what it makes of its variables is of no use then.
    """
    state, guards, mark = loop.state, loop.state.guards, len(loop.state.exits)
    storages = [item.slot[0] for item in find_carried(loop)]
    stand_in(loop, storages)
    loop.test(first=True)
    if loop.body(mark):
        loop.test(first=False)
    breaks = [exit for exit in state.exits[mark:] if exit.kind is GuardKind.BREAK]
    state.exits[mark:] = [exit for exit in state.exits[mark:] if exit.kind in FARTHER]
    state.alive = loop.statement.condition is not None
    control_flow.rejoin(state, breaks, len(guards))
    state.guards = guards
    stand_in(loop, storages)


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


def _gone(loop: LoopState, carried: list[Carried]) -> list[Guard]:
    """Return the guards that a thread has not left the loop in an earlier iteration (break, return, a late test)."""
    state = loop.state
    late = loop.statement.condition is not None and not loop.statement.test_first
    if loop.counter is None or not (loop.change.breaks or late):
        return []
    index = loop.algebra.atoms_of(loop.counter)[0].index
    depth, mark = len(state.guards), len(state.exits)
    with dry_run(state):
        enter(loop, carried)
        loop.test(first=True)
        guard = loop.test(first=False) if loop.body(mark) else None
        exits = state.exits[mark:]
        lefts = [control_flow.exit_guard(state, exit, depth, ((index, When.BEFORE),)) for exit in exits]
        same = loop.monotone and not loop.varying  # for all threads and blocks, if the condition is
        if guard is not None and not (same and loop.algebra.level(guard.condition.value) is Level.UNIFORM):
            condition = replace(guard.condition, over=((index, When.BEFORE),))
            lefts.append(replace(guard, condition=condition))
    return [left for left in lefts if not _idle(loop, left.condition.value)]


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
    returns = [exit for exit in exits if exit.kind in FARTHER]
    state.guards = entry.guards
    lefts = [control_flow.exit_guard(state, exit, depth) for exit in breaks + returns]
    if guard is not None and not loop.statement.test_first:
        lefts.append(guard)
    state.recorder.barriers.taint(entry.barriers, lefts)
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
    followed = exit.followed and all(guard.kind in (GuardKind.LEAVE, *FARTHER) for guard in own)
    counter = () if loop.counter is None else (loop.algebra.atoms_of(loop.counter)[0].index,)
    return replace(exit, loops=(*exit.loops, *counter), followed=followed)
