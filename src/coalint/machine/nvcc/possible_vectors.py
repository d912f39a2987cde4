"""Accesses that stay alone, and would be part of a vector if an operation had no branches or a loop were copied."""

from __future__ import annotations

from coalint.core.facts.access import Access, LoopStride, Space
from coalint.core.facts.slow_paths import SlowPath
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.machine.nvcc.merging import Kernel, Vector
from coalint.machine.nvcc.struct_loads import WIDEST
from coalint.machine.nvcc.told_alignment import ToldAlignment


def possible_vector(kernel: Kernel, told: ToldAlignment, number: int) -> Supposition | None:
    """Return what an access rests on that nvcc may make part of a vector, and that is none as far as is known.

    With `-use_fast_math` quotients and roots have no branches. And nvcc copies loops that do not say plainly how often
    they run, as it copies those that do, if it can tell: `while (j < n) sum += s[j++]`, `j < n && j < m`. Those that
    end by what is loaded it does not copy, which is not told apart here.
    """
    access = kernel.accesses[number]
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
    return loop.trips is None and loop.unroll != 1 and loop.bytes == access.bytes


def _parting(kernel: Kernel, number: int, vector: Vector) -> SlowPath | None:
    """Return an operation with branches between the parts of a vector."""
    access = kernel.accesses[number]
    between = [kernel.branches.between(number, other) for other in vector.members if other != number]
    inside = [kernel.branches.inside(loop, access) for loop in access.loops]
    return next((slow for slow in (*between, *inside) if slow is not None), None)
