"""Accesses that stay alone since an operation with branches stands between them and their neighbours."""

from __future__ import annotations

from coalint.core.facts.access import Space
from coalint.core.facts.slow_paths import SlowPath
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.machine.nvcc.merging import Kernel, Vector
from coalint.machine.nvcc.struct_loads import WIDEST
from coalint.machine.nvcc.told_alignment import ToldAlignment


def parted_by_branches(kernel: Kernel, told: ToldAlignment, number: int) -> Supposition | None:
    """Return what an access rests on that would be part of a vector but for an operation with branches.

    With `-use_fast_math` it has none, and the access is part of the vector.
    """
    access = kernel.accesses[number]
    if access.space is not Space.SHARED or not kernel.branches.may_part(access):
        return None
    width = WIDEST
    while width > access.bytes:
        vector = kernel.without_branches.vector(number, width)
        found = None if vector is None else _parting(kernel, number, vector)
        if vector is not None and found is not None and told.merges(vector, number) != (False, None):
            neighbours = f"`{access.expression}` with its neighbours"
            text = f"the compiler does not merge {neighbours} over the exact `{found.text}`"
            return Supposition(text, Supposed.UNROLLING)
        width //= 2
    return None


def _parting(kernel: Kernel, number: int, vector: Vector) -> SlowPath | None:
    """Return an operation with branches between the parts of a vector."""
    access = kernel.accesses[number]
    between = [kernel.branches.between(number, other) for other in vector.members if other != number]
    inside = [kernel.branches.inside(loop, access) for loop in access.loops]
    return next((slow for slow in (*between, *inside) if slow is not None), None)
