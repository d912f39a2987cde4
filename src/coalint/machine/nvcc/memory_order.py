"""Which accesses to shared memory nvcc keeps in their order, and which it may move past others to make a vector."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from coalint.core.arrays import distinct
from coalint.core.facts.access import Access, LoopStride, Operation, Space
from coalint.core.facts.synchronization import Barrier, Fence
from coalint.core.lazy import np
from coalint.core.source.spans import Span
from coalint.machine.nvcc.rows_apart import apart_beside, apart_in_iterations


def likeness(access: Access) -> tuple[object, ...]:
    """Return what two accesses must share for nvcc to be able to merge them."""
    loops: tuple[Span, ...] = tuple(loop.span for loop in access.loops)
    plain = access.guard, access.address.common, loops, access.is_volatile
    return access.space, access.op, access.bytes, access.memory, *plain


def by_likeness(accesses: Iterable[Access]) -> dict[tuple[object, ...], list[int]]:
    """Return the numbers of the accesses that may be one instruction, by what these share."""
    alike: dict[tuple[object, ...], list[int]] = {}
    for number, access in enumerate(accesses):
        alike.setdefault(likeness(access), []).append(number)
    return alike


def orders(other: Access, access: Access) -> bool:
    """Whether an access to shared memory keeps those of another's kind apart, unless their addresses tell otherwise."""
    if _are_of_other_types(other, access):
        return False
    if access.op is Operation.LOAD:
        return other.op is not Operation.LOAD
    return likeness(other) != likeness(access)


_SCALARS = {"short": 2, "unsigned short": 2, "int": 4, "unsigned int": 4, "float": 4, "double": 8, "long long": 8}
"""Types that nvcc takes to lie apart, with their sizes: a `short` is never read as a `float`, which a `char` may be."""


def _are_of_other_types(other: Access, access: Access) -> bool:
    if other.op is Operation.ATOMIC or other.memory is None or access.memory is None:
        return False
    types = [memory.type_name.replace("const ", "") for memory in (other.memory, access.memory)]
    sizes = [_SCALARS.get(name) for name in types]
    return types[0] != types[1] and sizes == [other.bytes, access.bytes] and {*types} != {"int", "unsigned int"}


def are_constant_apart(other: Access, access: Access) -> bool:
    """Whether two accesses are a constant distance apart in all lanes of the launch at hand.

    Where the program says so, too, nothing keeps them in order: a thread may update what it loads, as in
    `s[4 * t + k] = 2 * s[4 * t + k]`. Seen of dynamic arrays alone: in a static one the accesses of such an update
    stay apart.
    """
    if other.op is Operation.ATOMIC or access.memory is None:
        return False
    same = (other.memory, other.address.common, other.bytes) == (access.memory, access.address.common, access.bytes)
    mine, its = access.result.lanes, other.result.lanes
    if not same or not access.memory.dynamic or mine is None or its is None or mine.offsets.shape != its.offsets.shape:
        return False
    if [loop.span for loop in other.loops] != [loop.span for loop in access.loops]:
        return False
    if not np.array_equal(mine.active, its.active) or not mine.active.any():
        return False
    steps = distinct((its.offsets - mine.offsets)[mine.active])
    return len(steps) == 1 and int(steps[0]) % access.bytes == 0


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
