"""Global memory: the contiguous runs that the active lanes of each warp form, wherever they begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.core.facts.lanes import Lanes


@record(frozen=True, slots=True)
class Runs:
    """The contiguous runs of bytes that warps touch: a row of the block is one, two neighbouring rows may be.

    Attributes:
        starts: Where each begins, in bytes from the common base, int64, shape (R,).
        lengths: Its bytes, int64, shape (R,).
        warps: The warp that it belongs to, as an index into the flattened (E, W), int64, shape (R,).
    """

    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    warps: NDArray[np.int64]


def runs_of(lanes: Lanes, bytes_per_lane: int) -> Runs:
    """Return the runs of all warps. Lanes of different groups are never in one run."""
    shape = lanes.offsets.shape
    groups = np.zeros(shape, dtype=np.int64) if lanes.groups is None else np.broadcast_to(lanes.groups, shape)
    order = np.lexsort((lanes.offsets, groups, ~lanes.active), axis=-1)
    offsets, groups = np.take_along_axis(lanes.offsets, order, axis=-1), np.take_along_axis(groups, order, axis=-1)
    active = np.take_along_axis(lanes.active, order, axis=-1)
    gap = (offsets[..., 1:] > offsets[..., :-1] + bytes_per_lane) | (groups[..., 1:] != groups[..., :-1])
    begins, ends = active.copy(), active.copy()
    begins[..., 1:] &= gap
    ends[..., :-1] &= gap | ~active[..., 1:]
    starts = offsets[begins]
    warps = np.broadcast_to(np.arange(shape[0] * shape[1]).reshape(*shape[:2], 1), shape)[begins]
    return Runs(starts=starts, lengths=offsets[ends] + bytes_per_lane - starts, warps=warps)
