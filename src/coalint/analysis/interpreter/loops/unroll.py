"""Short loops, one iteration after the other.

These are loops over a local array, `for (i = 0; i < 4; ++i) p[i] = &rows[i][0];`, and searches, which each thread
leaves where it has found its place: `for (i = 0; i < 10; ++i) if (threadIdx.x < ends(i)) { row = i; break; }`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Cells, Exit
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.interpreter.dry_runs import dry_run
from coalint.analysis.interpreter.loops.pointers.members import leads_somewhere
from coalint.analysis.interpreter.statements import control_flow
from coalint.analysis.recorder.recorder import MemoryTouched
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

MAX_TRIPS = 16
MAX_STEPS = 2_000  # expressions evaluated to find out how many trips there are


def worthwhile(state: State, statement: ir.Loop) -> bool:
    """Whether a loop tested at its start uses elements of integers or pointers, or has a way out inside."""
    if statement.condition is None or not statement.test_first or state.recorder.model is None:
        return False
    change = state.assignments.of(statement)
    if change.breaks:
        return not (change.barriers or change.stores or change.through_this)
    return change.elements or (change.pointed and leads_somewhere(state))


def run(state: State, statement: ir.Loop) -> bool:
    """Run a loop one iteration after the other, where that applies; False, and the state is as before, for others."""
    if state.dry:
        return _attempt(state, statement)
    if not _trips(state, statement):
        return False
    _execute(state, statement)
    return True


def _trips(state: State, statement: ir.Loop) -> int | None:
    """Return how many iterations there are, where these are few, touch no memory and compute all that they write."""
    pointers = state.store.outside_known()
    try:
        with dry_run(state):
            return _without_memory(state, statement)
    finally:
        state.store.forget_outside(pointers)


def _attempt(state: State, statement: ir.Loop) -> bool:
    """Run a loop of which `_trips` would say how many iterations there are, nothing recorded; False for others.

    What `_trips` would find out is what the loop does there. The state is as before where it does not apply.
    """
    cells, guards, exits, pointers = state.store.snapshot(), state.guards, len(state.exits), state.store.outside_known()
    steps = state.steps
    if _without_memory(state, statement):
        state.steps += state.steps - steps  # the limit of the loops around holds for trying and running it
        _meet(state, exits, guards)
        return True
    state.store.cells, state.guards, state.alive = cells, guards, True
    del state.exits[exits:]
    state.store.forget_outside(pointers)
    return False


def _without_memory(state: State, statement: ir.Loop) -> int | None:
    """Return how many iterations there are, as `_counted`; None for a loop that touches memory, which ends with that.

    A loop inside of one that is tried ends the trial of that. The caller puts the variables, guards and exits back.
    """
    recorder = state.recorder
    if recorder.refuses_accesses:
        return _counted(state, statement)
    loops, discovering, split = len(recorder.loops), state.discovering, state.split
    recorder.refuses_accesses = True
    try:
        return _counted(state, statement)
    except MemoryTouched:
        del recorder.loops[loops:]
        state.discovering, state.split = discovering, split
        return None
    finally:
        recorder.refuses_accesses = False


def _counted(state: State, statement: ir.Loop) -> int | None:
    before, exits, born = state.store.snapshot(), len(state.exits), len(state.algebra.atoms)
    most, depth = state.steps + MAX_STEPS, len(state.guards)
    for trip in range(MAX_TRIPS + 1):
        state.begin()
        assert statement.condition is not None
        goes_on = state.algebra.number(state.condition(statement.condition))
        if goes_on is None or state.steps > most:
            return None
        if not _computed(state, state.store.cells, before, born):
            return None
        if not goes_on:
            return trip
        _iterate(state, statement)
        if not all(_is_followed(state, exit, depth, before, born) for exit in state.exits[exits:]):
            return None
        if not state.alive:
            return trip + 1 if len(state.exits) > exits else None
    return None


def _is_followed(state: State, exit: Exit, depth: int, before: Cells, born: int) -> bool:
    """Whether threads leave the loop by a `break` of its own, or a function, decided by what is computed."""
    returns = exit.kind is GuardKind.RETURN and state.depth > 0 and not exit.final
    if not (returns or exit.kind is GuardKind.BREAK) or exit.loops or not exit.followed:
        return False
    values = [guard.condition.value for guard in exit.path[depth:]]
    if isinstance(exit.value, Polynomial):
        values.append(exit.value)
    elif exit.value is not None:
        return False
    decided = not any(atom.kind in (AtomKind.LOAD, AtomKind.OPAQUE) for atom in state.algebra.closure(*values))
    return decided and _computed(state, exit.cells, before, born)


def _computed(state: State, after: Cells, before: Cells, born: int) -> bool:
    """Whether all that was written since is made of what was there before: atoms of lower indices than `born`."""
    for storage, cells in after.items():
        known = before.get(storage)
        if known is None or known is cells:
            continue
        for cell in cells.values():
            if isinstance(cell.value, Polynomial) and any(
                atom.index >= born and atom.kind in (AtomKind.LOAD, AtomKind.OPAQUE)
                for atom in state.algebra.closure(cell.value)
            ):
                return False
    return True


def _execute(state: State, statement: ir.Loop) -> None:
    """Run a loop of which `_trips` has said that it ends."""
    mark, guards = len(state.exits), state.guards
    for _ in range(MAX_TRIPS + 1):
        state.begin()
        assert statement.condition is not None
        if not state.algebra.number(state.condition(statement.condition)):
            break
        _iterate(state, statement)
        if not state.alive:
            break
    _meet(state, mark, guards)


def _meet(state: State, mark: int, guards: tuple[Guard, ...]) -> None:
    """Join the threads that have left the loop before its end with the others; `guards` are those of the loop."""
    left = state.exits[mark:]
    state.exits[mark:] = [exit for exit in left if exit.kind is not GuardKind.BREAK]
    control_flow.rejoin(state, [exit for exit in left if exit.kind is GuardKind.BREAK], len(guards))
    state.guards = guards
    if state.alive:
        control_flow.exclude(state, mark)


def _iterate(state: State, statement: ir.Loop) -> None:
    guards, mark = state.guards, len(state.exits)
    with state.solved.aside(), state.reached.aside():
        state.execute(statement.body)
        _go_on(state, mark, guards)
        if state.alive and statement.step is not None:
            state.value(statement.step)


def _go_on(state: State, mark: int, guards: tuple[Guard, ...]) -> None:
    """Join the threads that have gone on to the next iteration with those that came to the end of this one."""
    left = state.exits[mark:]
    going_on = [exit for exit in left if exit.kind is GuardKind.CONTINUE]
    if going_on:
        state.exits[mark:] = [exit for exit in left if exit.kind is not GuardKind.CONTINUE]
        control_flow.rejoin(state, going_on, len(guards))
        state.guards = guards
        control_flow.exclude(state, mark)
