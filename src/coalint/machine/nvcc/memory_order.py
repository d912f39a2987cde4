"""Which accesses to shared memory nvcc keeps in their order, and which it may make one instruction."""

from __future__ import annotations

from collections.abc import Iterable

from coalint.core.arrays import distinct
from coalint.core.facts.access import Access, Operation
from coalint.core.lazy import np
from coalint.core.source.spans import Span


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
