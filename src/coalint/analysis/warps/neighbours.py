"""How far neighbouring lanes are apart where no polynomial says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.core.lazy import np

if TYPE_CHECKING:
    from coalint.analysis.warps.results import WarpResult


def neighbour_stride(result: WarpResult, block: tuple[int, int, int]) -> int | None:
    """Return the distance in bytes between lanes that are neighbours in threadIdx.x, when it is the same everywhere.

    Rows of the block may be an unknown distance apart; two lanes of one row may not.
    """
    lanes = result.lanes
    if lanes is None or block[0] < 2:
        return None
    step = lanes.offsets[..., 1:] - lanes.offsets[..., :-1]
    linear = np.arange(lanes.offsets.shape[1] * 32).reshape(1, -1, 32)
    same_row = (linear[..., 1:] % block[0] != 0) & lanes.active[..., 1:] & lanes.active[..., :-1]
    groups = lanes.groups
    if groups is not None and np.any(same_row & (groups[..., 1:] != groups[..., :-1])):
        return None
    values = step[same_row]
    return int(values[0]) if len(values) and values.min() == values.max() else None
