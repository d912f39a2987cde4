"""Accesses that cost more than their bytes for no other reason than where their contiguous runs begin and end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.core.arrays import distinct
from coalint.core.facts.access import Access
from coalint.core.lazy import np
from coalint.machine.global_memory.runs import Runs, runs_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SECTOR = 32


def runs_per_warp(access: Access) -> float:
    """Return how many contiguous runs of a sector or more a warp's lanes form in the mean.

    0 where they form shorter ones.

    What such an access costs too much is at the ends of its runs: rows of a window or a narrow tile.
    """
    if access.result.lanes is None:
        return 0.0
    runs = runs_of(access.result.lanes, access.bytes)
    if not len(runs.lengths) or runs.lengths.mean() < _SECTOR:
        return 0.0
    return _per_warp(runs)


def broken_once(access: Access) -> float:
    """Return the same, however short they are, where a warp has no more than two: it crosses the end of a row."""
    if access.result.lanes is None:
        return 0.0
    runs = runs_of(access.result.lanes, access.bytes)
    per_warp = _per_warp(runs) if len(runs.lengths) else 0.0
    return per_warp if per_warp <= 2 else 0.0


def is_multiple_apart(access: Access) -> bool:
    """Whether the lanes of each warp lie multiples of what is open apart, each of another multiple."""
    lanes = access.result.lanes
    if lanes is None or lanes.groups is None or not access.result.symbolic:
        return False
    width = lanes.offsets.shape[-1]
    active = lanes.active.reshape(-1, width)
    offsets = lanes.offsets.reshape(-1, width)
    some = active.any(axis=-1)
    first = offsets[np.arange(len(offsets)), active.argmax(axis=-1)]
    if (active & (offsets != first[:, None])).any():
        return False
    groups = np.broadcast_to(lanes.groups, lanes.offsets.shape).reshape(-1, width)
    return not _has_repeated(groups[some], active[some])


def _has_repeated(numbers: NDArray[np.int64], active: NDArray[np.bool_]) -> bool:
    """Whether two active lanes of any row have the same number."""
    ordered = np.sort(np.where(active, numbers, numbers.max(initial=0)), axis=-1)  # what is not active comes last
    behind = np.arange(1, numbers.shape[-1]) < np.count_nonzero(active, axis=-1)[:, None]
    return bool(((ordered[:, 1:] == ordered[:, :-1]) & behind).any())


def _per_warp(runs: Runs) -> float:
    return len(runs.lengths) / len(distinct(runs.warps))
