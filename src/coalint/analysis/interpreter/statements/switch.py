"""`switch`: each section under the condition that control enters it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.frames import Cells
from coalint.analysis.domain.guards import GuardKind
from coalint.analysis.domain.values import (
    Address,
    AggregateValue,
    Cell,
    Closure,
    FunctionValue,
    PointerSelect,
    Region,
)
from coalint.analysis.interpreter.statements.control_flow import exclude, taken_by
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def switch(state: State, statement: ir.Switch) -> None:
    """Execute each section under the condition that one of its labels, or the section that falls into it, is taken."""
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
    """Set what is switched over to 512 inside `case 512:`, wherever it stands, and return the cells as they were.

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
    """Return the cells after the section: all is what it was, except for what the section has assigned."""
    contents = dict(contents)
    for storage, at, cell in changed:
        now = contents.get(storage, {}).get(at)
        if now is not None and now.value == number:
            contents[storage] = {**contents[storage], at: cell}
    return contents
