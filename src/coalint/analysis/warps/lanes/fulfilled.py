"""The lanes for which a condition holds, where its value is a number in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def fulfilled(evaluator: LaneEvaluator, condition: Poly, shape: tuple[int, ...]) -> NDArray[np.bool_] | None:
    """Return the lanes (of this shape) for which a condition is not 0; None where that is not known."""
    try:
        value = evaluator.value(condition)
    except Undecided:
        return None
    if not set(value) <= {CONSTANT}:
        return None
    return np.broadcast_to(np.not_equal(value.get(CONSTANT, 0), 0), shape)
