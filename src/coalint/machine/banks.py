"""Shared memory: how many wavefronts the active lanes of each warp take, bank conflicts included.

Lanes are served together in phases: all 32 of a warp for accesses of up to 4 bytes, halves of 16 for 8 bytes, quarters
of 8 for 16 bytes. A phase is a fixed range of lane numbers; an inactive lane keeps its place and touches nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from coalint.machine.sectors import separate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.access import Lanes


def phase_lanes(bytes_per_lane: int) -> int:
    """How many neighbouring lanes are served together: 32, 16 or 8 by the width of the access."""
    return 32 if bytes_per_lane <= 4 else 16 if bytes_per_lane <= 8 else 8


def wavefront_counts(lanes: Lanes, bytes_per_lane: int, banks: int = 32, bank_bytes: int = 4) -> NDArray[np.int64]:
    """Wavefronts of each warp, shape (E, W): over its phases, the sum of the most words asked of any one bank."""
    return np.asarray(_phase_depths(lanes, bytes_per_lane, banks, bank_bytes).sum(axis=2), dtype=np.int64)


def ideal_wavefronts(lanes: Lanes, bytes_per_lane: int) -> NDArray[np.int64]:
    """Phases that have an active lane, shape (E, W): 1, 2 or 4 for a full warp."""
    return np.asarray(_phases(lanes.active, bytes_per_lane).any(axis=3).sum(axis=2), dtype=np.int64)


def conflict_ways(lanes: Lanes, bytes_per_lane: int, banks: int = 32, bank_bytes: int = 4) -> int:
    """The worst conflict: the most different words that one phase asks of one bank (1 is none, 0 no active lane)."""
    return int(_phase_depths(lanes, bytes_per_lane, banks, bank_bytes).max(initial=0))


def _phases(per_lane: NDArray[np.bool_], bytes_per_lane: int) -> NDArray[np.bool_]:
    width = phase_lanes(bytes_per_lane)
    rows, warps, count = per_lane.shape
    return per_lane.reshape(rows, warps, count // width, width)


def _phase_depths(lanes: Lanes, bytes_per_lane: int, banks: int, bank_bytes: int) -> NDArray[np.int64]:
    """The most distinct words in any one bank, shape (E, W, phases)."""
    first = lanes.offsets // bank_bytes
    last = (lanes.offsets + (bytes_per_lane - 1)) // bank_bytes
    words = 1 + int((last - first).max(initial=0))
    # Each lane's words side by side, so that a phase is a contiguous stretch of the last axis.
    touched = np.minimum(first[..., None] + np.arange(words), last[..., None])
    if lanes.groups is not None:
        groups = np.broadcast_to(lanes.groups, first.shape)[..., None]
        touched = separate(touched, np.broadcast_to(groups, touched.shape), banks)
    rows, warps, count = first.shape
    phases = count // phase_lanes(bytes_per_lane)
    entries = rows * warps * phases
    none = np.iinfo(np.int64).max
    ordered = np.where(lanes.active[..., None], touched, none).reshape(entries, -1)
    ordered.sort(axis=1)
    fresh = ordered != none
    fresh[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    bins = ordered % banks + np.arange(entries)[:, None] * banks
    depth = np.bincount(bins[fresh], minlength=entries * banks).reshape(entries, banks).max(axis=1)
    return np.asarray(depth.reshape(rows, warps, phases), dtype=np.int64)
