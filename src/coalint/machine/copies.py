"""Asynchronous copies from global to shared memory: what one `cp.async` costs, as far as that is known.

Counted on an H200 (580 instructions without a predicate, 384 with one): the cost depends on both addresses.

Through L1 (4, 8 and 16 bytes): the sectors are those of a load. Lanes are served in the phases of their width, and
where the lanes of a phase are in different banks on one side, of the global address modulo 128 bytes or of the shared
one, it takes as many wavefronts as lanes meet in a bank on the other, lanes of one word included. Where lanes meet on
both sides, the count lies above that, and no law for it was found.

Past L1 (16 bytes): each 32-byte sector goes from L2 straight to its place. It is counted for each sector of shared
memory that it goes to, and twice if its halves change places for some lanes and not for others. From each line of 128
bytes to each line of shared memory it takes one wavefront, if whole sectors are copied and all of them move by the same
number of places within their line, or change places by the same exclusive-or; or if there is only one of them.
(Nsight Compute 2025.3 loses lanes of such an instruction where a predicate guards it: those counts are not to be held
against anything.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from coalint.machine.banks import most_in_bank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.access import Lanes
    from coalint.machine.arch import Architecture

CHUNK = 16  # bytes that a lane copies past L1

_Count = Callable[["NDArray[np.int64]", "NDArray[np.int64]"], int]


def copy_wavefronts(source: Lanes, target: Lanes, bytes_per_lane: int, arch: Architecture) -> NDArray[np.int64] | None:
    """Wavefronts of a copy through L1, shape (E, W); None where no law is known, as for lanes that share a target."""
    if _shares_targets(target):
        return None
    read = most_in_bank(source, bytes_per_lane, arch)
    written = most_in_bank(target, bytes_per_lane, arch)
    if (np.minimum(read, written) > 1).any():
        return None
    return np.asarray(np.maximum(read, written).sum(axis=2), dtype=np.int64)


def bypass_sectors(source: Lanes, target: Lanes) -> NDArray[np.int64] | None:
    """Sectors of a copy past L1, shape (E, W); None for lanes that share their target."""
    if _shares_targets(target):
        return None
    return _per_warp(source, target, lambda read, written: len(_pieces(read, written)))


def bypass_wavefronts(source: Lanes, target: Lanes) -> NDArray[np.int64] | None:
    """Wavefronts of a copy past L1, shape (E, W); None where no law is known."""
    if _shares_targets(target):
        return None
    counts = _per_warp(source, target, _line_pairs)
    return None if (counts < 0).any() else counts


def line_pairs(source: Lanes, target: Lanes) -> tuple[tuple[int, ...], ...]:
    """The lanes of one warp that copy past L1, by pairs of a line that they read and one that they write.

    Where `bypass_wavefronts` gives a number it is that of these pairs.
    """
    found: dict[tuple[int, int], list[int]] = defaultdict(list)
    for lane in np.flatnonzero(source.active[0, 0]).tolist():
        read, written = (int(end.offsets[0, 0, lane]) // (8 * CHUNK) for end in (source, target))
        found[read, written].append(lane)
    return tuple(map(tuple, found.values()))


def sector_requests(source: Lanes, target: Lanes) -> dict[int, int]:
    """How often each sector (by its number from the base) is asked for by one warp that copies past L1."""
    active = source.active[0, 0]
    read, written = (end.offsets[0, 0][active] // CHUNK for end in (source, target))
    found: dict[int, int] = defaultdict(int)
    for sector, _, _ in _pieces(read, written):
        found[sector] += 1
    return dict(found)


def _per_warp(source: Lanes, target: Lanes, count: _Count) -> NDArray[np.int64]:
    rows, warps, _ = source.offsets.shape
    counts = np.zeros((rows, warps), dtype=np.int64)
    seen: dict[tuple[bytes, bytes], int] = {}
    for row in range(rows):
        for warp in range(warps):
            active = source.active[row, warp]
            read = source.offsets[row, warp][active] // CHUNK
            written = target.offsets[row, warp][active] // CHUNK
            if read.size:
                # Whole lines that all lanes are further on change nothing.
                read, written = read - read.min() // 8 * 8, written - written.min() // 8 * 8
                key = (read.tobytes(), written.tobytes())
                if key not in seen:
                    seen[key] = count(read, written)
                counts[row, warp] = seen[key]
    return counts


def _pieces(read: NDArray[np.int64], written: NDArray[np.int64]) -> dict[tuple[int, int, int], int]:
    """How many lanes copy from a sector to a sector, with its halves in place or exchanged."""
    found: dict[tuple[int, int, int], int] = defaultdict(int)
    for a, b in zip(read.tolist(), written.tolist(), strict=True):
        found[(a // 2, b // 2, (a ^ b) & 1)] += 1
    return found


def _line_pairs(read: NDArray[np.int64], written: NDArray[np.int64]) -> int:
    """Pairs of a line that is read and a line that is written; -1 where they do not tell the wavefronts."""
    lines: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for a, b in zip(read.tolist(), written.tolist(), strict=True):
        lines[(a // 8, b // 8)].append((a, b))
    pieces = _pieces(read, written)
    if len(np.unique(read)) < len(read):
        return -1
    if len(pieces) == len(lines):
        return len(lines)
    whole = all(lanes == 2 for lanes in pieces.values())
    return len(lines) if whole and all(map(_moves_together, lines.values())) else -1


def _moves_together(chunks: list[tuple[int, int]]) -> bool:
    """Whether the chunks of a line all move by the same number of sectors, or by the same exclusive-or."""
    turned = {((a // 2 - b // 2) % 4, (a ^ b) & 1) for a, b in chunks}
    return len(turned) == 1 or len({(a ^ b) % 8 for a, b in chunks}) == 1


def _shares_targets(target: Lanes) -> bool:
    """Whether two lanes of a warp write to one address, which leaves open which of them wins."""
    far = np.iinfo(np.int64).max
    ordered = np.sort(np.where(target.active, target.offsets, far), axis=2)
    return bool(((ordered[..., 1:] == ordered[..., :-1]) & (ordered[..., 1:] != far)).any())
