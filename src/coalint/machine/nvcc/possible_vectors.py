"""Accesses that stay alone, and would be part of a vector if an operation had no branches or a loop were copied."""

from __future__ import annotations

from coalint.core.facts.access import Access, LoopStride, Space
from coalint.core.facts.slow_paths import SlowPath
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.source.spans import Span
from coalint.machine.nvcc.copied_loops import LEAST_KEPT, LEAST_OPEN, is_too_deep
from coalint.machine.nvcc.kept_loads import kept_from, kept_in
from coalint.machine.nvcc.merging import MOST_NEIGHBOURS, Kernel
from coalint.machine.nvcc.struct_loads import WIDEST
from coalint.machine.nvcc.told_alignment import ToldAlignment
from coalint.machine.nvcc.vectors import Vector
from coalint.machine.nvcc.walks import covers


def possible_vector(kernel: Kernel, told: ToldAlignment, number: int) -> Supposition | None:
    """Return what an access rests on that nvcc may make part of a vector, and that is none as far as is known.

    With `-use_fast_math` quotients and roots have no branches. And nvcc copies loops that do not say plainly how often
    they run, as it copies those that do, if it can tell: `while (j < n) sum += s[j++]`, `j < n && j < m`. Those that
    end by what is loaded it does not copy, which is not told apart here. Nor is it told of loops around some others
    (`merging.LEAST_KEPT`). What stands beside a loop's first or last
    element is loaded with these: `m = s[0]` before a loop over `s[i]` from 1 on. What a loop before has loaded may be
    in registers, and part no stores (`kept_loads.py`).
    """
    access = kernel.accesses[number]
    beside = _beside_a_walk(kernel, number)
    if beside is not None:
        text = f"the compiler does not merge `{access.expression}` with what the loop over `{beside.variable}` accesses"
        return Supposition(text, Supposed.UNROLLING)
    before = kept_from(kernel, number) or kept_in(kernel, number)
    if before is not None:
        text = f"the compiler loads again what the loop over `{before.variable}` before has loaded"
        return Supposition(text, Supposed.UNROLLING)
    walked = next((loop for loop in access.loops if _may_be_copied(loop, access)), None)
    if access.space is not Space.SHARED or (walked is None and not kernel.branches.may_part(access)):
        return None
    width = WIDEST
    while width > access.bytes:
        vector = kernel.eager.vector(number, width)
        if vector is not None and told.merges(vector, number) != (False, None):
            slow = _parting(kernel, number, vector)
            if slow is not None:
                neighbours = f"`{access.expression}` with its neighbours"
                text = f"the compiler does not merge {neighbours} over the exact `{slow.text}`"
                return Supposition(text, Supposed.UNROLLING)
            if walked is not None:
                text = f"the compiler does not unroll the loop over `{walked.variable}`"
                return Supposition(text, Supposed.UNROLLING)
        width //= 2
    return None


def _may_be_copied(loop: LoopStride, access: Access) -> bool:
    if loop.trips is not None and not (is_too_deep(loop, LEAST_OPEN) and not is_too_deep(loop, LEAST_KEPT)):
        return False
    return loop.unroll != 1 and loop.bytes == access.bytes


def _beside_a_walk(kernel: Kernel, number: int) -> LoopStride | None:
    """Return a loop whose copies access the vector that an access outside of it is part of."""
    access = kernel.accesses[number]
    lanes, around = access.result.lanes, [loop.span for loop in access.loops]
    walks = kernel.walks.get((access.op, access.bytes, access.memory), ()) if access.space is Space.SHARED else ()
    for other, loop in walks if lanes is not None and len(walks) <= MOST_NEIGHBOURS else ():
        walking = kernel.accesses[other]
        if loop.span in around or not _is_inside(walking, around) or walking.guard != access.guard:
            continue
        width = next((width for width in (WIDEST, WIDEST // 2) if kernel.vector(other, width) is not None), 0)
        is_parted = kernel.order.is_parted(number, other) or kernel.branches.between(number, other) is not None
        if width > access.bytes and not is_parted and covers(walking, loop, access, access.bytes, width):
            return loop
    return None


def _is_inside(walking: Access, around: list[Span]) -> bool:
    """Whether the walk stands in the same loops, and in its own."""
    return [loop.span for loop in walking.loops][: len(around)] == around


def _parting(kernel: Kernel, number: int, vector: Vector) -> SlowPath | None:
    """Return an operation with branches between the parts of a vector."""
    access = kernel.accesses[number]
    between = [kernel.branches.between(number, other) for other in vector.members if other != number]
    inside = [kernel.branches.inside(loop, access) for loop in access.loops]
    return next((slow for slow in (*between, *inside) if slow is not None), None)
