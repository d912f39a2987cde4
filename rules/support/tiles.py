"""Shared tiles as rules see them: which accesses belong to one, and how its rows lie."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import gcd

from coalint.core.arrays import distinct
from coalint.core.facts.access import Access, LoopStride, Memory, Space
from coalint.core.lazy import np
from coalint.core.records import record
from coalint.machine.architecture import Architecture
from coalint.rule import Context
from coalint.rules.support import wording

FEW_LANES = 4
"""Active lanes of a warp in the mean that take hardly more wavefronts apart than together."""
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@record(frozen=True, slots=True)
class Tile:
    """A shared array seen as rows of `pitch_bytes`. `declared` is false where the rows are the index's doing alone.

    `mixed` says that other tiles, or accesses that are not known, share the array: what is true of these rows need
    not be true of all of it.
    """

    memory: Memory
    pitch_bytes: int
    element_bytes: int
    declared: bool
    accesses: tuple[Access, ...]
    mixed: bool = False

    @property
    def extent(self) -> int:
        """Elements from one row to the next."""
        return self.pitch_bytes // self.element_bytes

    def is_padded(self, arch: Architecture) -> bool:
        """Whether the rows end in columns that no access uses, so that they do not begin in one bank.

        Only if every access is known: a column that an unknown one may use is no padding.
        """
        if self.pitch_bytes % (arch.banks * arch.bank_bytes) == 0:
            return False
        last = 0
        for access in self.accesses:
            if access.result.lanes is None or access.result.lanes.groups is not None:
                return False
            touched = access.result.lanes.offsets[access.result.lanes.active]
            if touched.size:
                last = max(last, int((touched % self.pitch_bytes).max()) + self._walked(access) + access.bytes)
        return last <= self.pitch_bytes - self.element_bytes

    def begins_apart(self, arch: Architecture) -> bool:
        """Whether rows begin in all 32 banks in turn, as those of an odd number of words do."""
        return self.pitch_bytes % (2 * arch.bank_bytes) == arch.bank_bytes

    def _walked(self, access: Access) -> int:
        """Return how many bytes along a row the loops around an access move it, of which one iteration is looked at.

        Of the loops whose iterations are all among the lanes' rows, the lanes tell. One that chooses among buffers
        moves by whole rows.
        """
        walked = 0
        for loop in access.loops:
            if _is_enumerated(access, loop) or (loop.multiple and loop.multiple % self.pitch_bytes == 0):
                continue
            if loop.bytes is None or loop.bytes % self.pitch_bytes:
                step = self.pitch_bytes if loop.bytes is None or loop.trips is None else abs(loop.bytes)
                walked += step * max(1, (loop.trips or 2) - 1)
        return walked


def _is_enumerated(access: Access, loop: LoopStride) -> bool:
    """Whether the lanes of an access are known for each iteration of a loop around it."""
    if access.result.lanes is None or sum(other.variable == loop.variable for other in access.loops) != 1:
        return False
    values = [values for name, values in access.result.lanes.counters if name == loop.variable]
    return len(values) == 1 and distinct(values[0]).size == loop.trips


def tile_of(context: Context, access: Access) -> Tile | None:
    """Return the tile that an access with a conflict belongs to; None where its array does not fall into rows."""
    memory = access.memory
    if memory is None or access.space is not Space.SHARED or memory.element_bytes <= 0:
        return None
    declared, element = memory.row_pitch, memory.element_bytes
    same = tuple(a for a in context.analysis.accesses if a.space is Space.SHARED and same_array(a.memory, memory))
    if declared is None:  # bytes that are used as wider elements alone
        element = max(element, min(a.bytes for a in same))
    pitch = declared if declared is not None else _indexed_pitch(context, access, element)
    if not pitch or pitch % element:
        return None
    if declared is None and not all(_fits_rows(a, pitch) for a in same):
        return None
    mixed = declared is None and not _is_one_tile(same, pitch)
    return Tile(memory, pitch, element, declared is not None, same, mixed)


def active_lanes(access: Access) -> float:
    """Return how many lanes of a warp make an access, in the mean over its requests; 32 where they are not known."""
    lanes = access.result.lanes
    if lanes is None:
        return 32.0
    active = lanes.active[lanes.active.any(axis=2)]
    return float(active.sum(axis=1).mean()) if active.size else 32.0


def same_array(one: Memory | None, other: Memory | None) -> bool:
    """Whether two memories are one array."""
    return one is not None and other is not None and (one.name, one.span) == (other.name, other.span)


def _indexed_pitch(context: Context, access: Access, element: int) -> int | None:
    """Return the pitch that an index into a flat array implies, in bytes; None where it implies none.

    Neighbouring lanes step over it, while threadIdx.y or a loop walks inside it, here or in another access whose lanes
    are as far apart, or another access moves by it.
    """
    step = lane_step(access)
    if step is None or abs(step) < 2 * element:
        return None
    pitch = abs(step)
    for loop in access.loops:  # each lane walks several rows, which are shorter
        row = abs(loop.bytes or 0)
        if 2 * element <= row < pitch and row * (loop.trips or 0) == pitch:
            return row
    if _walks_row(access, element):
        return pitch
    others = [a for a in context.analysis.accesses if a is not access and same_array(a.memory, access.memory)]
    return pitch if any(_moves_by_rows(a, pitch) or _is_along(a, pitch, element) for a in others) else None


def _walks_row(access: Access, element: int) -> bool:
    """Whether threadIdx.y or a loop moves an access by one element."""
    if access.strides[0] is None:
        return False
    in_y = access.strides[1]
    if access.specialization.block[1] > 1 and in_y is not None and abs(in_y) == element:
        return True
    return any(loop.bytes is not None and abs(loop.bytes) == element for loop in access.loops)


def _is_along(access: Access, pitch: int, element: int) -> bool:
    return abs(lane_step(access) or 0) == pitch and _walks_row(access, element)


def lane_step(access: Access) -> int | None:
    """Return how far neighbouring lanes are apart, in bytes: the stride of their axis or the commonest distance."""
    stride = access.strides[wording.lane_axis(access)]
    if stride is not None:
        return stride
    lanes = access.result.lanes
    if lanes is None or lanes.groups is not None:
        return None
    both = lanes.active[..., 1:] & lanes.active[..., :-1]
    steps, counts = np.unique(np.diff(lanes.offsets, axis=2)[both], return_counts=True)
    return int(steps[counts.argmax()]) if counts.size and 2 * counts.max() > counts.sum() else None


def _is_one_tile(accesses: tuple[Access, ...], pitch: int) -> bool:
    """Whether all of a flat array is one tile of this pitch, as far as the pointers into it tell.

    An array that is dynamic, or walked through another pointer than its own name, may be several tiles one after
    the other; it is one if each pointer moves by these rows and no others.
    """
    names = [_pointer(access) for access in accesses]
    if not any(
        a.memory is not None and (a.memory.dynamic or a.memory.name != n) for a, n in zip(accesses, names, strict=True)
    ):
        return True
    rows: dict[str, int] = {}
    for access, name in zip(accesses, names, strict=True):
        if access.result.lanes is None:
            return False
        for move in _moves(access):
            if abs(move) >= pitch:
                rows[name] = gcd(rows.get(name, 0), move)
    return all(row == pitch for row in rows.values())


def _pointer(access: Access) -> str:
    """Return the first name in the access's expression, which is that of the pointer or array it goes through."""
    match = _IDENTIFIER.search(access.expression)
    return match.group() if match is not None else ""


