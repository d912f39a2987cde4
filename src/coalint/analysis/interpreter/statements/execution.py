"""Abstract interpretation of statements: branches joined, exits remembered as guards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.domain.derivations import Definition, Step, holds_thread
from coalint.analysis.domain.frames import NO_PART, Exit, Lvalue
from coalint.analysis.domain.guards import GuardKind
from coalint.analysis.domain.values import (
    Value,
)
from coalint.analysis.interpreter.calls.ptx import assembly
from coalint.analysis.interpreter.host import host, jumps
from coalint.analysis.interpreter.loops import execution
from coalint.analysis.interpreter.statements import backward_jumps, untaken
from coalint.analysis.interpreter.statements.control_flow import exclude, join, resolve_goto
from coalint.analysis.interpreter.statements.declarations import declare
from coalint.analysis.interpreter.statements.switch import switch
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State
    from coalint.machine.nvcc.struct_loads import StructPart


_JUMPS = {
    ir.JumpKind.BREAK: GuardKind.BREAK,
    ir.JumpKind.CONTINUE: GuardKind.CONTINUE,
    ir.JumpKind.GOTO: GuardKind.JUMP,
}


def execute(state: State, statement: ir.Statement) -> None:
    """Run one statement, unless every thread has left already."""
    if not state.alive:
        return
    match statement:
        case ir.Block():
            block(state, statement)
        case ir.Labelled():
            state.execute(statement.statement)
        case ir.Declare():
            declare(state, statement)
        case ir.Evaluate():
            on_host = state.recorder.model is None
            if on_host and state.dry and state.effects.changes_nothing(statement.expression):
                return  # what a trial run of a host's loop asks is what it changes
            state.begin()
            if on_host and isinstance(statement.expression, ir.Call):
                host.call(state, statement.expression)
            elif isinstance(statement.expression, ir.Call):
                state.called(statement.expression, _used(state, statement.expression))  # its reference is not read
            else:
                state.value(statement.expression)
        case ir.Try():
            jumps.attempt(state, statement)
        case ir.If():
            branch(state, statement)
        case ir.Loop():
            execution.loop(state, statement)
        case ir.Return():
            return_(state, statement)
        case ir.Jump():
            if state.recorder.model is None and statement.kind in (ir.JumpKind.GOTO, ir.JumpKind.THROW):
                jumps.jump(state, statement)
                return
            if statement.kind is ir.JumpKind.THROW:  # what never happens in a kernel
                return
            kind = _JUMPS[statement.kind]
            left = Exit(kind, state.guards, statement.span, cells=state.store.snapshot(), label=statement.label)
            state.exits.append(left)
            state.alive = False
        case ir.Switch():
            switch(state, statement)
        case ir.Assembly():
            state.begin()
            assembly.execute(state, statement)
        case ir.Unanalysed():
            state.recorder.gap(statement.reason, statement.span)
            state.recorder.unsynchronised.clear()
            state.recorder.order.doubted(state)


def block(state: State, statement: ir.Block) -> None:
    """Execute statements in order; who has jumped to a label in the block is back from there on.

    Whoever jumps back to one runs the code behind it again.
    """
    guards, mark = state.guards, len(state.exits)
    is_on_host = state.recorder.model is None
    for number, inner in enumerate(statement.statements if is_on_host else backward_jumps.with_loops(statement)):
        if isinstance(inner, ir.Labelled):
            resolve_goto(state, inner.label, guards, mark)
            if state.alive and is_on_host:
                jumps.begin_again(state, inner, statement.statements[number:])
        state.execute(inner)


def _used(state: State, e: ir.Call) -> tuple[StructPart, ...]:
    """Return what a statement that is a call uses of its result: nothing where the function's body is known."""
    is_known = e.callee is None and not e.constructor and e.function in state.module.functions
    return NO_PART if is_known else ()


def return_(state: State, statement: ir.Return) -> None:
    """Handle `return`: remember the guards and the value, of which nvcc loads nothing where the caller drops it."""
    value: Value | Lvalue | None = None
    mark = state.begin()
    if statement.value is not None and not _is_dropped(state, statement.value):
        function = state.module.functions.get(state.frame.function)
        if function is not None and isinstance(function.result, ir.Reference):
            value = state.place(statement.value)
        else:
            value = state.partly(statement.value, state.frame.used)
    trace = tuple(state.trace[mark:])
    state.exits.append(Exit(GuardKind.RETURN, state.guards, statement.span, value, trace, state.store.snapshot()))
    state.alive = False


def _is_dropped(state: State, value: ir.Expression) -> bool:
    """Whether a value that is returned does nothing but load what the caller has no use for."""
    frame = state.frame
    return frame.is_dropped and state.recorder.model is not None and state.dropped.is_left_out(value, frame.function)


def _decided(state: State, condition: ir.Expression, side: ir.Statement) -> None:
    """Execute the side of a branch to which its condition leads all threads."""
    if state.dry:
        state.execute(side)
        return
    before = state.recorder.decide(condition)
    try:
        state.execute(side)
    finally:
        state.recorder.decided = before


def branch(state: State, statement: ir.If) -> None:
    """Handle `if`: each side under its guard, then the state joined and the exits turned into guards."""
    mark = state.begin()
    condition = state.condition(statement.condition)
    trace = tuple(dict.fromkeys(state.trace[mark:]))
    known = state.algebra.number(condition)
    if known is not None:
        side, other = (statement.then, statement.otherwise)[:: 1 if known else -1]
        if other is not None and not state.dry and holds_thread(trace):
            untaken.note(state, statement, taken=bool(known))
        if side is not None:
            _decided(state, statement.condition, side)
        return
    before, guards, mark = state.store.snapshot(), state.guards, len(state.exits)
    open_writes = state.recorder.unsynchronised
    written = open_writes.written
    span = statement.condition.span
    state.under(condition, span, GuardKind.BRANCH, trace)
    state.execute(statement.then)
    then_alive, then, then_written = state.alive, state.store.cells, open_writes.written
    is_trap = not then_alive and len(state.exits) == mark
    state.store.cells, state.guards, state.alive = before, guards, True
    open_writes.written = written
    if statement.otherwise is not None:
        state.store.cells = dict(before)
        state.under(condition, span, GuardKind.BRANCH, trace, negate=True)
        state.execute(statement.otherwise)
    otherwise_alive, otherwise = state.alive, state.store.cells
    state.guards = guards
    open_writes.join(then_written)
    chosen = None
    if trace and state.algebra.level(condition) is not Level.UNIFORM:
        chosen = Definition(state.text(span), span, trace, Step.DECIDED)
    join(state, condition, then if then_alive else None, otherwise if otherwise_alive else None, chosen)
    if is_trap and state.recorder.model is not None:
        passed = Condition(1 - state.algebra.truth(condition), f"!({state.text(span)})")
        state.recorder.uniformity.asserted(guards, passed)
    exclude(state, mark)
