"""Atomics: how many lanes of a warp meet at one address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.core.arrays import LARGEST
from coalint.core.lazy import np
from coalint.machine.global_memory.sectors import separate
from coalint.machine.row_patterns import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.core.facts.lanes import Lanes


def most_at_address(lanes: Lanes) -> NDArray[np.int64]:
    """Return the most active lanes of each warp that share one address, shape (E, W); 0 where no lane is active."""
    rows, which = distinct(lanes)
    counts = _most(rows)
    return counts if which is None else counts[which]


def _most(lanes: Lanes) -> NDArray[np.int64]:
    keys = lanes.offsets
    if lanes.groups is not None:
        keys = separate(keys, np.broadcast_to(lanes.groups, keys.shape), 1)
    ordered = np.where(lanes.active, keys, LARGEST)
    ordered.sort(axis=2)
    is_lane = ordered != LARGEST
    most = is_lane.any(axis=2).astype(np.int64)
    for count in range(2, ordered.shape[2] + 1):  # a run of so many equal addresses
        runs = (ordered[..., count - 1 :] == ordered[..., : 1 - count]) & is_lane[..., count - 1 :]
        reached = runs.any(axis=2)
        if not reached.any():
            break
        most += reached
    return np.asarray(most, dtype=np.int64)
