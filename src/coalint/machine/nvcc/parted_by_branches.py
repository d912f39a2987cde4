"""Accesses that stay alone since an operation with branches stands between them and their neighbours."""

from __future__ import annotations

from coalint.core.arrays import distinct
from coalint.core.facts.access import Space
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.machine.nvcc.memory_order import likeness
from coalint.machine.nvcc.merging import Kernel
from coalint.machine.nvcc.struct_loads import WIDEST


def parted_by_branches(kernel: Kernel, number: int) -> Supposition | None:
    """Return what an access rests on that would be part of a vector but for an operation with branches.

    With `-use_fast_math` it has none, and the access is part of the vector.
    """
    access = kernel.accesses[number]
    if access.result.lanes is None or access.space is not Space.SHARED:
        return None
    walked = (loop for loop in access.loops if loop.bytes in (access.bytes, -access.bytes) and loop.unroll != 1)
    found = next((slow for loop in walked if (slow := kernel.branches.inside(loop, access)) is not None), None)
    if found is None:
        others = (other for other in kernel.alike[likeness(access)] if other != number)
        between = ((kernel.branches.between(number, other), other) for other in others)
        found = next((slow for slow, other in between if slow is not None and _are_beside(kernel, number, other)), None)
    if found is None:
        return None
    text = f"the compiler does not merge `{access.expression}` with its neighbours over the exact `{found.text}`"
    return Supposition(text, Supposed.UNROLLING)


def _are_beside(kernel: Kernel, one: int, other: int) -> bool:
    """Whether accesses are a constant distance apart that a vector spans, and nothing orders memory between them."""
    lanes, others = kernel.accesses[one].result.lanes, kernel.accesses[other].result.lanes
    if lanes is None or others is None or others.offsets.shape != lanes.offsets.shape:
        return False
    steps = distinct((others.offsets - lanes.offsets)[lanes.active])
    return len(steps) == 1 and 0 < abs(int(steps[0])) < WIDEST and not kernel.is_parted(one, other)
