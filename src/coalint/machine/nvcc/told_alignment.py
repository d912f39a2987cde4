"""Whether nvcc, which knows no launch, can know that accesses to shared memory are a vector, and aligned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from coalint.core.facts.access import Access
from coalint.core.facts.compiled_address import CompiledAddresses, place_of
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.machine.nvcc.merging import Vector
from coalint.machine.nvcc.struct_loads import WIDEST


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

        Where the program leaves it open, an alignment is taken to be known that does not rest on the launch.
        """
        access, width = self.accesses[number], vector.bytes
        if self._compiled is None:
            return self._is_supposed(access, width), None
        found = [self._compiled.get(place_of(self.accesses[member])) for member in vector.members]
        seen = [address for address in found if address is not None]
        if self._moves_by_less(access, width) or any(address.possible < width for address in seen):
            return False, None
        is_one = len(seen) == len(found) and len({address.forms for address in seen}) == 1
        if is_one and all(address.known >= width for address in seen):
            return True, None
        is_supposed = self._is_supposed(access, width)
        knows = "knows" if is_supposed else "does not know"
        vectors = f"`{access.expression}` lies in a vector that begins at a multiple of {width} bytes"
        return is_supposed, Supposition(f"the compiler {knows} that {vectors}", Supposed.UNROLLING)

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
