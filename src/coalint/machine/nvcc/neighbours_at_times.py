"""Accesses that nvcc merges in single iterations: `s[i]` and `s[i + d]` of a reduction where `d` is 1.

Seen in the machine code of nvcc 13.2 for sm_90: of a loop whose number of iterations is a constant each copy has a `d`
of its own, and the one with neighbours an `LDS.64`. There is none where the launch tells how many iterations there are
(`d < blockDim.x`), nor where a condition makes neighbours of them (`t % (2 * d) == 0` of `s[t]`).
"""

from __future__ import annotations

from coalint.core.facts.access import Access, LoopStride, Operation, Space
from coalint.core.facts.lanes import Service
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.lazy import np
from coalint.machine.nvcc.merging import Kernel
from coalint.machine.nvcc.struct_loads import WIDEST

MOST_TRIPS = 32
"""Iterations of a loop that is copied as a whole."""


def neighbours_at_times(kernel: Kernel, number: int) -> Supposition | None:
    """Return what an access rests on that nvcc merges in some iterations and not in others; None where it does not."""
    access = kernel.accesses[number]
    lanes = access.result.lanes
    is_plain = access.op is not Operation.ATOMIC and not access.is_volatile and access.served.service is Service.PLAIN
    if access.space is not Space.SHARED or not is_plain or lanes is None or 2 * access.bytes > WIDEST:
        return None
    copied = next(filter(_is_copied, access.loops), None)
    if copied is None or lanes.alignment % (2 * access.bytes):
        return None
    for position, other in enumerate(kernel.accesses):
        is_alike = position != number and _likeness(other) == _likeness(access)
        if is_alike and _meet_at_times(access, other, copied) and not _is_parted(kernel, number, position):
            beside = f"`{other.expression}` in the iterations in which they are neighbours"
            return Supposition(f"the compiler does not merge it with {beside}", Supposed.UNROLLING)
    return None


def _likeness(access: Access) -> tuple[object, ...]:
    """Return what two accesses must share to be one instruction in an iteration: what they do, where, and when."""
    loops = tuple(loop.span for loop in access.loops)
    return access.space, access.op, access.bytes, access.memory, access.guard, loops, access.is_volatile


def _is_copied(loop: LoopStride) -> bool:
    """Whether nvcc may write out all iterations of a loop that moves by another distance in each."""
    is_short = loop.bytes is None and loop.trips is not None and 1 < loop.trips <= MOST_TRIPS
    return is_short and not loop.by_launch and loop.unroll != 1 and not loop.inner_depth


def _is_parted(kernel: Kernel, one: int, other: int) -> bool:
    """Whether something that orders memory stands between.

    Of two stores, as `s[a] = s[b]; s[b] += t`, no load of the same array does: nvcc has what it would load.
    """
    if kernel.accesses[one].op is not Operation.STORE:
        return kernel.order.is_parted(one, other)
    first, last = sorted((one, other))
    memory = kernel.accesses[one].memory
    between = (kernel.accesses[number] for number in range(first + 1, last))
    return kernel.order.has_barrier(first, last) or any(
        each.space is not Space.GLOBAL and (each.memory != memory or each.op is Operation.ATOMIC) for each in between
    )


def _meet_at_times(access: Access, other: Access, copied: LoopStride) -> bool:
    """Whether the two are halves of aligned vectors in some of the loop's iterations, and not in all of them.

    All lanes count, also those that take no part: nvcc knows of an alignment what the address shows.
    """
    lanes, others = access.result.lanes, other.result.lanes
    if lanes is None or others is None or lanes.offsets.shape != others.offsets.shape:
        return False
    if not np.array_equal(lanes.active, others.active):
        return False
    steps = others.offsets - lanes.offsets
    lower = np.minimum(lanes.offsets, others.offsets)
    halves = (np.abs(steps) == access.bytes) & (lower % (2 * access.bytes) == 0)
    merged = np.asarray(halves.all(axis=(1, 2)))
    if not merged.any() or merged.all():
        return False
    around = [np.asarray(numbers).reshape(-1) for name, numbers in lanes.counters if name != copied.variable]
    if any(numbers.size != merged.size for numbers in around):
        return True
    seen: dict[tuple[int, ...], bool] = {}  # by the iterations of the loops around
    rows = (tuple(int(numbers[row]) for numbers in around) for row in range(merged.size))
    return any(seen.setdefault(row, bool(one)) != one for row, one in zip(rows, merged, strict=True))
