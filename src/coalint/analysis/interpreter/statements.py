"""Abstract interpretation of statements: branches joined, exits remembered as guards."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.derivations import Definition
from coalint.analysis.domain.frames import Cells, Exit, Lvalue
from coalint.analysis.domain.guards import GuardKind
from coalint.analysis.domain.values import (
    Address,
    AggregateValue,
    Cell,
    Closure,
    FunctionValue,
    PointerSelect,
    Region,
    Value,
)
from coalint.analysis.interpreter.calls.lambdas import copied
from coalint.analysis.interpreter.calls.ptx import assembly
from coalint.analysis.interpreter.control_flow import exclude, join, resolve_goto, taken_by
from coalint.analysis.interpreter.host import host
from coalint.analysis.interpreter.loops import iteration
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


_JUMPS = {"break": GuardKind.BREAK, "continue": GuardKind.CONTINUE, "goto": GuardKind.JUMP}


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
            state.begin()
            if isinstance(statement.expression, ir.Call) and state.recorder.model is None:
                host.call(state, statement.expression)
            elif isinstance(statement.expression, ir.Call):
                state.called(statement.expression)  # a reference that it returns is not read
            else:
                state.value(statement.expression)
        case ir.If():
            branch(state, statement)
        case ir.Loop():
            iteration.loop(state, statement)
        case ir.Return():
            return_(state, statement)
        case ir.Jump():
            if statement.kind == "goto" and state.recorder.model is None:  # on the host: to where it cleans up
                state.exits.append(Exit(GuardKind.RETURN, state.guards, statement.span, cells=state.store.snapshot()))
                state.alive = False
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
    """Statements in order; who has jumped to a label in the block is back from there on."""
    guards, mark = state.guards, len(state.exits)
    for inner in statement.statements:
        if isinstance(inner, ir.Labelled):
            resolve_goto(state, inner.label, guards, mark)
        state.execute(inner)


def declare(state: State, statement: ir.Declare) -> None:
    """A local variable; shared ones have their place for the whole block."""
    variable = statement.variable
    if variable.storage not in (ir.Storage.LOCAL, ir.Storage.PARAMETER):
        return
    if isinstance(variable.type, ir.Reference):
        if statement.initializer is not None:
            state.frame.variables[variable.key] = state.place(statement.initializer)
        return
    mark = state.begin()
    storage = state.store.new()
    state.store.variables[storage] = variable
    state.frame.variables[variable.key] = storage
    initializer = statement.initializer
    if initializer is None:
        return
    if isinstance(initializer, ir.Call) and initializer.constructor and initializer.receiver is None:
        construct(state, statement, initializer, storage, mark)
        return
    value = copied(state, state.kept(initializer, variable, state.frame))
    state.store.write(storage, state.algebra.zero, variable.type.size, value, state.definition(statement, mark))


def construct(state: State, statement: ir.Declare, call: ir.Call, storage: int, mark: int) -> None:
    """`T name(arguments)`: the constructor's temporary becomes the variable."""
    from coalint.analysis.interpreter.calls import functions

    result = functions.call(state, call)
    value = state.load(result, None) if isinstance(result, Lvalue) else result
    state.store.write(
        storage, state.algebra.zero, statement.variable.type.size, value, state.definition(statement, mark)
    )


def return_(state: State, statement: ir.Return) -> None:
    """`return`: remember the guards and the value."""
    value: Value | Lvalue | None = None
    mark = state.begin()
    if statement.value is not None:
        function = state.module.functions.get(state.frame.function)
        if function is not None and isinstance(function.result, ir.Reference):
            value = state.place(statement.value)
        else:
            value = state.partly(statement.value, state.frame.used)
    trace = tuple(state.trace[mark:])
    state.exits.append(Exit(GuardKind.RETURN, state.guards, statement.span, value, trace, state.store.snapshot()))
    state.alive = False


def branch(state: State, statement: ir.If) -> None:
    """`if`: each side under its guard, then the state joined and the exits turned into guards."""
    mark = state.begin()
    condition = state.condition(statement.condition)
    trace = tuple(dict.fromkeys(state.trace[mark:]))
    known = state.algebra.number(condition)
    if known is not None:
        side = statement.then if known else statement.otherwise
        if side is not None:
            state.execute(side)
        return
    before, guards, mark = state.store.snapshot(), state.guards, len(state.exits)
    open_writes = state.recorder.unsynchronised
    written = open_writes.written
    span = statement.condition.span
    state.under(condition, span, GuardKind.BRANCH, trace)
    state.execute(statement.then)
    then_alive, then, then_written = state.alive, state.store.cells, open_writes.written
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
        chosen = Definition(f"what `{state.text(span)}` decides", span, trace)
    join(state, condition, then if then_alive else None, otherwise if otherwise_alive else None, chosen)
    exclude(state, mark)


