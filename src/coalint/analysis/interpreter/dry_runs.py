"""Evaluations that leave no trace: nothing is recorded, and the state is what it was before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from coalint.analysis.domain.frames import Cells
from coalint.analysis.domain.guards import Guard
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


@record(frozen=True, slots=True)
class Checkpoint:
    """The state before a run, to go back to: variables, guards, exits, quantities, and what outside of it is known."""

    state: State
    cells: Cells
    guards: tuple[Guard, ...]
    exits: int
    alive: bool
    atoms: int
    outside: frozenset[object]

    @classmethod
    def of(cls, state: State) -> Checkpoint:
        """Return the state as it is now."""
        store = state.store
        exits, atoms, outside = len(state.exits), state.algebra.mark(), store.outside_known()
        return cls(state, store.snapshot(), state.guards, exits, state.alive, atoms, outside)

    def restore(self) -> None:
        """Make the state what it was, and forget what was found out since."""
        state = self.state
        state.store.cells, state.guards, state.alive = self.cells, self.guards, self.alive
        del state.exits[self.exits :]
        state.algebra.forget(self.atoms)
        state.store.forget_outside(self.outside)
        state.recorder.forget()


@contextmanager
def restored_variables(state: State) -> Iterator[None]:
    """Record nothing, and restore the variables at the end."""
    cells = state.store.snapshot()
    state.dry += 1
    try:
        yield
    finally:
        state.dry -= 1
        state.store.cells = cells


@contextmanager
def dry_run(state: State) -> Iterator[None]:
    """Record nothing, and restore the variables, the guards and the exits at the end."""
    guards, alive, exits = state.guards, state.alive, len(state.exits)
    with restored_variables(state):
        try:
            yield
        finally:
            state.guards, state.alive = guards, alive
            del state.exits[exits:]
