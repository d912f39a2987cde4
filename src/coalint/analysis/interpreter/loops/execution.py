"""Loops: which of the ways to run one applies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.interpreter.dry_runs import Checkpoint, restored_variables
from coalint.analysis.interpreter.loops import unroll
from coalint.analysis.interpreter.loops.evaluation import LoopEvaluation
from coalint.analysis.interpreter.loops.host_loops import run_on_host
from coalint.analysis.interpreter.loops.one_pass import run_all
from coalint.analysis.interpreter.loops.pointers.splits import WritesMore
from coalint.analysis.interpreter.memory.loads import name_settled
from coalint.analysis.interpreter.statements import control_flow
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def loop(state: State, statement: ir.Loop) -> None:
    """Run a loop: for all iterations at once where nothing simpler applies."""
    for inner in statement.initializer:
        state.execute(inner)
    if not state.alive:
        return
    if _runs_once(statement):
        _once(state, statement)
        return
    if statement.condition is not None and statement.test_first and _never(state, statement.condition):
        state.begin()
        state.condition(statement.condition)  # once, for what it does
        return
    if state.recorder.model is None:
        run_on_host(state, statement)
        return
    if unroll.worthwhile(state, statement) and unroll.run(state, statement):
        return
    with state.reached.inside(statement):
        _all(state, statement)


def _all(state: State, statement: ir.Loop) -> None:
    """Run all iterations at once, anew where the run has written more than an earlier one."""
    name_settled(state, statement)
    before = Checkpoint.of(state)
    try:
        run_all(LoopEvaluation(state, statement))
    except WritesMore:
        before.restore()
        again = LoopEvaluation(state, statement)
        again.is_surprised = True
        run_all(again)


def _runs_once(statement: ir.Loop) -> bool:
    condition = statement.condition
    while isinstance(condition, ir.Cast):
        condition = condition.operand
    return not statement.test_first and isinstance(condition, ir.Literal) and condition.value == 0


def _once(state: State, statement: ir.Loop) -> None:
    mark, guards = len(state.exits), state.guards
    state.execute(statement.body)
    exits = state.exits[mark:]
    state.exits[mark:] = [exit for exit in exits if exit.kind in control_flow.FARTHER]
    control_flow.rejoin(state, [exit for exit in exits if exit.kind not in control_flow.FARTHER], len(guards))
    state.guards = guards
    if state.alive:
        control_flow.exclude(state, mark)


def _never(state: State, condition: ir.Expression) -> bool:
    with restored_variables(state):
        return bool(state.condition(condition) == 0)
