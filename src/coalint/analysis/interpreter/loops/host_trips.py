"""Which loops of host functions have more iterations than are run one by one, as their headers say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.values import Address
from coalint.analysis.interpreter.dry_runs import dry_run
from coalint.analysis.interpreter.loops.changes.steps import mentions
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.host_known import Changes
    from coalint.analysis.interpreter.state import State

_PLAIN = (ir.Name, ir.Literal, ir.Binary, ir.Unary, ir.Cast)


def surely_more(state: State, statement: ir.Loop, changes: Changes, most: int) -> bool:
    """Whether a loop makes more than `most` iterations, none of which leaves it or moves what its header reads.

    `changes` is what its iterations change that they do not assign to by name.
    """
    if not _counts_alone(state, statement, changes):
        return False
    with dry_run(state):
        for _ in range(most + 1):
            if statement.condition is None or statement.step is None:
                return False
            if not state.algebra.number(state.condition(statement.condition)):
                return False
            state.value(statement.step)
    return True


def _counts_alone(state: State, statement: ir.Loop, changes: Changes) -> bool:
    """Whether the header alone tells how often a loop is run: `for (int i = first; i < n; i += by)`."""
    change, condition = state.assignments.of(statement), statement.condition
    declared = {inner.variable.key for inner in statement.initializer if isinstance(inner, ir.Declare)}
    counter = change.counter
    if counter is None or condition is None or not {counter.key} <= declared & change.increments.keys():
        return False
    if change.breaks or any(isinstance(node, ir.Jump) and _leaves(node) for node in ir.nodes(statement.body)):
        return False
    if any(_moves(node, counter) for node in ir.nodes(statement.body)):
        return False
    moved = {variable.key for variable in (*change.variables, *change.handed)} - {counter.key}
    read = [*ir.nodes(condition), *ir.nodes(change.increments[counter.key].by)]
    if not all(isinstance(node, _PLAIN) for node in read) or mentions(condition, moved):
        return False
    storages = {storage for storage, _ in changes}
    return not any(
        isinstance(node, ir.Name) and node.variable.key != counter.key and _storage(state, node) in storages
        for node in read
    )


def _leaves(node: ir.Jump) -> bool:
    return node.kind in (ir.JumpKind.GOTO, ir.JumpKind.THROW)


def _moves(node: ir.Expression | ir.Statement, counter: ir.Variable) -> bool:
    """Whether a part of a loop's body, and not its step, is what moves the counter."""
    target = node.target if isinstance(node, ir.Assign | ir.Increment) else None
    return isinstance(target, ir.Name) and target.variable.key == counter.key


def _storage(state: State, e: ir.Name) -> int:
    """Return the storage of a variable; -1 for one that is not a variable of the host's."""
    held = state.frame.find(e.variable.key)
    if held is None:
        base = state.globals.get(e.variable.key)
        return -1 if base is None else base.storage
    if isinstance(held, Lvalue):
        return held.address.base.storage if isinstance(held.address, Address) else -1
    return held
