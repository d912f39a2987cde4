"""Accesses that waste little, since those beside them use the rest of the same sectors.

What that costs in time, beside arrays per field, was measured on an H200 (benchmarks/interleaved.cu): loads of all
fields take 0.95 to 1.1 times as long for structs of 2 to 15 floats, 1.1 for 18 floats or 9 doubles, 1.2 to 2 for 16
floats (8 doubles, which lie as far apart, 1.0 on an H100).
Stores to all of 2 or 3 fields of 4 or 8 bytes take 0.9 to 1.0 times as long and updates 0.5 to 0.95, stores to 6 floats
twice; in a loop that is not unrolled stores to 2 or 3 floats take 1.25 times as long, to 4 floats 2.7. On an H100,
kernels that do nothing else store rows of 4 and 5 floats in 1 to 1.5 times the time, of 6 in 1.5 to 2.2, of 7 in 1.9 to
3, of 8 in 2.2 to 5: the requests to the L2 cache are what they wait for, though the memory is written once.
Loads of all of 2, 3 or 4 vectors of 16 bytes that lie side by side take as long as from an array for each, of 5 1.1
and of 8 1.3 times as long, and so do those of four neighbours in an image of them (benchmarks/interleaved_vectors.cu).
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod

from coalint.core.arrays import distinct
from coalint.core.facts.access import UNKNOWN_TRIPS, Access, LoopStride, Operation
from coalint.core.ir.registers import Axis, Register
from coalint.core.ir.spelling import Spelling
from coalint.core.lazy import np
from coalint.machine.global_memory.sectors import separate
from coalint.rule import Context
from coalint.rules.support import copies, wording

_SECTOR = 32
_WARPS = 8  # that are looked at
FARTHEST = 72
"""Bytes between neighbouring lanes up to which the L1 cache still holds the lines of a warp's loads."""
CROWDED = 64
"""Bytes between lanes with which their lines meet in few sets of the cache, where 16 loads of 4 bytes use them."""
MOST_STORES = 3
"""Stores that together write all bytes from lane to lane: so many the L2 cache joins at no cost."""
_NEAR = 32  # bytes
_WIDE = 8  # bytes of a load of which half as many use a line
_TABLE = 256  # bytes: two lines
_ROUNDS = 16  # iterations of loops in each other
_NAME = re.compile(r"[A-Za-z_][\w.]*")
_FIELD = re.compile(r"[\w\])](?:\.|->)(\w+)\b(?!\()")
_LIMIT = re.compile(r"([\w\s.+*()-]+?)(<=?|>=?)\s*([A-Za-z_][\w.]*|\d+)")


def absorbed(context: Context, access: Access, moved: int = 0) -> int:
    """Return how many of the bytes from lane to lane the loads beside this one use, where that is nearly all; else 0.

    Nearly all are three fifths: x, y and z of a point with two features, the real and the imaginary part of a number.
    They must be loads of one array that are executed whenever this one is, in the same loops, at most a sector apart;
    loops in which its address stays do not count, and the iterations of short ones are such loads: of an innermost one
    of unknown length 8, as elsewhere.
    The first of them fetches the sectors, the others find them in the L1 cache: memory delivers hardly more than is
    used. Of stores, which the L1 cache hands on one by one, all bytes must be stored, and iterations count where the
    compiler may unroll them. `moved` are the bytes of the instruction where the compiler merges the access with others:
    of these, only loads count.
    """
    apart, is_load = access.strides[wording.moving_axis(access)], access.op is Operation.LOAD
    most = FARTHEST if is_load else MOST_STORES * access.bytes if access.op is Operation.STORE and not moved else 0
    width = max(access.bytes, moved)
    if apart is None or not width < abs(apart) <= most or _is_crowded(width, apart):
        return 0
    used = used_beside(context, access)
    return used if 5 * used >= (3 if is_load else 5) * abs(apart) else 0


def used_beside(context: Context, access: Access) -> int:
    """Return how many of the bytes from lane to lane an access and those beside it move, as `absorbed` means them."""
    apart = access.strides[wording.moving_axis(access)] or 1
    used: set[int] = set()
    for other in context.analysis.accesses:
        if other is access or (other.strides == access.strides and _is_beside(other, access)):
            first = (other.address.offset_bytes or 0) - (access.address.offset_bytes or 0)
            for start in (first + step for step in _steps(other)):
                used.update(byte % abs(apart) for byte in range(start, start + other.bytes))
    return len(used)


