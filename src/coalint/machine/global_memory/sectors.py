"""Global memory: how many distinct sectors the active lanes of each warp touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.core.arrays import LARGEST
from coalint.core.lazy import np
from coalint.machine.row_patterns import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.core.facts.lanes import Lanes


def sector_counts(lanes: Lanes, bytes_per_lane: int, granule: int = 32) -> NDArray[np.int64]:
    """Return distinct aligned `granule`-byte pieces that each warp touches, shape (E, W); 0 where no lane is active.

    A lane that starts less than its width before a boundary touches the pieces on both sides. The common base is
    taken as aligned to the granule: where `lanes.alignment` is less, the analysis has noted that assumption.
    """
    rows, which = distinct(lanes)
    counts = _sector_counts(rows, bytes_per_lane, granule)
    return counts if which is None else counts[which]


def _sector_counts(lanes: Lanes, bytes_per_lane: int, granule: int) -> NDArray[np.int64]:
    first = lanes.offsets // granule
    last = (lanes.offsets + (bytes_per_lane - 1)) // granule
    reach = int((last - first).max(initial=0))
    active = lanes.active
    keys = first
    if reach:
        keys = np.concatenate([np.minimum(first + step, last) for step in range(reach + 1)], axis=2)
        active = np.concatenate([active] * (reach + 1), axis=2)
    if lanes.groups is not None:
        groups = np.concatenate([np.broadcast_to(lanes.groups, first.shape)] * (reach + 1), axis=2)
        keys = separate(keys, groups, 1)
    return count_distinct(keys, active)


def ideal_sectors(lanes: Lanes, bytes_per_lane: int, granule: int = 32) -> NDArray[np.int64]:
    """Return what the profiler calls ideal, shape (E, W): `ceil(active lanes * bytes / granule)`.

    Lanes that share an address earn no credit, so a broadcast counts 1 against an ideal of 4.
    """
    touched = lanes.active.sum(axis=2, dtype=np.int64) * bytes_per_lane
    return np.asarray(-(-touched // granule), dtype=np.int64)


def count_distinct(keys: NDArray[np.int64], active: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return distinct values along the last axis among the active entries."""
    ordered = np.where(active, keys, LARGEST)
    ordered.sort(axis=-1)
    changes = (ordered[..., 1:] != ordered[..., :-1]).sum(axis=-1)
    # One value more than there are changes, less the stand-in for inactive lanes, which sorts last.
    return np.asarray(changes + 1 - (ordered[..., -1] == LARGEST), dtype=np.int64)


def separate(keys: NDArray[np.int64], groups: NDArray[np.int64], modulus: int) -> NDArray[np.int64]:
    """Fold `groups` into `keys` so that equal keys of different groups differ, keeping `keys % modulus`."""
    values, rank = np.unique(groups, return_inverse=True)
    low = int(keys.min()) // modulus * modulus
    span = -(-(int(keys.max()) + 1 - low) // modulus) * modulus
    if span * len(values) >= 2**62:
        raise OverflowError("lane offsets are too far apart to be grouped")
    return np.asarray(keys - low + rank.reshape(groups.shape) * span, dtype=np.int64)
