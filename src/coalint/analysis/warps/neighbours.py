"""How far neighbouring lanes are apart where no polynomial says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.warps.results import WarpResult


def neighbour_stride(result: WarpResult, block: tuple[int, int, int], width: int) -> int | None:
    """Return the distance in bytes between lanes that are neighbours in threadIdx.x, when it is the same everywhere.

    Rows of the block may be an unknown distance apart; two lanes of one row may not. Where no two neighbours are active
    (`if (i % 2) x[i - 1]`), those between are taken to lie evenly between the active ones, unless elements of `width`
    bytes would then overlap.
    """
    lanes = result.lanes
    if lanes is None or block[0] < 2:
        return None
    row = (np.arange(lanes.offsets.shape[1] * 32) // block[0]).reshape(1, -1, 32)
    number = np.where(lanes.active, np.arange(32), -1)
    before = np.maximum.accumulate(number, axis=-1)[..., :-1]  # the last active lane below each one; -1 for none
    pairs = (before >= 0) & lanes.active[..., 1:]
    gap = np.arange(1, 32) - before
    below = np.maximum(before, 0)

    def step(values: NDArray[np.int64]) -> NDArray[np.int64]:
        there = np.broadcast_to(values, lanes.offsets.shape)
        difference: NDArray[np.int64] = there[..., 1:] - np.take_along_axis(there, below, axis=-1)
        return difference

    pairs &= step(row) == 0
    if np.any(pairs & (gap == 1)):
        pairs &= gap == 1
    if lanes.groups is not None and np.any(pairs & (step(lanes.groups) != 0)):
        return None
    steps, gaps = step(lanes.offsets)[pairs], gap[pairs]
    if not len(steps) or np.any(steps % gaps):
        return None
    each = steps // gaps
    is_even = each.min() == each.max() and (gaps[0] == 1 or abs(each[0]) >= width)
    return int(each[0]) if is_even else None
