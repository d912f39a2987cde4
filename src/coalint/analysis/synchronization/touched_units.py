"""The units of shared memory that threads touch, and threads that touch the same."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.recorder.events import SharedAccess
from coalint.analysis.synchronization.stored_values import Stored
from coalint.analysis.warps.single_threads import Touched
from coalint.analysis.warps.threads import LANES
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray


_MOST_THREADS = 1 << 20
"""More than a block has."""

_MOST_KNOWN = 4096


@record(frozen=True, slots=True)
class Units:
    """The units of memory that threads touch, sorted by place and owner, shape (N,).

    `owners` are the threads; `contents` is what they leave there, None where that is not known or does not matter.
    """

    places: NDArray[np.int64]
    owners: NDArray[np.int64]
    contents: NDArray[np.int64] | None = None


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


def units_of(touched: Touched, size: int, unit: int, left: Stored | None = None) -> Units:
    """Return the units of memory that each thread touches, with what it leaves there."""
    ids = np.flatnonzero(touched.active)
    start = np.floor_divide(touched.offsets[ids], unit)
    count = size // unit
    places = (start[:, None] + np.arange(count)).ravel()
    owners = np.repeat(ids, count)
    order = np.lexsort((owners, places))
    contents = None
    if left is not None:
        contents = np.stack([left.unit(at, unit)[ids] for at in range(count)], axis=1).ravel()[order]
    return Units(places[order], owners[order], contents)


class KnownUnits:
    """Units that accesses touch, found once for each: an access is part of as many pairs as there are others."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int, int], tuple[Touched, Units]] = {}

    def of(self, touched: Touched, size: int, unit: int) -> Units:
        """Return the units of memory that each thread touches."""
        key = (id(touched), size, unit)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[key] = touched, units_of(touched, size, unit)
        return known[1]


def meet(left: Units, right: Units) -> bool:
    """Whether there is a place that threads of both touch."""
    at = np.minimum(np.searchsorted(left.places, right.places), len(left.places) - 1)
    return bool((left.places[at] == right.places).any())


def without(units: Units, others: Units) -> Units:
    """Return units but for those that the same thread touches among the others."""
    kept = ~np.isin(units.places * _MOST_THREADS + units.owners, others.places * _MOST_THREADS + others.owners)
    contents = None if units.contents is None else units.contents[kept]
    return Units(units.places[kept], units.owners[kept], contents)


def loaded_back(units: Units, stores: Units) -> Units:
    """Return the units that threads read among those that they have stored themselves, with what each has stored."""
    assert stores.contents is not None
    keys, wanted = (each.places * _MOST_THREADS + each.owners for each in (stores, units))
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)  # sorted by place and owner
    own = keys[at] == wanted
    return Units(units.places[own], units.owners[own], stores.contents[at[own]])


def threads_at_one_unit(left: Units, right: Units, *, in_warp: bool, by_contents: bool) -> tuple[int, int, int] | None:
    """Return two threads at one unit: of different warps, else of one if that counts; the unit's place is last.

    Where `by_contents`, these must differ: none are found where they are not known.
    """
    common = np.intersect1d(left.places, right.places)
    if not common.size or (by_contents and (left.contents is None or right.contents is None)):
        return None
    sides = [_extremes(units, common, by_contents) for units in (left, right)]
    for warps in (True, False) if in_warp else (True,):
        for (s, x), (t, y) in product(sides[0], sides[1]):
            differ = s // LANES != t // LANES if warps else s != t
            if by_contents:
                differ = differ & (x != y)
            if differ.any():
                index = int(np.flatnonzero(differ)[0])
                return int(s[index]), int(t[index]), int(common[index])
    return None


_Owned = tuple["NDArray[np.int64]", "NDArray[np.int64]"]  # for each place an owner and what it leaves there


def _extremes(units: Units, places: NDArray[np.int64], by_contents: bool) -> list[_Owned]:
    """Return at each place the first and the last owner, and those who leave the least and the most."""
    extremes = [_ends(units.places, units.owners, units.contents, places)]
    if by_contents and units.contents is not None:
        order = np.lexsort((units.owners, units.contents, units.places))
        extremes.append(_ends(units.places[order], units.owners[order], units.contents[order], places))
    return [end for ends in extremes for end in ends]


def _ends(
    sorted_places: NDArray[np.int64],
    owners: NDArray[np.int64],
    contents: NDArray[np.int64] | None,
    places: NDArray[np.int64],
) -> tuple[_Owned, _Owned]:
    first = np.searchsorted(sorted_places, places)
    last = np.searchsorted(sorted_places, places, "right") - 1
    left = owners if contents is None else contents
    return (owners[first], left[first]), (owners[last], left[last])
