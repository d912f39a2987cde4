"""In what order a kernel's accesses are made, and which of them nvcc may move past others to make a vector."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from coalint.core.facts.access import Access, LoopStride, Operation, Space
from coalint.core.facts.synchronization import Barrier, Fence
from coalint.machine.nvcc.memory_order import are_constant_apart, orders
from coalint.machine.nvcc.rows_apart import apart_beside, apart_in_iterations


class Order:
    """The accesses, barriers and fences of a kernel, in the order in which they are evaluated.

    `kept` are loads that find their values in registers, so that they keep nothing apart in a loop.
    """

    def __init__(
        self, accesses: Sequence[Access], barriers: Sequence[Barrier], fences: Sequence[Fence], kept: frozenset[int]
    ) -> None:
        self.accesses = accesses
        self.barriers: list[Barrier | Fence] = [*(barrier for barrier in barriers if barrier.orders_memory), *fences]
        self._kept = kept
        self._numbers = {id(access): number for number, access in enumerate(accesses)}
        spaces = (Space.SHARED, Space.GENERIC)
        self.shared = {number: None for number, access in enumerate(accesses) if access.space in spaces}
        """The numbers of the accesses that may go to shared memory."""

    def joins(self, members: Sequence[int], access: Access, width: int) -> bool:
        """Whether nothing parts these accesses of one kind from where their vector is made."""
        place = members[0 if access.op is Operation.LOAD else -1]
        return not any(self.is_parted(member, place, width) for member in members if member != place)

    def is_parted(self, one: int, other: int, width: int = 0) -> bool:
        """Whether something that orders memory stands between two accesses of one kind.

        With the width of a vector in bytes what keeps them apart in no such vector does not count.
        """
        first, last = sorted((one, other))
        access = self.accesses[one]
        if self.has_barrier(first, last):
            return True
        if access.space is not Space.SHARED:
            return any(other.op is Operation.ATOMIC for other in self.accesses[first + 1 : last])
        moved = self.accesses[last if access.op is Operation.LOAD else first]
        return not all(
            are_constant_apart(between, access) or (width and apart_beside(between, moved, width))
            for between in map(self.accesses.__getitem__, self.ordering(access, range(first + 1, last)))
        )

    def passed_by(self, members: Sequence[int], access: Access, width: int) -> tuple[tuple[int, bool], ...]:
        """Return what a vector of these accesses passes: stores are made with the last, loads with the first."""
        passed = []
        for number in self.ordering(access, range(members[0] + 1, members[-1])):
            moving = [member for member in members if (member > number) is (access.op is Operation.LOAD)]
            rows = (apart_beside(self.accesses[number], self.accesses[member], width) for member in moving)
            passed.append((number, all(rows)))
        return tuple(passed)

    def ordering(self, access: Access, numbers: Iterable[int]) -> Iterator[int]:
        """Yield which of these keep an access in its place, as far as their addresses alone tell."""
        return (number for number in numbers if number in self.shared and orders(self.accesses[number], access))

    def inside(self, loop: LoopStride) -> Iterator[int]:
        """Yield the numbers of what a loop does with shared memory."""
        for number in self.shared:
            if number not in self._kept and any(at.span == loop.span for at in self.accesses[number].loops):
                yield number

    def has_barrier(self, first: int, last: int) -> bool:
        """Whether a barrier or a fence stands between two accesses, of which the first comes first."""
        return any(first < barrier.accesses_before <= last for barrier in self.barriers)

    def lets_copies_move(self, loop: LoopStride, access: Access, width: int) -> bool:
        """Whether nothing in a loop keeps copies of an access from being one instruction of that width in bytes."""
        return all(
            is_row or are_constant_apart(self.accesses[number], access)
            for number, is_row in self.passed_in(loop, access, width)
        )

    def passed_in(self, loop: LoopStride, access: Access, width: int) -> Iterator[tuple[int, bool]]:
        """Yield what the vectors of a loop's iterations pass, with whether it meets them in other rows alone."""
        own = self._numbers[id(access)]
        for number in self.ordering(access, self.inside(loop)):
            other, comes_first = self.accesses[number], number < own
            yield number, apart_in_iterations(other, access, loop.span, width, comes_first=comes_first)
