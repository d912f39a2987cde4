"""Variables in shared memory that the assembler puts beside each other, and loads or stores by one instruction.

Seen in the machine code of ptxas 13.2 for sm_90: of `__shared__ float mean, scale;` both are stored by one `STS.64` and
loaded by one `LDS.64`, three of them by one `LDS.128`, an `int` with a `float` too. Where variables lie is the
assembler's choice: behind an array of 33 floats the two begin at no multiple of 8, and stay apart.
Elements at the edges of arrays are joined with what lies beside them: `s[0]` with a number before `s`.
"""

from __future__ import annotations

import math
from functools import cached_property

from coalint.core.arrays import distinct
from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.machine.nvcc.merging import MOST_NEIGHBOURS, Kernel
from coalint.machine.nvcc.struct_loads import WIDEST


class VariablesBeside:
    """The accesses of a kernel to one place each, at the edges of static variables."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def joined(self, number: int) -> Supposition | None:
        """Return what an access rests on that the assembler may join with one to another variable; None otherwise."""
        access = self._kernel.accesses[number]
        alike = self._by_kind.get((access.op, access.bytes), ()) if _is_at_an_edge(access) else ()
        for other in alike if len(alike) <= MOST_NEIGHBOURS else ():
            its = self._kernel.accesses[other]
            if its.memory == access.memory or not _may_be_one(access, its):
                continue
            if not self._kernel.order.has_barrier(*sorted((number, other))):
                text = f"the compiler does not make one instruction of `{access.expression}` and `{its.expression}`"
                return Supposition(text, Supposed.UNROLLING)
        return None

    @cached_property
    def _by_kind(self) -> dict[tuple[object, ...], list[int]]:
        found: dict[tuple[object, ...], list[int]] = {}
        for number, access in enumerate(self._kernel.accesses):
            if _is_at_an_edge(access):
                found.setdefault((access.op, access.bytes), []).append(number)
        return found


def _may_be_one(one: Access, other: Access) -> bool:
    """Whether two accesses are made in the same iterations, under the same conditions, or loads under less of these."""
    if [loop.span for loop in one.loops] != [loop.span for loop in other.loops]:
        return False
    shared = min(len(one.guard), len(other.guard))
    are_nested = one.guard[:shared] == other.guard[:shared]
    return are_nested and (one.op is Operation.LOAD or len(one.guard) == len(other.guard))


def _is_at_an_edge(access: Access) -> bool:
    memory, lanes, start = access.memory, access.result.lanes, access.address.offset_bytes
    if access.space is not Space.SHARED or access.op is Operation.ATOMIC or access.is_volatile:
        return False
    if memory is None or memory.dynamic or lanes is None or start is None or access.bytes >= WIDEST:
        return False
    size = memory.element_bytes * math.prod(extent or 0 for extent in memory.extents)
    if access.address.common_names or min(start, size - start - access.bytes) > WIDEST - 2 * access.bytes:
        return False
    return len(distinct(lanes.offsets[lanes.active])) == 1
