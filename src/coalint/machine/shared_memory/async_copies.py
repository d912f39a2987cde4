"""Asynchronous copies from global to shared memory: what one `cp.async` costs, as far as that is known.

The cost depends on both addresses.

Through L1 (4, 8 and 16 bytes; counted on an H200, 580 instructions without a predicate and 384 with one): the sectors
are those of a load. Lanes are served in the phases of their width, and where the lanes of a phase are in different
banks on one side, of the global address modulo 128 bytes or of the shared one, it takes as many wavefronts as lanes
meet in a bank on the other, lanes of one word included. Where lanes meet on both sides, the count lies above that, and
no law for it was found.

Past L1 (16 bytes, a chunk): each 32-byte sector goes from L2 straight to its place. It is counted for each sector of
shared memory that it goes to, and twice if its halves change places for some lanes and not for others. A wavefront
brings chunks from one line of 128 bytes to one line of shared memory, which may lie anywhere in the two, but
- change place alike: the number of the chunk and that of its place differ in the same ones of their lowest two bits (in
  all of them the halves of a sector change places or in none, and the sectors of a pair or not), and
- are the same part of a sector: whole sectors, or first halves, or second halves.
So lines that go to rows padded by 16 bytes take 21 wavefronts for each eight rows. All 1,902 copies without a
predicate in docs/data/copies.sm_90.json (counted on an H100 by benchmarks/measure_copies.py) of which no chunk goes to
one line of shared memory twice are so, and were 4,531 more from which the law was found. Where a chunk goes to several
places of one line, more wavefronts than these were counted at times, and no law is known. (Nsight Compute 2025.3 loses
lanes of such an instruction where a predicate guards it: those counts are not to be held against anything.)

Where a lane may fill its place with zeros and reads nothing (`src-size` 0, counted on an H200 in 1,920 copies of each
width): a copy through L1 is as above, with what is written of all lanes and what is read of those that read. Of one
past L1 the sectors are as above for the lanes that read, and the wavefronts are those of a store of 16 bytes by all
lanes, whatever is read, also where all lanes read. (Where they may read some bytes of 16, the sectors are the same and
for the wavefronts no law is known. Each of these was a warp alone: where warps ran side by side, Nsight Compute 2025.3
counted the sectors of lanes that read nothing in some of them, in others at the next run.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

from coalint.core.arrays import LARGEST
from coalint.core.lazy import np
from coalint.machine.global_memory.sectors import separate
from coalint.machine.shared_memory.banks import most_in_bank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.core.facts.lanes import Lanes
    from coalint.machine.architecture import Architecture

CHUNK = 16  # bytes that a lane copies past L1

_Kind = tuple[int, int, int, int]
_Count = Callable[["NDArray[np.int64]", "NDArray[np.int64]"], int]


def copy_wavefronts(source: Lanes, target: Lanes, bytes_per_lane: int, arch: Architecture) -> NDArray[np.int64] | None:
    """Return wavefronts of a copy through L1, shape (E, W).

    None where no law is known, as for lanes that share a target.
    """
    if _shares_targets(target):
        return None
    read = most_in_bank(source, bytes_per_lane, arch)
    written = most_in_bank(target, bytes_per_lane, arch)
    if (np.minimum(read, written) > 1).any():
        return None
    return np.asarray(np.maximum(read, written).sum(axis=2), dtype=np.int64)


def bypass_sectors(source: Lanes, target: Lanes) -> NDArray[np.int64] | None:
    """Return sectors of a copy past L1, shape (E, W); None for lanes that share their target."""
    if _shares_targets(target):
        return None
    return _per_warp(source, target, lambda read, written: len(_pieces(read, written)))


def bypass_wavefronts(source: Lanes, target: Lanes) -> NDArray[np.int64] | None:
    """Return wavefronts of a copy past L1, shape (E, W); None where no law is known."""
    if _shares_targets(target):
        return None
    counts = _per_warp(source, target, _wavefronts)
    return None if (counts < 0).any() else counts


def served_together(source: Lanes, target: Lanes) -> tuple[tuple[int, ...], ...]:
    """Return the lanes of one warp that copy past L1, by the wavefronts that serve them.

    Where `bypass_wavefronts` gives a number it is that of these.
    """
    lanes = np.flatnonzero(source.active[0, 0])
    read, written = (_apart(end)[0, 0][lanes] // CHUNK for end in (source, target))
    by_kind: dict[_Kind, list[int]] = defaultdict(list)
    for lane, kind in zip(lanes.tolist(), _kinds(read, written), strict=True):
        by_kind[kind].append(lane)
    return tuple(map(tuple, by_kind.values()))


def line_pairs(source: Lanes, target: Lanes) -> int:
    """Return how many pairs of a line that is read and one that is written one warp copies between."""
    active = source.active[0, 0]
    read, written = (_apart(end)[0, 0][active] // (8 * CHUNK) for end in (source, target))
    return len(set(zip(read.tolist(), written.tolist(), strict=True)))


def sector_requests(source: Lanes, target: Lanes) -> dict[tuple[int, int], int]:
    """Return how often a warp that copies past L1 asks for each sector (its group and its number from the base)."""
    active = source.active[0, 0]
    lanes = np.flatnonzero(active)
    read, written = (_apart(end)[0, 0][lanes] // CHUNK for end in (source, target))
    groups = np.zeros(active.shape, np.int64) if source.groups is None else source.groups.reshape(-1)
    places = {
        apart // 2: (int(groups[lane]), int(source.offsets[0, 0, lane]) // (2 * CHUNK))
        for lane, apart in zip(lanes.tolist(), read.tolist(), strict=True)
    }
    requests: dict[tuple[int, int], int] = defaultdict(int)
    for sector, _, _ in _pieces(read, written):
        requests[places[sector]] += 1
    return dict(requests)


def _apart(lanes: Lanes) -> NDArray[np.int64]:
    """Return the offsets, with groups that lie at unknown distances in lines of their own."""
    if lanes.groups is None:
        return lanes.offsets
    return separate(lanes.offsets, np.broadcast_to(lanes.groups, lanes.offsets.shape), 8 * CHUNK)


def _per_warp(source: Lanes, target: Lanes, count: _Count) -> NDArray[np.int64]:
    rows, warps, _ = source.offsets.shape
    sources, targets = _apart(source), _apart(target)
    counts = np.zeros((rows, warps), dtype=np.int64)
    seen: dict[tuple[bytes, bytes], int] = {}
    for row in range(rows):
        for warp in range(warps):
            active = source.active[row, warp]
            read, written = sources[row, warp][active] // CHUNK, targets[row, warp][active] // CHUNK
            if read.size:
                # Whole lines that all lanes are further on change nothing.
                read, written = read - read.min() // 8 * 8, written - written.min() // 8 * 8
                key = (read.tobytes(), written.tobytes())
                if key not in seen:
                    seen[key] = count(read, written)
                counts[row, warp] = seen[key]
    return counts


def _pieces(read: NDArray[np.int64], written: NDArray[np.int64]) -> dict[tuple[int, int, int], int]:
    """Return what goes from a sector to a sector, with its halves in place or exchanged.

    Which halves, as bits 0 and 1.
    """
    pieces: dict[tuple[int, int, int], int] = defaultdict(int)
    for a, b in zip(read.tolist(), written.tolist(), strict=True):
        pieces[(a // 2, b // 2, (a ^ b) & 1)] |= 1 << (a & 1)
    return pieces


def _kinds(read: NDArray[np.int64], written: NDArray[np.int64]) -> list[_Kind]:
    """Return for each lane the line read, the line written, how its chunk changes place, and the halves."""
    halves = _pieces(read, written)
    return [
        (a // 8, b // 8, (a ^ b) & 3, halves[(a // 2, b // 2, (a ^ b) & 1)])
        for a, b in zip(read.tolist(), written.tolist(), strict=True)
    ]


def _wavefronts(read: NDArray[np.int64], written: NDArray[np.int64]) -> int:
    """Return wavefronts of one warp; -1 where a chunk goes to several places of a line."""
    once = len(set(zip(read.tolist(), (written // 8).tolist(), strict=True))) == len(read)
    return len(set(_kinds(read, written))) if once else -1


def _shares_targets(target: Lanes) -> bool:
    """Whether two lanes of a warp write to one address, which leaves open which of them wins."""
    ordered = np.where(target.active, target.offsets, LARGEST)
    ordered.sort(axis=2)
    return bool(((ordered[..., 1:] == ordered[..., :-1]) & (ordered[..., 1:] != LARGEST)).any())