def switch(state: State, statement: ir.Switch) -> None:
    """Each section under the condition that one of its labels, or the section that falls into it, is taken."""
    mark = state.begin()
    subject = state.scalar(statement.subject)
    trace = tuple(dict.fromkeys(state.trace[mark:]))
    algebra = state.algebra
    matches: list[Poly] = []
    for case in statement.cases:
        taken = algebra.zero
        for value in case.values:
            taken = algebra.either(taken, algebra.compare("==", subject, state.scalar(value)))
        matches.append(taken)
    none = algebra.one
    for taken in matches:
        none = algebra.both(none, 1 - taken)
    matches = [algebra.either(m, none) if c.default else m for m, c in zip(matches, statement.cases, strict=True)]
    guards, mark, before = state.guards, len(state.exits), state.store.snapshot()
    after = before
    falling, entered = False, algebra.zero
    for case, taken in zip(statement.cases, matches, strict=True):
        entered = algebra.either(entered, taken) if falling else taken
        known = algebra.number(entered)
        if known == 0:
            continue
        state.guards, state.alive = guards, True
        state.store.cells = dict(before) if not falling else state.store.merge(taken, dict(before), state.store.cells)
        state.recorder.unsynchronised.clear()  # what other sections have written is not followed
        if known is None:
            state.under(entered, statement.subject.span, GuardKind.BRANCH, trace)
        here = len(state.exits)
        fixed = [] if falling else _fix_subject(state, statement.subject, subject, case)
        for inner in case.body:
            state.execute(inner)
            if not state.alive:
                break
        if fixed:
            number = state.scalar(case.values[0])
            state.store.cells = _released(state.store.cells, fixed, number)
            for exit in state.exits[here:]:
                exit.cells = _released(exit.cells, fixed, number)
        falling = state.alive
        for exit in state.exits[here:]:
            gone = taken_by(state, replace(exit, followed=False) if exit.loops else exit, len(guards))
            entered = algebra.both(entered, 1 - gone)
            if exit.kind is GuardKind.BREAK:
                after = state.store.merge(gone, exit.cells, after)
        if state.alive:
            after = state.store.merge(entered, state.store.cells, after)
        if known and not falling:
            break
    everything = any(case.default for case in statement.cases)
    returned = [exit for exit in state.exits[mark:] if exit.kind is not GuardKind.BREAK]
    state.alive = falling or not everything or len(returned) < len(state.exits[mark:]) or not statement.cases
    state.exits[mark:] = returned
    state.guards, state.store.cells = guards, after
    if state.alive:
        exclude(state, mark)


def _fix_subject(state: State, subject: ir.Expression, before: Poly, case: ir.Case) -> list[tuple[int, int, Cell]]:
    """Inside `case 512:` what is switched over is 512, wherever it stands; gives the cells as they were.

    The subject's value is `before`: it is not evaluated again.
    """
    if len(case.values) != 1 or case.default:
        return []
    number = state.scalar(case.values[0])
    if state.algebra.number(number) is None or state.algebra.number(before) is not None:
        return []
    place = state.place(subject) if isinstance(subject, ir.Name) else None
    if place is not None and isinstance(place.address, Address) and place.address.base.region is Region.LOCAL:
        state.write(place, before, subject)  # a parameter that nothing has written has no cell yet
    changed = []
    for storage, cells in list(state.store.cells.items()):
        for at, cell in cells.items():
            if (
                not isinstance(cell.value, Address | PointerSelect | AggregateValue | Closure | FunctionValue)
                and cell.value == before
            ):
                changed.append((storage, at, cell))
                state.store.cells[storage] = {**state.store.cells[storage], at: replace(cell, value=number)}
    return changed


def _released(contents: Cells, changed: list[tuple[int, int, Cell]], number: Poly) -> Cells:
    """Behind the section all is what it was, but for what the section has assigned."""
    contents = dict(contents)
    for storage, at, cell in changed:
        now = contents.get(storage, {}).get(at)
        if now is not None and now.value == number:
            contents[storage] = {**contents[storage], at: cell}
    return contents
