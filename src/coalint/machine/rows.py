"""Rows of a warp's lanes that cost the same: most iterations of a loop walk the same pattern a little further."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.access import Lanes

PERIOD = 128  # bytes: a whole line of sectors, and all the banks; a pattern moved by so much costs what it did
FEW = 8192  # lanes in all are counted as they are


def distinct(lanes: Lanes) -> tuple[Lanes, NDArray[np.int64] | None]:
    """The rows that differ by more than a shift of whole periods, and for each row which of these it is.

    The second is None where all rows are returned as they are.
    """
    rows = len(lanes.weights)
    if rows == 1 or lanes.offsets.size < FEW or (lanes.groups is not None and lanes.groups.ndim > 2):
        return lanes, None
    moved = lanes.offsets - lanes.offsets[:, :1, :1] // PERIOD * PERIOD
    active = np.broadcast_to(lanes.active, moved.shape)
    patterns = np.packbits(active.reshape(rows, -1), axis=1)
    numbers: dict[tuple[bytes, bytes], int] = {}
    which = [
        numbers.setdefault((row.tobytes(), pattern.tobytes()), len(numbers))
        for row, pattern in zip(moved, patterns, strict=True)
    ]
    inverse = np.asarray(which, dtype=np.int64)
    first = np.unique(inverse, return_index=True)[1]
    kept = replace(lanes, offsets=moved[first], active=active[first], weights=lanes.weights[first])
    return kept, inverse
