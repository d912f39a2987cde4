"""Abstract interpretation of statements: branches joined, exits remembered as guards."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.values import (
    Address,
    Blob,
    Cell,
    Cells,
    Choice,
    Closure,
    Definition,
    Exit,
    FunctionValue,
    GuardKind,
    Place,
    Region,
    Value,
)
from coalint.analysis.interpreter.calls.lambdas import copied
from coalint.analysis.interpreter.calls.ptx import assembly
from coalint.analysis.interpreter.control_flow import exclude, join, land, taken_by
from coalint.analysis.interpreter.host import host
from coalint.analysis.interpreter.loops import iteration
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


_JUMPS = {"break": GuardKind.BREAK, "continue": GuardKind.CONTINUE, "goto": GuardKind.JUMP}


def execute(run: State, statement: ir.Statement) -> None:
    """Run one statement, unless every thread has left already."""
    if not run.alive:
        return
    match statement:
        case ir.Block():
            block(run, statement)
        case ir.Labelled():
            run.execute(statement.statement)
        case ir.Declare():
            declare(run, statement)
        case ir.Evaluate():
            run.begin()
            if isinstance(statement.expression, ir.Call) and run.recorder.model is None:
                host.call(run, statement.expression)
            elif isinstance(statement.expression, ir.Call):
                run.called(statement.expression)  # a reference that it returns is not read
            else:
                run.value(statement.expression)
        case ir.If():
            branch(run, statement)
        case ir.Loop():
            iteration.loop(run, statement)
        case ir.Return():
            give_back(run, statement)
        case ir.Jump():
            if statement.kind == "goto" and run.recorder.model is None:  # on the host: to where it cleans up
                run.exits.append(Exit(GuardKind.RETURN, run.guards, statement.span, cells=run.store.snapshot()))
                run.alive = False
                return
            kind = _JUMPS[statement.kind]
            left = Exit(kind, run.guards, statement.span, cells=run.store.snapshot(), label=statement.label)
            run.exits.append(left)
            run.alive = False
        case ir.Switch():
            switch(run, statement)
        case ir.Assembly():
            run.begin()
            assembly.execute(run, statement)
        case ir.Unanalysed():
            run.recorder.gap(statement.reason, statement.span)
            run.recorder.unsynchronised.clear()
            run.recorder.order.doubted(run)


def block(run: State, statement: ir.Block) -> None:
    """Statements in order; who has jumped to a label in the block is back from there on."""
    guards, mark = run.guards, len(run.exits)
    for inner in statement.statements:
        if isinstance(inner, ir.Labelled):
            land(run, inner.label, guards, mark)
        run.execute(inner)


def declare(run: State, statement: ir.Declare) -> None:
    """A local variable; shared ones have their place for the whole block."""
    variable = statement.variable
    if variable.storage not in (ir.Storage.LOCAL, ir.Storage.PARAMETER):
        return
    if isinstance(variable.type, ir.Reference):
        if statement.initializer is not None:
            run.frame.variables[variable.key] = run.place(statement.initializer)
        return
    mark = run.begin()
    storage = run.store.new()
    run.store.variables[storage] = variable
    run.frame.variables[variable.key] = storage
    initializer = statement.initializer
    if initializer is None:
        return
    if isinstance(initializer, ir.Call) and initializer.constructor and initializer.receiver is None:
        construct(run, statement, initializer, storage, mark)
        return
    value = copied(run, run.kept(initializer, variable, run.frame))
    run.store.write(storage, run.algebra.zero, variable.type.size, value, run.definition(statement, mark))


def construct(run: State, statement: ir.Declare, call: ir.Call, storage: int, mark: int) -> None:
    """`T name(arguments)`: the constructor's temporary becomes the variable."""
    from coalint.analysis.interpreter.calls import functions

    result = functions.call(run, call)
    value = run.load(result, None) if isinstance(result, Place) else result
    run.store.write(storage, run.algebra.zero, statement.variable.type.size, value, run.definition(statement, mark))


def give_back(run: State, statement: ir.Return) -> None:
    """`return`: remember the guards and the value."""
    value: Value | Place | None = None
    mark = run.begin()
    if statement.value is not None:
        function = run.module.functions.get(run.frame.function)
        if function is not None and isinstance(function.result, ir.Reference):
            value = run.place(statement.value)
        else:
            value = run.partly(statement.value, run.frame.used)
    trace = tuple(run.trace[mark:])
    run.exits.append(Exit(GuardKind.RETURN, run.guards, statement.span, value, trace, run.store.snapshot()))
    run.alive = False


