"""Derivations: the steps from threadIdx that assignments add to a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.derivations import Definition
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def first_read(state: State, mark: int) -> Definition | None:
    """Return the first definition that was read since `mark`; None where threadIdx has no part in it."""
    return state.trace[mark] if len(state.trace) > mark else None


def definition(state: State, e: ir.Assign | ir.Increment | ir.Declare, mark: int) -> Definition | None:
    """Return the step of a derivation that an assignment makes; None where threadIdx has no part in it."""
    parents = tuple(dict.fromkeys(state.trace[mark:]))
    if not parents:
        return None
    at = state.recorder.place_of(e.span)
    if at != e.span:  # in coalint's own headers: the user's call stands for all that happens inside
        inside = (parent.parents if parent.span == at else (parent,) for parent in parents)
        parents = tuple(dict.fromkeys(one for some in inside for one in some)) or parents
        if len(parents) == 1:
            return parents[0]
    return Definition(state.text(at), at, parents)
