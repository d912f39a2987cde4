"""Whether nvcc, which knows no launch, can know that accesses to shared memory are a vector, and aligned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.compiled_address import CompiledAddress, CompiledAddresses, place_of
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.machine.nvcc.memory_order import by_likeness, likeness
from coalint.machine.nvcc.merging import MOST_NEIGHBOURS
from coalint.machine.nvcc.struct_loads import REGISTER, WIDEST
from coalint.machine.nvcc.vectors import Vector

MOST_STATIC = 4
"""Elements of a static array that are merged where they are smaller than a register."""


class ToldAlignment:
    """What nvcc knows of the addresses of a kernel.

    `starts_alike` tells whether an access begins at the same byte of its array whatever the block is. `compiled` gives
    the addresses as the program alone tells them; None where nothing says that.
    """

    def __init__(
        self,
        accesses: Sequence[Access],
        starts_alike: Callable[[Access], bool],
        compiled: Callable[[], CompiledAddresses] | None,
    ) -> None:
        self.accesses = accesses
        self.starts_alike = starts_alike
        self._read_compiled = compiled

    @cached_property
    def _compiled(self) -> CompiledAddresses | None:
        return None if self._read_compiled is None else self._read_compiled()

    def merges(self, vector: Vector, number: int) -> tuple[bool, Supposition | None]:
        """Return whether nvcc makes a vector of shared memory that has an access, and what that rests on, if anything.

        Seen in the machine code of nvcc 13.2 for sm_90: of a static array of bytes nothing is merged, of a dynamic one
        that is declared as aligned eight are. Of a static array of 16 bits four are, where they become floating-point
        numbers or are copied; in most integer arithmetic none are.
        """
        is_made, supposed = self._merges(vector, number)
        access = self.accesses[number]
        if access.bytes >= REGISTER or access.field is not None or not (is_made or supposed):
            return is_made, supposed
        is_static = access.memory is not None and not access.memory.dynamic
        is_made = is_made and not (is_static and (access.bytes == 1 or vector.bytes > MOST_STATIC * access.bytes))
        merges = "merges" if is_made else "does not merge"
        text = f"the compiler {merges} `{access.expression}` with its neighbours, which are smaller than 32 bits"
        return is_made, Supposition(text, Supposed.UNROLLING)

    def _merges(self, vector: Vector, number: int) -> tuple[bool, Supposition | None]:
        """Return the same as far as the address tells it.

        Where the program leaves it open, an alignment is taken to be known that does not rest on the launch.
        """
        access, width = self.accesses[number], vector.bytes
        if self._read_compiled is None:
            return self._is_supposed(access, width), None
        if self._moves_by_less(access, width):
            return False, None
        found = [self.compiled_address(member) for member in vector.members]
        seen = [address for address in found if address is not None]
        if any(address.possible < width for address in seen):
            return False, None
        is_passed = self._passes(seen, vector)
        if is_passed is False:
            return False, None
        is_one = len(seen) == len(found) and len({address.forms for address in seen}) == 1
        if is_one and all(address.known >= width for address in seen) and is_passed:
            return True, None
        is_supposed = self._is_supposed(access, width)
        knows = "knows" if is_supposed else "does not know"
        vectors = f"`{access.expression}` lies in a vector that begins at a multiple of {width} bytes"
        return is_supposed, Supposition(f"the compiler {knows} that {vectors}", Supposed.UNROLLING)

    def _passes(self, members: Sequence[CompiledAddress], vector: Vector) -> bool | None:
        """Return whether nvcc knows that what it moves the members past touches other bytes; None if that is open."""
        forms = members[0].forms if members else None
        is_passed: bool | None = True
        for number, is_row in vector.passed:
            its = self.compiled_address(number)
            if its is None or forms is None:
                is_passed = None
            elif its.forms != forms and (not is_row or its.possible < vector.bytes):
                return False
            elif its.forms != forms and its.known < vector.bytes:
                is_passed = None
        return is_passed

    def merges_at_times(self, number: int) -> Supposition | None:
        """Return what an access rests on that nvcc may merge in some iterations of a loop; None where it does not.

        Seen in the machine code of nvcc 13.2 for sm_90, in loops over `j` of eight iterations: of `s[33 * j + 2 * t]`
        and its neighbour every other pair is one `LDS.64`, of `s[j * n + 2 * t]` and its neighbour the first.
        """
        access = self.accesses[number]
        if access.space is not Space.SHARED or not any(loop.unroll != 1 for loop in access.loops):
            return None
        alike = self._alike[likeness(access)]
        if access.op is Operation.ATOMIC or len(alike) > MOST_NEIGHBOURS:
            return None
        alike = [position for position in alike if _are_side_by_side(access, self.accesses[position])]
        pair = 2 * access.bytes
        own = self.compiled_address(number) if alike and pair <= WIDEST else None  # it takes an evaluation
        if own is None or not min(own.possible, own.always) < pair <= max(own.possible, own.first):
            return None
        for its in map(self.compiled_address, alike):
            if its is not None and its.forms == own.forms and _are_neighbours(own.starts, its.starts, access.bytes):
                text = f"the compiler does not merge `{access.expression}` in some iterations of a loop"
                return Supposition(text, Supposed.UNROLLING)
        return None

    @cached_property
    def _alike(self) -> dict[tuple[object, ...], list[int]]:
        return by_likeness(self.accesses)

    def compiled_address(self, number: int) -> CompiledAddress | None:
        """Return what nvcc sees of the address of an access; None where that is not known."""
        return None if self._compiled is None else self._compiled.get(place_of(self.accesses[number]))

    def _is_supposed(self, access: Access, width: int) -> bool:
        return not access.address.known_multiple % width and not self._rests_on_launch(access, width)

    def _rests_on_launch(self, access: Access, width: int) -> bool:
        """Whether the address may hold what only the launch tells, so that nvcc does not know it to be so aligned."""
        memory, launch = access.memory, access.specialization
        if self._moves_by_less(access, width):
            return True
        steps = access.address.steps
        if steps is not None and steps % width == 0:
            return False
        known = {*launch.arguments, *launch.multiples, *((member[0], member[3]) for member in launch.members)}
        if any(name in access.address.names for name, _ in known):
            return True
        # A pointer into the middle of a dynamic array: where it points follows from sizes that the launch chose.
        is_carved = memory is not None and memory.dynamic and memory.name != access.address.pointer
        if not is_carved or (access.address.offset_bytes is not None and 0 <= access.address.offset_bytes < WIDEST):
            return False
        return bool(known) or not self.starts_alike(access)

    def _moves_by_less(self, access: Access, width: int) -> bool:
        """Whether something moves all lanes by no multiple of `width` bytes, other than a loop that walks."""
        walked = {loop.variable for loop in access.loops if loop.bytes != 0}
        return bool(_unaligned(access, width) - walked)


def _unaligned(access: Access, width: int) -> set[str]:
    """Return the quantities that move the address of all lanes by what is no multiple of `width` bytes."""
    steps = dict(access.address.common_steps)
    return {name for name in access.address.common_names if steps.get(name, 1) % width}


def _are_side_by_side(one: Access, other: Access) -> bool:
    """Whether the first lanes of two accesses touch what lies side by side, in the launch at hand."""
    lanes, others = one.result.lanes, other.result.lanes
    if lanes is None or others is None or lanes.offsets.shape != others.offsets.shape or not lanes.active.any():
        return False
    first = int(lanes.active.argmax())
    return abs(int(lanes.offsets.flat[first]) - int(others.offsets.flat[first])) == one.bytes


def _are_neighbours(one: frozenset[tuple[str, int]], other: frozenset[tuple[str, int]], size: int) -> bool:
    """Whether two accesses of so many bytes lie side by side, but for what moves them both."""
    if len(one) != 1 or len(other) != 1:
        return False
    ((array, start),), ((its, begin),) = one, other
    return array == its and abs(start - begin) == size
