"""Shared memory: how many wavefronts the active lanes of each warp take, bank conflicts included.

Lanes are served together in phases: all 32 of a warp for accesses of up to 4 bytes, halves of 16 for 8 bytes, quarters
of 8 for 16 bytes. A phase is a fixed range of lane numbers; an inactive lane keeps its place and touches nothing
(counted on an H200: eight `float4` lanes take one wavefront when they are neighbours, four when they are spread out).

Wide *loads* have a shortcut (compute capability 7.0 and later; counted on an H200): when lanes i and i^1 of a whole
group agree on their address, or all lanes i and i^2 do, two phases are served as one, provided that the union has no
conflict. The group is the warp for 8 bytes and each half-warp for 16 bytes. Stores never take it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.core.arrays import LARGEST
from coalint.core.lazy import np
from coalint.machine.global_memory.sectors import separate
from coalint.machine.row_patterns import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.core.facts.lanes import Lanes
    from coalint.machine.architecture import Architecture


def phase_lanes(bytes_per_lane: int) -> int:
    """Return how many neighbouring lanes are served together: 32, 16 or 8 by the width of the access."""
    return 32 if bytes_per_lane <= 4 else 16 if bytes_per_lane <= 8 else 8


def wavefront_counts(lanes: Lanes, bytes_per_lane: int, arch: Architecture, *, load: bool = True) -> NDArray[np.int64]:
    """Return wavefronts of each warp, shape (E, W).

    Over its phases, the sum of the most words asked of any one bank.
    """
    rows, which = distinct(lanes)
    counts = _wavefront_counts(rows, bytes_per_lane, arch, load)
    return counts if which is None else counts[which]


def _wavefront_counts(lanes: Lanes, bytes_per_lane: int, arch: Architecture, load: bool) -> NDArray[np.int64]:
    if not lanes.offsets.size:  # in a loop that never runs
        return np.zeros(lanes.offsets.shape[:2], dtype=np.int64)
    depths = _depths(lanes, bytes_per_lane, phase_lanes(bytes_per_lane), arch)
    if load and bytes_per_lane > 4 and arch.merges_paired_loads:
        depths = _merge_phases(lanes, bytes_per_lane, depths, arch)
    return np.asarray(depths.sum(axis=2), dtype=np.int64)


def turn_counts(lanes: Lanes, bytes_per_lane: int, arch: Architecture) -> NDArray[np.int64]:
    """Return turns of a shared atomic, shape (E, W).

    Over its phases, the most lanes that ask one bank, same word or not.
    """
    return np.asarray(most_in_bank(lanes, bytes_per_lane, arch).sum(axis=2), dtype=np.int64)


def most_in_bank(lanes: Lanes, bytes_per_lane: int, arch: Architecture) -> NDArray[np.int64]:
    """Return the most lanes of each phase that ask one bank, same word or not, shape (E, W, phases)."""
    return np.asarray(lanes_by_bank(lanes, bytes_per_lane, arch).max(axis=3), dtype=np.int64)


def lanes_by_bank(lanes: Lanes, bytes_per_lane: int, arch: Architecture) -> NDArray[np.int64]:
    """Return how many lanes of each phase ask each bank, shape (E, W, phases, 32).

    Lanes are aligned to their bytes, so that the first bank of each tells.
    """
    width = phase_lanes(bytes_per_lane)
    rows, warps, count = lanes.offsets.shape
    entries = rows * warps * (count // width)
    bank = (lanes.offsets // arch.bank_bytes % arch.banks).reshape(entries, width)
    bins = bank + np.arange(entries)[:, None] * arch.banks
    asked = np.bincount(bins[lanes.active.reshape(entries, width)], minlength=entries * arch.banks)
    return np.asarray(asked.reshape(rows, warps, count // width, arch.banks), dtype=np.int64)


def ideal_wavefronts(lanes: Lanes, bytes_per_lane: int, arch: Architecture) -> NDArray[np.int64]:
    """Return as few wavefronts as the active lanes' bytes fit in, shape (E, W): 1, 2 or 4 for a full warp.

    A lane of fewer than 4 bytes counts as one bank's word. This is the counter's own ideal, except that the counter
    never lets it exceed what was counted (merged loads); see `traffic`.
    """
    touched = lanes.active.sum(axis=2, dtype=np.int64) * max(bytes_per_lane, arch.bank_bytes)
    return np.asarray(-(-touched // (arch.banks * arch.bank_bytes)), dtype=np.int64)


def conflict_ways(lanes: Lanes, bytes_per_lane: int, arch: Architecture) -> int:
    """Return the worst conflict: the most different words that one phase asks of one bank.

    1 is none, 0 means that no lane is active.
    """
    lanes, _ = distinct(lanes)
    return int(_depths(lanes, bytes_per_lane, phase_lanes(bytes_per_lane), arch).max(initial=0))


def _depths(lanes: Lanes, bytes_per_lane: int, width: int, arch: Architecture) -> NDArray[np.int64]:
    """Return the most distinct words in any one bank for each stretch of `width` lanes, shape (E, W, 32 / width)."""
    first = lanes.offsets // arch.bank_bytes
    last = (lanes.offsets + (bytes_per_lane - 1)) // arch.bank_bytes
    words = 1 + int((last - first).max(initial=0))
    # Each lane's words side by side, so that a phase is a contiguous stretch of the last axis.
    touched = np.minimum(first[..., None] + np.arange(words), last[..., None])
    if lanes.groups is not None:
        groups = np.broadcast_to(lanes.groups, first.shape)[..., None]
        touched = separate(touched, np.broadcast_to(groups, touched.shape), arch.banks)
    rows, warps, count = first.shape
    phases = count // width
    entries = rows * warps * phases
    ordered = np.where(lanes.active[..., None], touched, LARGEST).reshape(entries, -1)
    ordered.sort(axis=1)
    fresh = ordered != LARGEST
    fresh[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    bins = ordered % arch.banks + np.arange(entries)[:, None] * arch.banks
    depth = np.bincount(bins[fresh], minlength=entries * arch.banks).reshape(entries, arch.banks).max(axis=1)
    return np.asarray(depth.reshape(rows, warps, phases), dtype=np.int64)


def merges(lanes: Lanes, bytes_per_lane: int, arch: Architecture) -> NDArray[np.bool_]:
    """Whether two neighbouring phases of a wide load are served as one, shape (E, W, phases / 2).

    So it is where paired lanes agree and nothing conflicts.
    """
    rows, warps, count = lanes.offsets.shape
    width = 2 * phase_lanes(bytes_per_lane)
    agree = np.zeros((rows, warps, count // width), dtype=np.bool_)
    for distance in (1, 2):
        partner = np.arange(count) ^ distance
        same = lanes.offsets == lanes.offsets[..., partner]
        if lanes.groups is not None:
            same &= lanes.groups == lanes.groups[..., partner]
        same |= ~(lanes.active & lanes.active[..., partner])
        agree |= same.reshape(rows, warps, -1, width).all(axis=3)
    if agree.any():
        agree &= _depths(lanes, bytes_per_lane, width, arch) <= 1
    return agree


def _merge_phases(
    lanes: Lanes, bytes_per_lane: int, depths: NDArray[np.int64], arch: Architecture
) -> NDArray[np.int64]:
    """Return the wavefronts of pairs of phases, shape (E, W, phases / 2)."""
    apart = depths.reshape(*depths.shape[:2], -1, 2).sum(axis=3)
    merged = merges(lanes, bytes_per_lane, arch)
    if not merged.any():
        return np.asarray(apart, dtype=np.int64)
    needed = lanes.active.reshape(*merged.shape, -1).any(axis=3)
    return np.where(merged, needed, apart)
