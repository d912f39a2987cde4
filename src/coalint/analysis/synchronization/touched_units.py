"""The units of shared memory that threads touch, and threads that touch the same."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.recorder.events import SharedAccess
from coalint.analysis.warps.single_threads import Touched
from coalint.analysis.warps.threads import LANES
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray


Units = tuple["NDArray[np.int64]", "NDArray[np.int64]"]  # what is touched and by which thread, sorted by both


def stays_inside(touch: SharedAccess, touched: Touched) -> bool:
    """Whether all active threads stay inside of the array, as far as its size is known."""
    memory = touch.base.memory
    if touched.common:
        return True
    low, high = touched.reach
    if low < 0:
        return False
    known = [extent for extent in memory.extents if extent is not None]
    if len(known) < len(memory.extents) or not memory.element_bytes:
        return True
    return high + touch.bytes <= prod(known) * memory.element_bytes


def units_of(touched: Touched, size: int, unit: int) -> Units:
    """The units of memory that each thread touches."""
    ids = np.flatnonzero(touched.active)
    start = np.floor_divide(touched.offsets[ids], unit)
    places = (start[:, None] + np.arange(size // unit)).ravel()
    owners = np.repeat(ids, size // unit)
    order = np.lexsort((owners, places))
    return places[order], owners[order]


def without(units: Units, others: Units) -> Units:
    """Units but for those that the same thread touches among the others."""
    span = 1 << 20
    kept = ~np.isin(units[0] * span + units[1], others[0] * span + others[1])
    return units[0][kept], units[1][kept]


def threads_at_one_unit(
    left: Units, right: Units, in_warp: bool, values: tuple[NDArray[np.int64] | None, NDArray[np.int64] | None] | None
) -> tuple[int, int, int] | None:
    """Two threads at one unit: of different warps, else of one if that counts. With `values`, these must differ."""
    places = np.intersect1d(left[0], right[0])
    if not places.size or (values is not None and (values[0] is None or values[1] is None)):
        return None
    ends = [
        (units[1][np.searchsorted(units[0], places)], units[1][np.searchsorted(units[0], places, "right") - 1])
        for units in (left, right)
    ]
    for warps in (True, False) if in_warp else (True,):
        for s, t in ((ends[0][0], ends[1][1]), (ends[0][1], ends[1][0])):
            differ = s // LANES != t // LANES if warps else s != t
            if values is not None and values[0] is not None and values[1] is not None:
                differ = differ & (values[0][s] != values[1][t])
            if differ.any():
                index = int(np.flatnonzero(differ)[0])
                return int(s[index]), int(t[index]), int(places[index])
    return None
