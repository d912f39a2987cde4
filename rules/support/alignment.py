"""Accesses that cost more than their bytes for no other reason than where their contiguous runs begin and end."""

from __future__ import annotations

from coalint.core.arrays import distinct
from coalint.core.facts.access import Access
from coalint.core.lazy import np
from coalint.machine.global_memory.runs import Runs, runs_of

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
    groups = np.broadcast_to(lanes.groups, lanes.offsets.shape).reshape(-1, lanes.offsets.shape[-1])
    warps = zip(lanes.offsets.reshape(groups.shape), groups, lanes.active.reshape(groups.shape), strict=True)
    return all(
        int(np.ptp(offsets[on])) == 0 and distinct(group[on]).size == np.count_nonzero(on)
        for offsets, group, on in warps
        if on.any()
    )


def _per_warp(runs: Runs) -> float:
    return len(runs.lengths) / len(distinct(runs.warps))
