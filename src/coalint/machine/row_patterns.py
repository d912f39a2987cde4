"""Rows of a warp's lanes that cost the same: most iterations of a loop walk the same pattern a little further."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.core.facts.lanes import Lanes

PERIOD = 128  # bytes: a whole line of sectors, and all the banks; a pattern moved by so much costs what it did
FEW = 8192  # lanes in all are counted as they are
_WORD = (1 << 64) - 1
_FACTOR = 0x2360ED051FC65DA44385DF649FCCF645
_START, _INCREMENT = 35399562948360463058890781895381311971, 87136372517582989555478159403783844777


def distinct(lanes: Lanes) -> tuple[Lanes, NDArray[np.int64] | None]:
    """Return the rows that differ by more than a shift of whole periods, and for each row which of these it is.

    The second is None where all rows are returned as they are.
    """
    rows = len(lanes.weights)
    if rows == 1 or lanes.offsets.size < FEW or (lanes.groups is not None and lanes.groups.ndim > 2):
        return lanes, None
    moved = lanes.offsets - lanes.offsets[:, :1, :1] // PERIOD * PERIOD
    active = np.broadcast_to(lanes.active, moved.shape)
    bits = np.packbits(active.reshape(rows, -1), axis=1).view(np.uint32)  # a number for each warp
    first, inverse = alike(np.hstack([moved.reshape(rows, -1), bits.astype(np.int64)]))
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
    return np.asarray(np.ascontiguousarray(rows).view(np.uint64) @ _multipliers(rows.shape[1]))


@lru_cache(maxsize=64)
def _multipliers(count: int) -> NDArray[np.uint64]:
    """Return odd numbers by chance, always the same: those of PCG64 (O'Neill 2014) as `default_rng(0)` starts it.

    To import numpy's generators takes a process longer than to check a small kernel.
    """
    state, numbers = _START, []
    for _ in range(count):
        state = (state * _FACTOR + _INCREMENT) % (1 << 128)
        word, turn = (state >> 64) ^ (state & _WORD), state >> 122
        numbers.append(((word >> turn) | (word << (64 - turn))) & _WORD | 1)
    return np.array(numbers, dtype=np.uint64)
