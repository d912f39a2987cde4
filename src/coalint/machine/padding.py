"""The row pitch of a shared tile at which all its accesses together take the fewest wavefronts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.arrays import LARGEST
from coalint.core.facts.access import Access
from coalint.core.facts.lanes import Lanes, Service
from coalint.core.lazy import np
from coalint.core.records import record
from coalint.machine.row_patterns import alike
from coalint.machine.traffic import Traffic, traffic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.machine.architecture import Architecture

MOST_PADDING = 32
"""Elements of padding that are tried: one more turn of the banks brings nothing new for 4-byte elements."""


@record(frozen=True, slots=True)
class Padding:
    """A row pitch for one tile, in bytes and in elements, and what it does to each access of the tile.

    `before` and `after` stand in the order of the accesses, None for one whose lanes are not known. `total_before`
    and `total_after` are wavefronts over all executions that the analysis enumerated.
    """

    pitch_bytes: int
    extent: int
    before: tuple[Traffic | None, ...]
    after: tuple[Traffic | None, ...]
    total_before: float
    total_after: float

    @property
    def helps(self) -> bool:
        """Whether the pitch beats the one that the tile has."""
        return self.total_after < self.total_before

    @property
    def cures(self) -> bool:
        """Whether no known access of the tile conflicts any more."""
        return all(cost is None or cost.excess == 0 for cost in self.after)


@record(frozen=True, slots=True)
class _Pattern:
    """An access taken apart into rows and byte columns; equal warps are kept once, with how often they execute."""

    rows: Lanes
    columns: Lanes

    def lanes(self, pitch: int) -> Lanes:
        return replace(self.rows, offsets=self.rows.offsets * pitch + self.columns.offsets)

    @property
    def requests(self) -> int:
        return int(self.rows.weights.sum())


def best_padding(
    accesses: Sequence[Access], pitch_bytes: int, element_bytes: int, arch: Architecture
) -> Padding | None:
    """Return the smallest pitch of those with the fewest wavefronts, from the tile's own up to 32 elements more.

    It is at most twice the tile's own: a larger array costs more, by the blocks that fit, than the conflicts do.
    No access takes more wavefronts than with the tile's own pitch.
    `accesses` are all those of one tile whose rows are `pitch_bytes` apart. A pitch keeps the alignment of the widest
    access: with a `float4` access, rows stay multiples of 16 bytes. None when no access's lanes are known.
    """
    patterns = [_pattern(access, pitch_bytes) for access in accesses]
    known = [p for p in patterns if p is not None]
    if not known:
        return None
    # A tile that is declared with rows its vector accesses cannot be aligned in is not made worse by this.
    alignment = max(access.bytes for access in accesses)
    most = min(MOST_PADDING, max(1, pitch_bytes // element_bytes))
    candidates = [pitch_bytes + extra * element_bytes for extra in range(most + 1)]
    candidates = [p for p in candidates if p == pitch_bytes or p % alignment == 0]
    narrow = all(access.bytes <= arch.bank_bytes for access in accesses)  # wide loads may take less than the ideal
    costs: dict[int, tuple[Traffic | None, ...]] = {}
    for pitch in candidates:
        costs[pitch] = _costs(accesses, patterns, pitch, arch)
        if narrow and not any(cost.excess for cost in costs[pitch] if cost is not None):
            break
    present = costs[pitch_bytes]
    totals = {pitch: _total(patterns, cost) for pitch, cost in costs.items() if not _is_worse(cost, present)}
    best = min(totals, key=lambda pitch: (totals[pitch], pitch))
    return Padding(best, best // element_bytes, costs[pitch_bytes], costs[best], totals[pitch_bytes], totals[best])


def _is_worse(costs: Sequence[Traffic | None], than: Sequence[Traffic | None]) -> bool:
    """Whether some access takes more wavefronts."""
    pairs = zip(costs, than, strict=True)
    return any(new is not None and old is not None and new.count > old.count + 1e-9 for new, old in pairs)


def _pattern(access: Access, pitch: int) -> _Pattern | None:
    lanes = access.result.lanes
    if lanes is None or lanes.groups is not None or not lanes.active.any() or access.served.service is Service.BYPASS:
        return None
    active = lanes.active.reshape(-1, lanes.active.shape[2])
    offsets = lanes.offsets.reshape(active.shape)
    weights = np.repeat(lanes.weights, lanes.active.shape[1])
    executed = active.any(axis=1)
    active, offsets, weights = active[executed], offsets[executed], weights[executed]
    # A base inside the tile leaves negative offsets; the lowest lane then stands for the first column.
    offsets = np.where(active, offsets - min(0, int(offsets[active].min())), 0)
    rows, columns = offsets // pitch, offsets % pitch
    if access.bytes % 4 == 0 and pitch % 4 == 0:
        rows, columns = _along_diagonals(rows, columns, active, pitch, access.bytes)
        # A whole row, or a whole column of words, that all lanes of a warp share rotates the banks and no more.
        rows = np.where(active, rows - np.where(active, rows, LARGEST).min(axis=1, keepdims=True), 0)
        first = np.where(active, columns, LARGEST).min(axis=1, keepdims=True) // 4 * 4
        columns = np.where(active, columns - first, 0)
    patterns = np.hstack([rows, columns, active.astype(np.int64)])
    first, kinds = alike(patterns)
    keys = patterns[first]
    count = active.shape[1]
    requests = np.bincount(kinds, weights=weights).astype(np.int64)
    kept = keys[:, None, 2 * count :].astype(np.bool_)
    return _Pattern(
        Lanes(keys[:, None, :count], kept, requests, lanes.alignment),
        Lanes(keys[:, None, count : 2 * count], kept, requests, lanes.alignment),
    )


def _along_diagonals(
    rows: NDArray[np.int64], columns: NDArray[np.int64], active: NDArray[np.bool_], pitch: int, size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows and columns of warps with those that walk a diagonal of the tile along it, relative to their start.

    Lanes that are nearly a row apart are in neighbouring rows, each a little to the left of the last. Where a diagonal
    begins in its row need not be known: offsets that count from its first lane then seem to lie in other rows, and to
    go on to the next at no even steps.
    """
    first, last = active.argmax(axis=1), active.shape[1] - 1 - active[:, ::-1].argmax(axis=1)
    steps = np.arange(active.shape[1]) - first[:, None]
    offsets = rows * pitch + columns
    every, count = np.arange(len(active)), np.maximum(last - first, 1)
    apart = (offsets[every, last] - offsets[every, first]) // count
    is_even = _are_even(offsets, apart, steps, first, active)
    is_even &= ~_are_even(rows, (rows[every, last] - rows[every, first]) // count, steps, first, active)
    down = (2 * apart + pitch) // (2 * pitch)
    along = apart - down * pitch
    is_even &= (last > first) & (down != 0) & (abs(along) * (last - first) + size <= pitch)
    is_diagonal = is_even[:, None] & active
    return np.where(is_diagonal, down[:, None] * steps, rows), np.where(is_diagonal, along[:, None] * steps, columns)


def _are_even(
    values: NDArray[np.int64],
    apart: NDArray[np.int64],
    steps: NDArray[np.int64],
    first: NDArray[np.int64],
    active: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return of each warp whether the values of its active lanes are so far apart, from the first one on."""
    start = values[np.arange(len(values)), first]
    return np.asarray(((values == start[:, None] + apart[:, None] * steps) | ~active).all(axis=1))


def _costs(
    accesses: Sequence[Access], patterns: Sequence[_Pattern | None], pitch: int, arch: Architecture
) -> tuple[Traffic | None, ...]:
    return tuple(
        None if pattern is None else traffic(_as_store(access).with_lanes(pattern.lanes(pitch)), arch)
        for access, pattern in zip(accesses, patterns, strict=True)
    )


def _as_store(access: Access) -> Access:
    """Return a copy through L1 as its store: what its source adds to the cost, no padding changes."""
    if access.served.service is not Service.COPY:
        return access
    return replace(access, served=replace(access.served, service=Service.PLAIN, partner=None))


def _total(patterns: Sequence[_Pattern | None], costs: Sequence[Traffic | None]) -> float:
    pairs = zip(patterns, costs, strict=True)
    return sum(p.requests * cost.count for p, cost in pairs if p is not None and cost is not None)
