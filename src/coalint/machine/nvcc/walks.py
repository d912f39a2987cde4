"""Accesses that a loop moves along an array by one element an iteration, and the vectors that copies of its body make.

What nvcc makes of such loops stands in `merging.py`.
"""

from __future__ import annotations

from coalint.core.arrays import distinct
from coalint.core.facts.access import Access, LoopStride, Operation, Space
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.lazy import np
from coalint.machine.nvcc.struct_loads import REGISTER


def smallest(access: Access) -> int:
    """Return the bytes from which on iterations are merged."""
    return REGISTER // 2 if access.space is Space.SHARED else REGISTER


def read_over(loop: LoopStride, access: Access, width: int) -> int:
    """Return how many bytes more than a loop walks nvcc loads with them: of three neighbours it loads four."""
    reads_over = access.op is Operation.LOAD and access.space is Space.SHARED
    return access.bytes if reads_over and loop.trips == 3 and width == 4 * access.bytes else 0


def has_whole(loop: LoopStride, access: Access, ahead: int, width: int) -> bool:
    """Whether a walk that begins `ahead` bytes after a vector moves one whole, or loads all of it but one neighbour.

    So may a loop that goes up and is copied to its end: else no copy begins a vector where the first does not.
    """
    trips = loop.trips or 0
    is_copied_whole = not loop.unroll or loop.unroll >= trips
    if access.space is not Space.SHARED or loop.is_given or not is_copied_whole or (loop.bytes or 0) <= 0:
        return False
    end = ahead + trips * access.bytes
    whole = end // width * width - (width if ahead else 0)
    parts = (min(width - ahead, trips * access.bytes), end % width) if access.op is Operation.LOAD else ()
    return whole >= width or any(part == width - access.bytes and width == 4 * access.bytes for part in parts)


def unrolling(loop: LoopStride, access: Access, width: int, ahead: int = 0) -> str:
    """Return the supposition that a vector made by unrolling rests on; empty where the source asks for it.

    `ahead` is how many bytes after a vector the first iteration is.
    """
    trips, copies = loop.trips or 0, loop.unroll or 1
    is_even = trips * access.bytes % width == 0 and (copies >= trips or trips % copies == 0)
    inner = access.loops[access.loops.index(loop) + 1 :]
    is_asked = loop.unroll is not None and not any(one.unroll is None for one in inner[:-1])
    if is_asked and trips and is_even and not loop.conditions and not ahead:
        return ""
    return Supposition(f"the compiler unrolls the loop over `{loop.variable}`", Supposed.UNROLLING)


def covers(walking: Access, loop: LoopStride, access: Access, size: int, width: int) -> bool:
    """Whether the vectors of a walk, `width` bytes each, hold `size` bytes from where another access begins.

    Both are made by the same lanes.
    """
    first, second = walking.result.lanes, access.result.lanes
    if first is None or second is None or first.offsets.shape != second.offsets.shape:
        return False
    if not np.array_equal(first.active, second.active):
        return False
    begins = first.offsets // width * width
    inside = distinct((first.offsets - begins)[first.active])
    ahead = distinct((second.offsets - begins)[second.active])
    if len(inside) != 1 or len(ahead) != 1:
        return False
    end = int(inside[0]) + (loop.trips or 0) * walking.bytes
    return int(ahead[0]) >= 0 and int(ahead[0]) + size <= -(-end // width) * width
