"""Evaluations that leave no trace: nothing is recorded, and the state is what it was before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


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
