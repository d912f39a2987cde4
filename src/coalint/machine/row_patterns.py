"""Rows of a warp's lanes that cost the same: most iterations of a loop walk the same pattern a little further."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.core.facts.lanes import Lanes

PERIOD = 128  # bytes: a whole line of sectors, and all the banks; a pattern moved by so much costs what it did
FEW = 8192  # lanes in all are counted as they are


def distinct(lanes: Lanes) -> tuple[Lanes, NDArray[np.int64] | None]:
    """Return the rows that differ by more than a shift of whole periods, and for each row which of these it is.

    The second is None where all rows are returned as they are.
    """
    rows = len(lanes.weights)
    if rows == 1 or lanes.offsets.size < FEW or (lanes.groups is not None and lanes.groups.ndim > 2):
        return lanes, None
    moved = lanes.offsets - lanes.offsets[:, :1, :1] // PERIOD * PERIOD
    active = np.broadcast_to(lanes.active, moved.shape)
    first, inverse = alike(np.hstack([moved.reshape(rows, -1), active.reshape(rows, -1)]))
    return replace(lanes, offsets=moved[first], active=active[first], weights=lanes.weights[first]), inverse


def alike(rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first row of each kind in an array of (rows, columns), and for each row which kind it is.

    Rows are told apart by hashes, which are then checked against the rows: sorting whole rows takes far longer.
    """
    _, first, kinds = np.unique(_hashes(rows), return_index=True, return_inverse=True)
    if not np.array_equal(rows[first][kinds], rows):
        _, first, kinds = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, kinds.reshape(-1)


def _hashes(rows: NDArray[np.int64]) -> NDArray[np.uint64]:
    multipliers = np.random.default_rng(0).integers(0, 1 << 63, rows.shape[1], dtype=np.uint64) * 2 + 1
    return np.asarray(np.ascontiguousarray(rows).view(np.uint64) @ multipliers)
