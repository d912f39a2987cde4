"""Loops of host functions: what they change is not followed, but the launches in them are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.guards import GuardKind
from coalint.analysis.interpreter.loops import unroll
from coalint.analysis.interpreter.loops.evaluation import LoopEvaluation
from coalint.analysis.interpreter.loops.host_changes import forget_again, forget_changes
from coalint.analysis.interpreter.loops.host_trips import surely_more
from coalint.analysis.interpreter.statements import control_flow
from coalint.analysis.interpreter.statements.control_flow import FARTHER
from coalint.core import ir
from coalint.core.facts.launch import LaunchRecord

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

MOST_SETS = 8
"""Sets of arguments with which a kernel is analysed that a loop launches."""
MAX_FOLLOWED = 128
"""Iterations of a loop around launches that are to be counted."""


def run_on_host(state: State, statement: ir.Loop) -> None:
    """Run the body of a host's loop once, for the launches in it; what the loop changes is not followed.

    Where that leaves block shapes unknown, or arguments that the iterations may change, and the iterations are few,
    they are run one after the other instead; also where launches are to be counted.
    """
    carried = LoopEvaluation(state, statement)
    if state.dry or not launches(state, statement):
        forget_changes(carried)
        return
    store, mark, depth, first = state.store, len(state.exits), len(state.guards), len(state.recorder.launches)
    before, guards = store.snapshot(), state.guards
    changes = forget_changes(carried)
    state.execute(statement.body)
    state.exits[mark:] = [exit for exit in state.exits[mark:] if exit.kind in FARTHER]
    state.guards, state.alive = guards, True
    forget_again(carried, changes)
    blurred = state.recorder.launches[first:]
    is_open = any(None in record.block for record in blurred) or (
        any(None in record.arguments for record in blurred) and _changes_arguments(state, statement)
    )
    if not is_open and not state.follows_host_loops:
        return
    after, exits = store.cells, state.exits[mark:]
    del state.exits[mark:], state.recorder.launches[first:]
    store.cells = before
    most = MAX_FOLLOWED if state.follows_host_loops else unroll.MAX_TRIPS
    if surely_more(state, statement, changes, most) or not _one_by_one(state, statement, mark, depth, most):
        if state.follows_host_loops:
            blurred = [replace(record, times=None) for record in blurred]
        state.exits[mark:], state.recorder.launches[first:] = exits, blurred
        store.cells = after
    elif not state.follows_host_loops:
        state.recorder.launches[first:] = _spread(state.recorder.launches[first:])
    state.guards, state.alive = guards, True


def _spread(records: Sequence[LaunchRecord]) -> list[LaunchRecord]:
    """Return at most MOST_SETS different launches of each place and block shape, from the first one to the last.

    Where there are no more than that, all are kept: those of some iterations may be the same.
    """
    places: dict[object, list[LaunchRecord]] = {}
    for record in records:
        places.setdefault((record.kernel, record.span, record.block), []).append(record)
    kept: list[LaunchRecord] = []
    for group in places.values():
        different = list(dict.fromkeys(group)) if len(group) > MOST_SETS else group
        last = len(different) - 1
        kept += different if last < MOST_SETS else [different[n * last // (MOST_SETS - 1)] for n in range(MOST_SETS)]
    return kept


def _one_by_one(state: State, statement: ir.Loop, mark: int, depth: int, most: int) -> bool:
    """Run the iterations of a loop on the host; False where they are more than `most` or their number is not known."""
    if statement.condition is None or not statement.test_first:
        return False
    guards = state.guards
    for _ in range(most + 1):
        goes_on = state.algebra.number(state.condition(statement.condition))
        if goes_on is None:
            return False
        if not goes_on:
            return True
        state.execute(statement.body)
        continued = [exit for exit in state.exits[mark:] if exit.kind is GuardKind.CONTINUE]
        control_flow.rejoin(state, continued, depth)
        state.exits[mark:] = [exit for exit in state.exits[mark:] if exit.kind in FARTHER]
        if not state.alive:
            return True
        state.guards = guards
        if statement.step is not None:
            state.value(statement.step)
    return False


def _changes_arguments(state: State, statement: ir.Loop) -> bool:
    """Whether numbers that a launch in a loop is handed are named after variables that the loop's iterations set."""
    inside = [node for part in (statement.body, statement.step) if part is not None for node in ir.nodes(part)]
    changed = {node.variable.key for node in inside if isinstance(node, ir.Declare)}
    changed |= {
        node.target.variable.key
        for node in inside
        if isinstance(node, ir.Assign | ir.Increment) and isinstance(node.target, ir.Name)
    }
    return any(
        isinstance(name, ir.Name) and name.variable.key in changed
        for node in inside
        if isinstance(node, ir.Launch) or (isinstance(node, ir.Call) and launches(state, node))
        for argument in node.arguments
        if isinstance(argument.type, ir.Integer)
        for name in ir.nodes(argument)
    )


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