def _moves(access: Access) -> Iterator[int]:
    """Yield the distances in bytes by which lanes, thread axes and loops move the access, where they are known."""
    yield lane_step(access) or 0
    threads = access.specialization.block[1:]
    yield from (step for step, count in zip(access.strides[1:], threads, strict=True) if step is not None and count > 1)
    yield from (loop.bytes for loop in access.loops if loop.bytes is not None)


def _moves_by_rows(access: Access, pitch: int) -> bool:
    """Whether a thread axis or a loop moves the access from row to row while its neighbouring lanes stay in one."""
    step = lane_step(access)
    if step is None or abs(step) >= pitch:
        return False
    block = access.specialization.block
    moves = [stride for stride, count in zip(access.strides, block, strict=True) if stride is not None and count > 1]
    # A loop that goes on where the block's threads end fills the array from end to end, and knows of no rows.
    end = abs(step) * block[0] * block[1] * block[2]
    moves += [loop.bytes for loop in access.loops if loop.bytes is not None and abs(loop.bytes) != end]
    return any(move != 0 and move % pitch == 0 for move in moves)


def _fits_rows(access: Access, pitch: int) -> bool:
    """Whether an access to a flat array moves by whole rows or stays inside one, along every thread axis."""
    if access.strides[0] is None:
        return _lanes_fit_rows(access, pitch)
    for stride, threads in zip(access.strides, access.specialization.block, strict=True):
        if threads == 1:
            continue
        if stride is None or (stride % pitch and abs(stride) * (threads - 1) >= pitch):
            return False
    return True


def _lanes_fit_rows(access: Access, pitch: int) -> bool:
    step, lanes = lane_step(access), access.result.lanes
    if step is not None and step != 0 and step % pitch == 0:
        return True
    if lanes is None or lanes.groups is not None:
        return False
    rows = lanes.offsets // pitch
    return bool((~lanes.active | (rows == rows.max(axis=2, where=lanes.active, initial=-1, keepdims=True))).all())
