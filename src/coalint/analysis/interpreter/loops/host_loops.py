"""Loops of host functions: what they change is not followed, but the launches in them are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.guards import GuardKind
from coalint.analysis.interpreter.loops import unroll
from coalint.analysis.interpreter.loops.evaluation import LoopEvaluation
from coalint.analysis.interpreter.loops.host_changes import forget_again, forget_changes
from coalint.analysis.interpreter.statements import control_flow
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

MAX_FOLLOWED = 128
"""Iterations of a loop around launches that are to be counted."""


def run_on_host(state: State, statement: ir.Loop) -> None:
    """Run the body of a host's loop once, for the launches in it; what the loop changes is not followed.

    Where that leaves block shapes unknown and the iterations are few, they are run one after the other instead; also
    where launches are to be counted.
    """
    carried = LoopEvaluation(state, statement)
    if state.dry or not launches(state, statement):
        forget_changes(carried)
        return
    store, mark, depth, found = state.store, len(state.exits), len(state.guards), len(state.recorder.launches)
    before, guards = store.snapshot(), state.guards
    changes = forget_changes(carried)
    state.execute(statement.body)
    state.exits[mark:] = [exit for exit in state.exits[mark:] if exit.kind is GuardKind.RETURN]
    state.guards, state.alive = guards, True
    forget_again(carried, changes)
    if all(None not in record.block for record in state.recorder.launches[found:]) and not state.follows_host_loops:
        return
    after, exits, blurred = store.cells, state.exits[mark:], state.recorder.launches[found:]
    del state.exits[mark:], state.recorder.launches[found:]
    store.cells = before
    if not _one_by_one(state, statement, mark, depth):
        if state.follows_host_loops:
            blurred = [replace(record, times=None) for record in blurred]
        state.exits[mark:], state.recorder.launches[found:] = exits, blurred
        store.cells = after
    state.guards, state.alive = guards, True


def _one_by_one(state: State, statement: ir.Loop, mark: int, depth: int) -> bool:
    """Run the iterations of a loop on the host; False where they are many or their number is not known."""
    if statement.condition is None or not statement.test_first:
        return False
    guards = state.guards
    for _ in range((MAX_FOLLOWED if state.follows_host_loops else unroll.MAX_TRIPS) + 1):
        goes_on = state.algebra.number(state.condition(statement.condition))
        if goes_on is None:
            return False
        if not goes_on:
            return True
        state.execute(statement.body)
        continued = [exit for exit in state.exits[mark:] if exit.kind is GuardKind.CONTINUE]
        control_flow.rejoin(state, continued, depth)
        state.exits[mark:] = [exit for exit in state.exits[mark:] if exit.kind is GuardKind.RETURN]
        if not state.alive:
            return True
        state.guards = guards
        if statement.step is not None:
            state.value(statement.step)
    return False


def launches(state: State, node: ir.Expression | ir.Statement) -> bool:
    """Whether a kernel is launched somewhere in a part of a host function."""
    if isinstance(node, ir.Launch):
        return True
    if isinstance(node, ir.Call | ir.Lambda) and node.function is not None:
        known = state.launching.get(node.function)
        if known is None:
            state.launching[node.function] = False
            function = state.module.functions.get(node.function)
            known = state.launching[node.function] = function is not None and launches(state, function.body)
        if known:
            return True
    return any(launches(state, child) for child in ir.children(node))
