"""Where gotos and exceptions lead in host code: what they may change is forgotten, the launches behind are followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.frames import Exit
from coalint.analysis.domain.guards import GuardKind
from coalint.analysis.interpreter.loops.evaluation import LoopEvaluation
from coalint.analysis.interpreter.loops.host_changes import forget_changes
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def jump(state: State, statement: ir.Jump) -> None:
    """Leave for a label, or for whoever handles an exception."""
    kind = GuardKind.JUMP if statement.kind is ir.JumpKind.GOTO else GuardKind.RETURN
    label = statement.label if kind is GuardKind.JUMP else ""
    state.exits.append(Exit(kind, state.guards, statement.span, cells=state.store.snapshot(), label=label))
    state.alive = False


def attempt(state: State, statement: ir.Try) -> None:
    """Run the body of a `try`, and each handler with whatever the body may have changed unknown."""
    before, guards = state.store.snapshot(), state.guards
    state.execute(statement.body)
    sides = [(state.alive, state.store.cells)]
    for handler in statement.handlers:
        state.store.cells, state.alive = dict(before), True
        _forget(state, statement.body)
        thrown = state.algebra.opaque("an exception", Level.UNIFORM, "an exception is not followed")
        state.guards = guards
        state.under(thrown, handler.span, GuardKind.BRANCH, ())
        state.execute(handler)
        sides.append((state.alive, state.store.cells))
    state.guards = guards
    alive = [cells for is_alive, cells in sides if is_alive]
    state.alive = bool(alive)
    cells = alive[0] if alive else before
    for other in alive[1:]:
        happened = state.algebra.opaque("no exception", Level.UNIFORM, "an exception is not followed")
        cells = state.store.merge(happened, cells, other)
    state.store.cells = cells


def begin_again(state: State, label: ir.Labelled, behind: tuple[ir.Statement, ...]) -> None:
    """Forget what the code behind a label may have changed, where it jumps back there."""
    if not state.dry and any(_jumps(statement, label.label) for statement in behind):
        _forget(state, ir.Block(label.span, (label.statement, *behind[1:])))


def _jumps(node: ir.Statement | ir.Expression, label: str) -> bool:
    if isinstance(node, ir.Jump):
        return node.kind is ir.JumpKind.GOTO and node.label in (label, "")
    return any(_jumps(child, label) for child in ir.children(node))


def _forget(state: State, code: ir.Statement) -> None:
    """Make unknown whatever code may change that ran any number of times, or in part."""
    forget_changes(LoopEvaluation(state, ir.Loop(code.span, (), None, None, code, test_first=True)))
