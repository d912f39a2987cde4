"""Loads of shared memory in a loop that nvcc may keep in registers from a loop before, both copied to the end.

Seen in machine code of nvcc 13.2 for sm_90: of two loops of 32 iterations over `s[32 * t + y]`, the largest of these
and `s[32 * t + y] = __expf(s[32 * t + y] - largest)`, the second loads nothing, and stores `STS.128`. Without the first
it loads and stores 32 bits at a time where the array is static.
"""

from __future__ import annotations

from coalint.core.facts.access import Access, LoopStride, Operation, Space
from coalint.core.lazy import np
from coalint.machine.nvcc.merging import MOST_NEIGHBOURS, Kernel
from coalint.machine.nvcc.struct_loads import WIDEST
from coalint.machine.nvcc.walks import covers

MOST_KEPT = 63
"""Iterations of loops whose loads may be kept: of 32 they are, of 64 not, since such a loop is copied in part."""


def kept_from(kernel: Kernel, number: int) -> LoopStride | None:
    """Return the loop before that has loaded all that an access loads in its own; None where there is none."""
    access = kernel.accesses[number]
    loop = _copied(access)
    if loop is None or access.op is not Operation.LOAD or access.is_volatile:
        return None
    walks = kernel.walks.get((access.op, access.bytes, access.memory), ())
    for other, walked in walks if len(walks) <= MOST_NEIGHBOURS else ():
        before = kernel.accesses[other]
        is_before = other < number and _copied(before) is walked and _are_around(before, walked, access, loop)
        size = (loop.trips or 0) * access.bytes
        if is_before and covers(before, walked, access, size, WIDEST) and not kernel.order.is_parted(other, number):
            return walked
    return None


def kept_in(kernel: Kernel, number: int) -> LoopStride | None:
    """Return the loop before that has loaded what the loads around an access load, so that none stands between vectors.

    None where there is none, or where the access would be in no vector without these either.
    """
    access = kernel.accesses[number]
    loop = _copied(access)
    if loop is None:
        return None
    inside = [n for n, one in enumerate(kernel.accesses) if any(at.span == loop.span for at in one.loops)]
    loads = [n for n in inside if kernel.accesses[n].op is Operation.LOAD and kernel.accesses[n].space is Space.SHARED]
    kept = {n: walked for n in loads if (walked := kept_from(kernel, n)) is not None}
    if not kept or number in kept:
        return None
    without = kernel.without(frozenset({*kept, *(n for n in loads if _is_held(kernel, n, inside))}))
    is_vector = any(without.vector(number, width) is not None for width in (16, 8) if width > access.bytes)
    return next(iter(kept.values())) if is_vector else None


def _is_held(kernel: Kernel, number: int, inside: list[int]) -> bool:
    """Whether a load finds its value in a register, since an access before it in an iteration is to the same place."""
    access = kernel.accesses[number]
    loops = [loop.span for loop in access.loops]
    before = (kernel.accesses[other] for other in inside if other < number)
    return any(
        _is_at(one, access) and [loop.span for loop in one.loops] == loops and one.memory == access.memory
        for one in before
    )


def _is_at(one: Access, other: Access) -> bool:
    """Whether two accesses are made by the same lanes at the same offsets, under the same conditions."""
    first, second = one.result.lanes, other.result.lanes
    if first is None or second is None or one.guard != other.guard:
        return False
    return np.array_equal(first.offsets, second.offsets) and np.array_equal(first.active, second.active)


def _copied(access: Access) -> LoopStride | None:
    """Return the innermost loop around an access to shared memory that nvcc copies to the end, and that moves it."""
    loop = access.loops[-1] if access.loops and access.space is Space.SHARED else None
    if loop is None or not loop.is_told or loop.trips is None or loop.trips > MOST_KEPT or loop.unroll == 1:
        return None
    return loop if loop.bytes == access.bytes and not loop.conditions else None


def _are_around(before: Access, walked: LoopStride, access: Access, loop: LoopStride) -> bool:
    """Whether two accesses stand in loops of their own, and under the same of all others and of conditions."""
    around = [[at.span for at in one.loops[:-1]] for one in (before, access)]
    return walked.span != loop.span and before.guard == access.guard and around[0] == around[1]
