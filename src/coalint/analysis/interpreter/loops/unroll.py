"""Short loops over a local array, one iteration after the other: `for (i = 0; i < 4; ++i) p[i] = &rows[i][0];`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Kind
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.values import Cells
from coalint.analysis.interpreter.loops.pointers.members import leads_somewhere
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

MAX_TRIPS = 16
MAX_STEPS = 2_000  # expressions evaluated to find out how many trips there are


def worthwhile(run: State, statement: ir.Loop) -> bool:
    """Whether a loop tested at its start uses elements of integers or pointers, and has no way out inside."""
    if statement.condition is None or not statement.test_first or run.recorder.model is None:
        return False
    change = run.assignments.of(statement)
    if change.breaks:
        return False
    return change.elements or (change.pointed and leads_somewhere(run))


def trips(run: State, statement: ir.Loop) -> int | None:
    """How many iterations there are, when these are few and known, touch no memory and compute all that they write."""
    saved, guards, mark, alive = run.store.snapshot(), run.guards, len(run.exits), run.alive
    touched, pointers, most = run.recorder.touched, run.store.outside_known(), run.steps + MAX_STEPS
    born = len(run.algebra.atoms)
    run.dry += 1
    try:
        for trip in range(MAX_TRIPS + 1):
            assert statement.condition is not None
            goes_on = run.algebra.number(run.condition(statement.condition))
            if goes_on is None or run.recorder.touched > touched or run.steps > most:
                return None
            if not _computed(run, saved, born):
                return None
            if not goes_on:
                return trip
            _iterate(run, statement)
            if not run.alive or len(run.exits) > mark:
                return None
        return None
    finally:
        run.dry -= 1
        run.store.cells, run.guards, run.alive = saved, guards, alive
        run.store.forget_outside(pointers)
        del run.exits[mark:]


def _computed(run: State, before: Cells, born: int) -> bool:
    """Whether all that was written since is made of what was there before: atoms of lower indices than `born`."""
    for storage, cells in run.store.cells.items():
        known = before.get(storage)
        if known is None or known is cells:
            continue
        for cell in cells.values():
            if isinstance(cell.value, Polynomial) and any(
                atom.index >= born and atom.kind in (Kind.LOAD, Kind.OPAQUE) for atom in run.algebra.closure(cell.value)
            ):
                return False
    return True


def execute(run: State, statement: ir.Loop) -> None:
    """Run a loop of which `trips` has said that it ends."""
    for _ in range(MAX_TRIPS + 1):
        run.begin()
        assert statement.condition is not None
        if not run.algebra.number(run.condition(statement.condition)):
            return
        _iterate(run, statement)


def _iterate(run: State, statement: ir.Loop) -> None:
    run.execute(statement.body)
    if run.alive and statement.step is not None:
        run.value(statement.step)
