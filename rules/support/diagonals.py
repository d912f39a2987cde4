"""Accesses of diagonals: of a matrix, and of small square blocks that lie one after the other."""

from __future__ import annotations

import re

from coalint.core.facts.access import Access
from coalint.core.lazy import np

_SIDES = range(3, 17)
_NAME = r"[A-Za-z_][\w.]*(?:->\w+|\[\w+\])*"
_ROW_AND_ELEMENT = re.compile(rf"(\d+)\*{_NAME} \+ (\d+)")
REASON = (
    "neighbouring lanes are a row and an element apart, as along a diagonal: each element lies in a row of its own, "
    "and no order of the threads helps"
)
HELP = "keep the diagonal as an array of its own where it is used often"


def is_of_matrix(access: Access, axis: int) -> bool:
    """Whether neighbouring lanes are a row of open length and one element apart, as `4*ld + 4` bytes are.

    An element may be a struct of which a field is used, as the real part of a complex number is.
    Nothing else walks along the rows then: where another axis of the threads, a loop or the blocks do, these are one
    element longer than the quantity, and the lanes walk a column.
    """
    text = access.stride if axis == 0 else access.address.stride_texts[axis]
    apart = _ROW_AND_ELEMENT.fullmatch(text)
    element = access.bytes if access.field is None else access.field.record_bytes
    if apart is None or not int(apart[1]) == int(apart[2]) == element or access.piece[1] > 1:
        return False
    along = [step for other, step in enumerate(access.strides) if other != axis and step]
    along += [loop.bytes for loop in access.loops if loop.bytes]
    one = re.compile(rf"{element}\*{_NAME}")
    shared = re.split(r" [+-] ", access.address.common)
    return not any(abs(step) == element for step in along) and not any(map(one.fullmatch, shared))


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
