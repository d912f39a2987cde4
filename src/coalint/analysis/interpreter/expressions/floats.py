"""Floating-point values that are not followed: their level, and whether the lanes of each warp agree on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atom_table import NOTHING_CERTAIN
from coalint.analysis.domain.algebra.atoms import Poly, Sharing
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.values import Value
from coalint.analysis.uniformity.sharing import can_differ

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def floating(state: State, *values: Value) -> Poly:
    """Return a floating-point value that is made of others and nothing else."""
    level = max(map(state.store.level, values))
    if not can_differ(level):
        return state.store.floating(level)
    return state.store.floating(level, warp_uniform=_agreed(state, values), reason=state.store.doubt(values))


def sharing_of_floats(state: State, *values: Value) -> Sharing:
    """Return whether the lanes of each warp agree on what is made of these values and nothing else."""
    if can_differ(max(map(state.store.level, values))) and _agreed(state, values):
        return Sharing(warp_uniform=True)
    return NOTHING_CERTAIN


def _agreed(state: State, values: tuple[Value, ...]) -> bool:
    """Whether values are numbers on which the lanes of each warp agree."""
    numbers = [value for value in values if isinstance(value, Polynomial)]
    return len(numbers) == len(values) and all(map(state.recorder.uniformity.same_in_warps, numbers))
