"""Exits: which threads have left by return, break, continue or goto, and what holds where they meet the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.conditions import Condition, When
from coalint.analysis.domain.derivations import Definition
from coalint.analysis.domain.frames import Cells, Exit
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


LEFT = (GuardKind.RETURN, GuardKind.LEAVE)
FARTHER = (GuardKind.RETURN, GuardKind.JUMP)
"""Ways out of more than the loop around."""


class NotFollowed(Exception):
    """Control flow that the analysis does not follow; costs the kernel."""

    def __init__(self, reason: str, at: ir.Statement | Exit) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = at.span


def resolve_goto(state: State, label: str, guards: tuple[Guard, ...], mark: int) -> None:
    """Handle a label of the block that was entered under these guards: threads that jumped to it are here again."""
    jumped = [exit for exit in state.exits[mark:] if exit.label == label]
    if jumped:
        state.exits[mark:] = [exit for exit in state.exits[mark:] if exit.label != label]
        rejoin(state, jumped, len(guards))
        state.guards = guards
        exclude(state, mark)


def require_resolved_gotos(state: State) -> None:
    """Raise NotFollowed where a goto has met no label ahead of it."""
    for exit in state.exits:
        if exit.kind is GuardKind.JUMP:
            raise NotFollowed("a goto that jumps back, or into a statement, is not followed", exit)


def join(
    state: State, condition: Poly, then: Cells | None, otherwise: Cells | None, chosen: Definition | None = None
) -> None:
    """Continue with the sides that are still alive."""
    state.alive = then is not None or otherwise is not None
    if then is None:
        state.store.cells = otherwise if otherwise is not None else state.store.cells
    elif otherwise is None:
        state.store.cells = then
    else:
        state.store.cells = state.store.merge(condition, then, otherwise, chosen)


def exclude(state: State, mark: int) -> None:
    """Remove the threads that left a branch by return, break or continue."""
    depth = len(state.guards)
    for exit in state.exits[mark:]:
        state.guards = (*state.guards, exit_guard(state, exit, depth))


def exit_guard(state: State, exit: Exit, depth: int, over: tuple[tuple[int, When], ...] = ()) -> Guard:
    """Return the guard that a thread did not take an exit; `depth` guards are common to here and there."""
    path = exit.path[depth:]
    taken = taken_by(state, exit, depth)
    # What the user wrote to get there, without what others did to leave before.
    written = [guard for guard in path if guard.kind is GuardKind.BRANCH and not guard.condition.over] or path[-1:]
    texts = " && ".join(dict.fromkeys(guard.condition.text for guard in written))
    trace = tuple(dict.fromkeys(definition for guard in path for definition in guard.trace))
    span = path[-1].span if path else exit.span
    kind = GuardKind.LEAVE if exit.kind is GuardKind.RETURN and state.depth and not exit.final else exit.kind
    over = (*((index, When.EVER) for index in exit.loops), *over)
    return Guard(Condition(1 - taken, f"!({texts})", over), kind, span, trace, state.depth)


def taken_by(state: State, exit: Exit, depth: int) -> Poly:
    """Return the condition under which a thread takes an exit, in the iteration at hand of the loops around it.

    Guards that a thread has not left before are no part of it: whoever has is gone for good.
    """
    if not exit.followed:
        return state.algebra.opaque("exit", leaving(state, exit, depth), "an exit from a loop that is not followed")
    taken = state.algebra.one
    for guard in exit.path[depth:]:
        if not guard.condition.over and guard.kind not in LEFT:
            taken = state.algebra.both(taken, state.algebra.truth(guard.condition.value))
    return taken


def leaving(state: State, exit: Exit, depth: int) -> Level:
    """Return the level of what makes a thread take an exit that is not followed."""
    conditions = [guard.condition.value for guard in exit.path[depth:]]
    levels = (state.algebra.level(value) for value in conditions if not state.recorder.uniform(value))
    return max(levels, default=Level.UNIFORM)


def rejoin(state: State, exits: list[Exit], depth: int) -> None:
    """Join the variables of threads that took one of the exits with those that are still here, if any are."""
    store = state.store
    for exit in reversed(exits):
        if not state.alive:
            store.cells, state.alive = exit.cells, True
        elif exit.loops or not exit.followed:
            store.cells = store.havoc_join(exit.cells, store.cells, leaving(state, exit, depth))
        else:
            store.cells = store.merge(taken_by(state, exit, depth), exit.cells, store.cells)
