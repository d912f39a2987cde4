"""Exits: which threads have left by return, break, continue or goto, and what holds where they meet the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.conditions import Condition, When
from coalint.analysis.domain.values import (
    Cells,
    Definition,
    Exit,
    Guard,
    GuardKind,
)
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


LEFT = (GuardKind.RETURN, GuardKind.LEAVE)


class NotFollowed(Exception):
    """Control flow that the analysis does not follow; costs the kernel."""

    def __init__(self, reason: str, at: ir.Statement | Exit) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = at.span


def land(run: State, label: str, guards: tuple[Guard, ...], mark: int) -> None:
    """A label of the block that was entered under these guards: threads that jumped to it are here again."""
    jumped = [exit for exit in run.exits[mark:] if exit.label == label]
    if jumped:
        run.exits[mark:] = [exit for exit in run.exits[mark:] if exit.label != label]
        rejoin(run, jumped, len(guards))
        run.guards = guards
        exclude(run, mark)


def landed(run: State) -> None:
    """Raise NotFollowed where a goto has met no label ahead of it."""
    for exit in run.exits:
        if exit.kind is GuardKind.JUMP:
            raise NotFollowed("control flow by goto back, or into a statement, is not followed", exit)


def join(
    run: State, condition: Poly, then: Cells | None, otherwise: Cells | None, chosen: Definition | None = None
) -> None:
    """Continue with the sides that are still alive."""
    run.alive = then is not None or otherwise is not None
    if then is None:
        run.store.cells = otherwise if otherwise is not None else run.store.cells
    elif otherwise is None:
        run.store.cells = then
    else:
        run.store.cells = run.store.merge(condition, then, otherwise, chosen)


def exclude(run: State, mark: int) -> None:
    """After a branch, the threads that left it by return, break or continue are no longer here."""
    depth = len(run.guards)
    for exit in run.exits[mark:]:
        run.guards = (*run.guards, left(run, exit, depth))


def left(run: State, exit: Exit, depth: int, over: tuple[tuple[int, When], ...] = ()) -> Guard:
    """The guard that a thread did not take an exit; `depth` guards are common to here and there."""
    path = exit.path[depth:]
    taken = taken_by(run, exit, depth)
    # What the user wrote to get there, without what others did to leave before.
    written = [guard for guard in path if guard.kind is GuardKind.BRANCH and not guard.condition.over] or path[-1:]
    texts = " && ".join(dict.fromkeys(guard.condition.text for guard in written))
    trace = tuple(dict.fromkeys(definition for guard in path for definition in guard.trace))
    span = path[-1].span if path else exit.span
    kind = GuardKind.LEAVE if exit.kind is GuardKind.RETURN and run.depth and not exit.final else exit.kind
    over = (*((index, When.EVER) for index in exit.loops), *over)
    return Guard(Condition(1 - taken, f"!({texts})", over), kind, span, trace, run.depth)


def taken_by(run: State, exit: Exit, depth: int) -> Poly:
    """The condition under which a thread takes an exit, in the iteration at hand of the loops around it.

    Guards that a thread has not left before are no part of it: whoever has is gone for good.
    """
    if not exit.followed:
        return run.algebra.opaque("exit", leaving(run, exit, depth), "a way out of a loop that is not followed")
    taken = run.algebra.one
    for guard in exit.path[depth:]:
        if not guard.condition.over and guard.kind not in LEFT:
            taken = run.algebra.both(taken, run.algebra.truth(guard.condition.value))
    return taken


def leaving(run: State, exit: Exit, depth: int) -> Level:
    """The level of what makes a thread take an exit that is not followed."""
    conditions = [guard.condition.value for guard in exit.path[depth:]]
    levels = (run.algebra.level(value) for value in conditions if not run.recorder.uniform(value))
    return max(levels, default=Level.UNIFORM)


def rejoin(run: State, exits: list[Exit], depth: int) -> None:
    """The variables where threads that took one of the exits meet those that are still here, if any are."""
    store = run.store
    for exit in reversed(exits):
        if not run.alive:
            store.cells, run.alive = exit.cells, True
        elif exit.loops or not exit.followed:
            store.cells = store.blur(exit.cells, store.cells, leaving(run, exit, depth))
        else:
            store.cells = store.merge(taken_by(run, exit, depth), exit.cells, store.cells)
