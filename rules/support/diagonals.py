"""Accesses of the diagonals of small square blocks that lie one after the other, as those of a Hessian matrix do."""

from __future__ import annotations

from coalint.core.facts.access import Access
from coalint.core.lazy import np

_SIDES = range(3, 17)


def side(access: Access) -> int:
    """Return the rows of the blocks whose diagonals the lanes of each warp walk in order; 0 where they do not.

    From one element of a diagonal to the next it is a row and an element, from the last of a block to the first of the
    next one element.
    """
    lanes = access.result.lanes
    if lanes is None or lanes.groups is not None or access.piece[1] > 1:
        return 0
    offsets = lanes.offsets.reshape(-1, lanes.offsets.shape[-1])
    active = lanes.active.reshape(-1, lanes.active.shape[-1])
    found = 0
    for warp in (starts[on] for starts, on in zip(offsets, active, strict=True) if np.count_nonzero(on) > _SIDES.stop):
        steps = np.diff(warp)
        ends = np.flatnonzero(steps == access.bytes)
        rows = int(steps.max()) // access.bytes - 1
        inside = np.delete(steps, ends)
        is_diagonal = bool(ends.size) and bool((inside == (rows + 1) * access.bytes).all())
        if not is_diagonal or not bool((np.diff(ends) == rows).all()) or rows != (found or rows):
            return 0
        found = rows
    return found if found in _SIDES else 0
