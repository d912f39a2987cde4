"""Loops whose body nvcc copies, so that the accesses of several iterations stand beside each other."""

from __future__ import annotations

from collections.abc import Sequence

from coalint.core.facts.access import Access, Conditions, LoopStride, Operation, Space
from coalint.machine.nvcc.branches import Branches
from coalint.machine.nvcc.memory_order import Order
from coalint.machine.nvcc.walks import read_over

DEEPEST = 1
"""Loops within a loop that is unrolled with them whatever they hold, where nobody asks for it."""
LEAST_OPEN = 17
LEAST_KEPT = 64
"""Iterations of loops in a loop from which on it is not sure to be copied, and sure not to be.

Around a tile of 4 by 4 numbers in registers there are four copies at least, around 8 by 8 none; between these sizes it
depends.
"""


def is_too_deep(loop: LoopStride, least: int) -> bool:
    """Whether nvcc leaves a loop as it is, since others of so many iterations at least are nested in it."""
    if loop.inner_depth <= DEEPEST or loop.unroll is not None:
        return False
    return loop.inner_rounds is None or loop.inner_rounds >= least


class Copies:
    """The loops of one kernel; with `is_eager` as if each one of unknown length were copied."""

    def __init__(self, accesses: Sequence[Access], branches: Branches, order: Order, *, is_eager: bool) -> None:
        self.accesses, self._branches, self._order, self._is_eager = accesses, branches, order, is_eager

    def is_long_enough(self, loop: LoopStride, access: Access, width: int) -> bool:
        """Whether a loop that walks makes the iterations of a vector.

        Of one whose number of iterations nvcc does not know it copies the body, and puts what is left of them after; it
        merges those that go up, where nothing but the header ends the loop. Where that is less plain, it may.
        """
        if loop.trips is not None and loop.trips * access.bytes < width - read_over(loop, access, width):
            return False
        if loop.is_told or access.space is not Space.SHARED:
            return loop.trips is not None
        is_plain = loop.is_counted and loop.conditions in (Conditions.NONE, Conditions.ALIKE)
        return (is_plain or self._is_eager) and loop.bytes == access.bytes

    def is_unrolled_whole(self, loop: LoopStride, access: Access, width: int) -> bool:
        """Whether a loop is unrolled, and all others around the access move by whole vectors."""
        others = (other for other in access.loops if other is not loop)
        steps = [other.multiple if other.bytes is None else other.bytes for other in others]
        return all(step % width == 0 for step in steps) and self._can_unroll(loop, access, width)

    def _stores_in(self, loop: LoopStride, access: Access) -> bool:
        """Whether an access, or another one to the same array in a loop, is a store."""
        alike = [access, *(self.accesses[n] for n in self._order.shared if self.accesses[n].memory == access.memory)]
        return any(one.op is not Operation.LOAD and any(at.span == loop.span for at in one.loops) for one in alike)

    def _can_unroll(self, loop: LoopStride, access: Access, width: int) -> bool:
        if loop.conditions is Conditions.DIFFERENT:
            return False
        if loop.conditions is Conditions.LEFT and self._stores_in(loop, access):
            return False
        if is_too_deep(loop, LEAST_KEPT if self._is_eager else LEAST_OPEN):
            return False
        if loop.unroll and loop.unroll * access.bytes < width:
            return False
        if any(loop.span in barrier.loops for barrier in self._order.barriers):
            return False
        if self._branches.inside(loop, access) is not None:
            return False
        if access.space is not Space.SHARED:
            return True
        return self._order.lets_copies_move(loop, access, width)