def branch(run: State, statement: ir.If) -> None:
    """`if`: each side under its guard, then the state joined and the exits turned into guards."""
    mark = run.begin()
    condition = run.condition(statement.condition)
    trace = tuple(dict.fromkeys(run.trace[mark:]))
    known = run.algebra.number(condition)
    if known is not None:
        side = statement.then if known else statement.otherwise
        if side is not None:
            run.execute(side)
        return
    before, guards, mark = run.store.snapshot(), run.guards, len(run.exits)
    open_writes = run.recorder.unsynchronised
    written = open_writes.written
    span = statement.condition.span
    run.under(condition, span, GuardKind.BRANCH, trace)
    run.execute(statement.then)
    then_alive, then, then_written = run.alive, run.store.cells, open_writes.written
    run.store.cells, run.guards, run.alive = before, guards, True
    open_writes.written = written
    if statement.otherwise is not None:
        run.store.cells = dict(before)
        run.under(condition, span, GuardKind.BRANCH, trace, negate=True)
        run.execute(statement.otherwise)
    otherwise_alive, otherwise = run.alive, run.store.cells
    run.guards = guards
    open_writes.join(then_written)
    chosen = None
    if trace and run.algebra.level(condition) is not Level.UNIFORM:
        chosen = Definition(f"what `{run.text(span)}` decides", span, trace)
    join(run, condition, then if then_alive else None, otherwise if otherwise_alive else None, chosen)
    exclude(run, mark)


def switch(run: State, statement: ir.Switch) -> None:
    """Each section under the condition that one of its labels, or the section that falls into it, is taken."""
    mark = run.begin()
    subject = run.scalar(statement.subject)
    trace = tuple(dict.fromkeys(run.trace[mark:]))
    algebra = run.algebra
    matches: list[Poly] = []
    for case in statement.cases:
        taken = algebra.zero
        for value in case.values:
            taken = algebra.either(taken, algebra.compare("==", subject, run.scalar(value)))
        matches.append(taken)
    none = algebra.one
    for taken in matches:
        none = algebra.both(none, 1 - taken)
    matches = [algebra.either(m, none) if c.default else m for m, c in zip(matches, statement.cases, strict=True)]
    guards, mark, before = run.guards, len(run.exits), run.store.snapshot()
    after = before
    falling, entered = False, algebra.zero
    for case, taken in zip(statement.cases, matches, strict=True):
        entered = algebra.either(entered, taken) if falling else taken
        known = algebra.number(entered)
        if known == 0:
            continue
        run.guards, run.alive = guards, True
        run.store.cells = dict(before) if not falling else run.store.merge(taken, dict(before), run.store.cells)
        run.recorder.unsynchronised.clear()  # what other sections have written is not followed
        if known is None:
            run.under(entered, statement.subject.span, GuardKind.BRANCH, trace)
        here = len(run.exits)
        fixed = [] if falling else _fix_subject(run, statement.subject, subject, case)
        for inner in case.body:
            run.execute(inner)
            if not run.alive:
                break
        if fixed:
            number = run.scalar(case.values[0])
            run.store.cells = _released(run.store.cells, fixed, number)
            for exit in run.exits[here:]:
                exit.cells = _released(exit.cells, fixed, number)
        falling = run.alive
        for exit in run.exits[here:]:
            gone = taken_by(run, replace(exit, followed=False) if exit.loops else exit, len(guards))
            entered = algebra.both(entered, 1 - gone)
            if exit.kind is GuardKind.BREAK:
                after = run.store.merge(gone, exit.cells, after)
        if run.alive:
            after = run.store.merge(entered, run.store.cells, after)
        if known and not falling:
            break
    everything = any(case.default for case in statement.cases)
    returned = [exit for exit in run.exits[mark:] if exit.kind is not GuardKind.BREAK]
    run.alive = falling or not everything or len(returned) < len(run.exits[mark:]) or not statement.cases
    run.exits[mark:] = returned
    run.guards, run.store.cells = guards, after
    if run.alive:
        exclude(run, mark)


def _fix_subject(run: State, subject: ir.Expression, before: Poly, case: ir.Case) -> list[tuple[int, int, Cell]]:
    """Inside `case 512:` what is switched over is 512, wherever it stands; gives the cells as they were.

    The subject's value is `before`: it is not evaluated again.
    """
    if len(case.values) != 1 or case.default:
        return []
    number = run.scalar(case.values[0])
    if run.algebra.number(number) is None or run.algebra.number(before) is not None:
        return []
    place = run.place(subject) if isinstance(subject, ir.Name) else None
    if place is not None and isinstance(place.address, Address) and place.address.base.region is Region.LOCAL:
        run.write(place, before, subject)  # a parameter that nothing has written has no cell yet
    changed = []
    for storage, cells in list(run.store.cells.items()):
        for at, cell in cells.items():
            if not isinstance(cell.value, Address | Choice | Blob | Closure | FunctionValue) and cell.value == before:
                changed.append((storage, at, cell))
                run.store.cells[storage] = {**run.store.cells[storage], at: replace(cell, value=number)}
    return changed


def _released(contents: Cells, changed: list[tuple[int, int, Cell]], number: Poly) -> Cells:
    """Behind the section all is what it was, but for what the section has assigned."""
    contents = dict(contents)
    for storage, at, cell in changed:
        now = contents.get(storage, {}).get(at)
        if now is not None and now.value == number:
            contents[storage] = {**contents[storage], at: cell}
    return contents