def is_loaded_before(context: Context, access: Access) -> bool:
    """Whether the same bytes are loaded before a loop, in which this access loads them again from where they were."""
    return any(
        len(other.loops) < len(access.loops)
        and other.bytes >= access.bytes
        and other.address.offset_bytes == access.address.offset_bytes
        and other.strides == access.strides
        and _is_beside(other, access)
        for other in context.analysis.accesses
    )


LOADED_BEFORE = "the same bytes are loaded before the loop, so that a register or the L1 cache holds them"


def absorbed_pieces(access: Access) -> int:
    """Return how many of the bytes from lane to lane the pieces of a value use, where they are loads of nearly all."""
    apart = abs(access.strides[wording.moving_axis(access)] or 0)
    used = access.bytes * access.piece[1]
    is_near = used < apart <= FARTHEST and not _is_crowded(access.bytes, apart)
    return used if access.op is Operation.LOAD and is_near and 5 * used >= 3 * apart else 0


def _is_crowded(width: int, apart: int) -> bool:
    return abs(apart) == CROWDED and width < _WIDE


def shares_sectors(context: Context, access: Access) -> bool:
    """Whether the loads beside one whose lanes advance in no even step use two thirds of the sectors that it touches.

    They are those that `absorbed` means, each at one distance from it in all lanes; so are its own iterations.
    """
    lanes = access.result.lanes
    if access.op is not Operation.LOAD or lanes is None:
        return False
    beside = {0: access.bytes}
    for other in context.analysis.accesses:
        there = other.result.lanes
        if there is None or (other is not access and not _is_beside(other, access)):
            continue
        if there.offsets.shape == lanes.offsets.shape:
            apart = distinct((there.offsets - lanes.offsets)[lanes.active & there.active])
        elif None not in access.strides and other.strides == access.strides:  # as far apart for every thread
            apart = np.array([(other.address.offset_bytes or 0) - (access.address.offset_bytes or 0)])
        else:
            continue
        for first in (int(apart[0]) + step for step in _steps(other) if len(apart) == 1):
            if abs(first) <= _NEAR:
                beside[first] = max(other.bytes, beside.get(first, 0))
    if len(beside) == 1:
        return False
    places = lanes.offsets
    if lanes.groups is not None:
        places = separate(places, np.broadcast_to(lanes.groups, places.shape), _SECTOR)
    starts, active = (places.reshape(-1, places.shape[-1]), lanes.active.reshape(-1, places.shape[-1]))
    for offsets in (warp[on] for warp, on in zip(starts[:_WARPS], active[:_WARPS], strict=True) if on.any()):
        sectors = distinct((offsets[:, None] + np.arange(access.bytes)) // _SECTOR)
        used = np.concatenate([(offsets[:, None] + first + np.arange(size)).ravel() for first, size in beside.items()])
        used = distinct(used[np.isin(used // _SECTOR, sectors)])
        if 3 * len(used) < 2 * _SECTOR * len(sectors):
            return False
    return True


def is_table(access: Access) -> bool:
    """Whether all blocks load the same few bytes, each thread a few times: a table that stays in the L1 cache."""
    lanes, address = access.result.lanes, access.address
    if access.op is not Operation.LOAD or lanes is None or lanes.groups is not None or access.result.symbolic:
        return False
    if access.specialization.grid == (1, 1, 1) or address.common or address.offset_bytes is None:
        return False
    if any(loop.trips is None or loop.trips > UNKNOWN_TRIPS for loop in access.loops):
        return False
    if not {loop.variable for loop in access.loops}.issuperset(access.open.names):
        return False
    offsets = lanes.offsets[lanes.active]
    return bool(offsets.size) and int(np.ptp(offsets)) < _TABLE


def is_of_each_block(access: Access, spelling: Spelling) -> bool:
    """Whether at most a quarter of a block makes an access once, beside the same of the next block: one row for each.

    Such are the counts of each digit that blocks make of their part and that a scan over the blocks adds up.
    """
    lanes, block = access.result.lanes, spelling.component_of(Register.BLOCK_INDEX, Axis.X)
    if lanes is None or access.loops or access.address.common != f"{access.bytes}*{block}":
        return False
    threads = int(lanes.active.sum(axis=(1, 2)).max())
    return 4 * threads <= prod(access.specialization.block)


OF_EACH_BLOCK = "a few threads of each block do this once, and the next block uses what lies beside it in these sectors"

TABLE = "all blocks load the same few bytes, which the caches hold"

SHARED_SECTORS = "the loads beside it use most of the rest of these sectors, which the L1 cache still holds"


def reason(access: Access, used: int) -> str:
    """Return that the caches absorb the excess of an access whose neighbours use this many bytes."""
    apart = abs(access.strides[wording.moving_axis(access)] or 0)
    which = f"all {apart} bytes" if used == apart else f"{used} of these {apart} bytes"
    if access.op is Operation.STORE:
        return (
            f"the stores beside it write {which}, which the L2 cache joins: more requests than needed, but no more "
            "traffic to memory"
        )
    return (
        f"the loads beside it use {which}, which the L1 cache still holds: more requests than needed, but hardly "
        "more traffic to memory"
    )


def walks_briefly(access: Access, loop: LoopStride) -> bool:
    """Whether the iterations of a loop follow each other so soon that the cache holds what the last ones loaded."""
    inside = access.loops[access.loops.index(loop) + 1 :]
    if not inside:
        return True
    rounds = prod(FARTHEST if one.trips is None else one.trips for one in (loop, *inside))
    return access.op is Operation.LOAD and rounds <= _ROUNDS


def _steps(access: Access) -> list[int]:
    """Return how far the iterations of short loops around an access move it, in bytes."""
    steps = [0]
    for loop in access.loops:
        if loop.bytes and walks_briefly(access, loop):
            steps = [start + step for start in steps for step in _iterations(access, loop)]
    return steps


def _iterations(access: Access, loop: LoopStride) -> range:
    trips, step = loop.trips, loop.bytes or 0
    if trips is None and access.op is Operation.LOAD:
        trips = UNKNOWN_TRIPS
    if not trips or trips > FARTHEST or (access.op is Operation.STORE and loop.unroll == 1):
        return range(1)
    return range(0, step * trips, step)


def _moving(access: Access, other: Access) -> int:
    """Return how many of the loops around a load count beside another one's: not those in which it stays, beyond them.

    Its later iterations find in the cache what the first one and the loads before the loop have fetched.
    """
    count = len(access.loops)
    while access.op is Operation.LOAD and count > len(other.loops) and access.loops[count - 1].bytes == 0:
        count -= 1
    return count


def _is_beside(other: Access, access: Access) -> bool:
    """Whether an access of the same array is executed with `access`, as it, at a known distance from it.

    What is only made where what `access` loads is right counts, too: in `a.x > 0 && a.y > 0` it is the second. So does
    what is made within the same limits, as at `x + 1 < width` beside `x < width`.
    """
    here, there = access.address, other.address
    if other.op is not access.op or other.memory != access.memory:
        return False
    if here.offset_bytes is None or there.offset_bytes is None:
        return False
    if here.common != there.common or there.common_is_cut:
        return False
    if [loop.span for loop in other.loops] != [loop.span for loop in access.loops[: _moving(access, other)]]:
        return False
    further = set(other.guard).difference(access.guard)
    if not further:
        return True
    limits = {limit for condition in access.guard for limit in _limits(condition)}
    return all(_is_of(access, condition) or limits.issuperset(_limits(condition)) for condition in further)


def _is_of(access: Access, condition: str) -> bool:
    """Whether a condition asks for what an access loads: by its text, or by the field of the copy that it loads."""
    if access.expression in condition:
        return True
    return copies.is_partial(access) and access.field is not None and access.field.field in _FIELD.findall(condition)


@lru_cache(maxsize=1024)
def _limits(condition: str) -> tuple[tuple[str, ...], ...]:
    """Return what a condition compares with what, as in `x + 1 < width && y >= 0`; else the condition itself."""
    limits = [_LIMIT.fullmatch(part.strip().strip("()")) for part in condition.split("&&")]
    return tuple((*sorted(_NAME.findall(limit[1])), limit[2], limit[3]) if limit else (condition,) for limit in limits)
