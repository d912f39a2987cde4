"""Accesses of one thread that nvcc merges into one vector instruction, since they are neighbours and aligned.

Seen in the machine code of nvcc 13.2 for sm_90: `s[2*t]` and `s[2*t + 1]` of a shared array, static or dynamic, become
one `LDS.64` (stores likewise), a loop over `s[4*t + k]` one `LDS.128`.
Where `s` begins at `dynamic + n` or `dynamic + blockDim.x`, or the stride is a parameter, they stay 32 bits wide: that
the launch makes the offset a multiple of 16 is nothing that nvcc knows; `dynamic + 2048` it knows, and what is written
as a multiple: floats at `dynamic + 4 * n` are joined by four, those at `dynamic + 2 * n` by two, and so are the parts
of an `int4` at `all + n` of an array of such, whatever they are read as (`told_alignment.py`, `known_alignment.py`). Of
four neighbours of which three are loaded it loads all: in shared memory whichever is not wanted, of a struct in global
memory if that is not the first. Fields of a struct in global memory are merged
where the struct's declared alignment allows it: `in[i].x * in[i].y` of a `float2` is one `LDG.64`. Nothing is merged
through a plain `float *`, nor from a start that is not aligned.

Nothing is merged of two branches, but where one condition stands twice with nothing between, which nvcc makes one.
Nothing is merged over what orders memory. That is a barrier, a fence and an atomic; between two loads of shared
memory any store to shared memory, be it to another array, and between two stores any other access to shared memory,
unless its type is another or, in a dynamic array, it is a constant distance away or in another row (`rows_apart.py`).
In a loop, whatever its body holds stands between two iterations. A loop is unrolled if it is the innermost, or the
one around it, unless the source forbids it by `#pragma unroll 1`; where the source does not ask for it, that nvcc
unrolls is a supposition (it does not where the body holds a function with a slow path, such as `sinf`, or a
`continue`). So it is where nothing tells how often a loop runs, if its header alone ends it and its counter goes up.
Under a condition that iterations may differ in nothing is merged; under one that they share that is a supposition.
Nor are stores merged where what iterations differ in may end the loop early, or leave one out.
What looks like a stride or a conflict in each single access may be ideal in the merged one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from coalint.core.arrays import distinct
from coalint.core.facts.access import Access, LoopStride, Operation, Space
from coalint.core.facts.lanes import Lanes, Service
from coalint.core.facts.slow_paths import SlowPath
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.facts.synchronization import Barrier, Fence
from coalint.core.lazy import np
from coalint.machine.nvcc.branches import Branches
from coalint.machine.nvcc.branches_apart import are_in_branches_apart
from coalint.machine.nvcc.copied_loops import Copies
from coalint.machine.nvcc.memory_order import Order, by_likeness, likeness
from coalint.machine.nvcc.struct_loads import WIDEST
from coalint.machine.nvcc.unrolled_rows import first_of_vectors
from coalint.machine.nvcc.vector_places import iterations_that_start, known_alignment, position_in, reads_over, rows_of
from coalint.machine.nvcc.vectors import Vector
from coalint.machine.nvcc.walks import has_whole, smallest, unrolling

MOST_NEIGHBOURS = 256
"""Accesses of one array that are searched for neighbours."""


class Kernel:
    """The accesses and barriers of a kernel, in the order in which they are evaluated."""

    def __init__(
        self,
        accesses: Sequence[Access],
        barriers: Sequence[Barrier],
        fences: Sequence[Fence] = (),
        slow_paths: Sequence[SlowPath] = (),
        *,
        is_eager: bool = False,
        kept: frozenset[int] = frozenset(),
    ) -> None:
        self.accesses = accesses
        self.branches = Branches(accesses, slow_paths)
        self._barriers_and_fences, self._slow_paths = (barriers, fences), slow_paths
        self._is_eager, self._kept = is_eager, kept
        self.order = Order(accesses, barriers, fences, kept)
        self._copies = Copies(accesses, self.branches, self.order, is_eager=is_eager)

    @cached_property
    def eager(self) -> Kernel:
        """The same as if no operation had branches, and each loop of unknown length were copied."""
        return Kernel(self.accesses, *self._barriers_and_fences, is_eager=True)

    def without(self, kept: frozenset[int]) -> Kernel:
        """Return the same as if these loads found their values in registers."""
        given = (*self._barriers_and_fences, self._slow_paths)
        return Kernel(self.accesses, *given, is_eager=self._is_eager, kept=kept)

    @cached_property
    def alike(self) -> dict[tuple[object, ...], list[int]]:
        """The numbers of the accesses that are of one kind, as `likeness` tells kinds apart."""
        return by_likeness(self.accesses)

    @cached_property
    def walks(self) -> dict[tuple[object, ...], list[tuple[int, LoopStride]]]:
        """The accesses to shared memory that loops of a known length move along, by what they do to which array."""
        found: dict[tuple[object, ...], list[tuple[int, LoopStride]]] = {}
        for number in self.order.shared:
            access = self.accesses[number]
            for loop in access.loops if access.space is Space.SHARED else ():
                if loop.bytes == access.bytes and loop.is_told:
                    found.setdefault((access.op, access.bytes, access.memory), []).append((number, loop))
        return found

    def vector(self, number: int, width: int) -> Vector | None:
        """Return the instruction of `width` bytes that an access becomes part of; None where nothing is merged."""
        access = self.accesses[number]
        lanes = access.result.lanes
        if lanes is None or access.op is Operation.ATOMIC or access.served.service is not Service.PLAIN:
            return None
        if access.is_volatile or width > known_alignment(access):
            return None
        touched = lanes.offsets[lanes.active]
        if not touched.size:
            return None
        positions = distinct(touched % width)
        position = position_in(access, int(positions[0]), width) if len(positions) == 1 else None
        if position is not None:
            needed = set(range(0, width, access.bytes)) - {position}
            present = {position + step: other for step, other in self._neighbours(number, position, width)}
            missing = needed - present.keys()
            members = tuple(sorted((number, *(present[offset] for offset in needed & present.keys()))))
            is_whole = not missing or (len(missing) == 1 and reads_over(access, width, missing.pop()))
            if is_whole and self.order.joins(members, access, width):
                begin = replace(lanes, offsets=lanes.offsets - position)
                grown, passed = self._grown(access, begin, width), self.order.passed_by(members, access, width)
                return Vector(width, begin, members, position, grown or self._joined(number, members), passed=passed)
        loop = self._unrolled(access, width)
        if loop is not None and loop.bytes is not None:
            back = loop.bytes * (width // access.bytes - 1) if loop.bytes < 0 else 0
            lowest = replace(lanes, offsets=lanes.offsets + back) if back else lanes
            starts, ahead = iterations_that_start(lowest, width), 0
            trips = loop.trips or width // access.bytes
            if starts is None and len(positions) == 1:  # from `s[1]` on
                ahead = int(positions[0]) if loop.is_told else 0  # else it begins with the rest
                if not loop.is_told or has_whole(loop, access, ahead, width):
                    starts = replace(lowest, offsets=lowest.offsets - int(positions[0]))
            if starts is not None:
                supposed = unrolling(loop, access, width, ahead)
                return Vector(
                    bytes=width,
                    lanes=starts,
                    members=(number,),
                    shift=-back,
                    supposed=supposed,
                    unrolled=(-(-(ahead + trips * access.bytes) // width), trips),
                    passed=tuple(self.order.passed_in(loop, access, width)),
                )
        return self._of_other_steps(number, lanes, width)

    def alike_to(self, number: int) -> list[int]:
        """Return the numbers of the accesses of one kind with this one, which is among them."""
        return self.alike[likeness(self.accesses[number])]

    def _neighbours(self, number: int, position: int, width: int) -> Iterator[tuple[int, int]]:
        """Yield how many bytes further the thread accesses the same vector in the same way, with that access."""
        access = self.accesses[number]
        lanes = access.result.lanes
        assert lanes is not None
        candidates = self.alike_to(number)
        for other_number in candidates if len(candidates) <= MOST_NEIGHBOURS else ():
            other = self.accesses[other_number]
            if other is access or other.result.lanes is None:
                continue
            if other.result.lanes.offsets.shape != lanes.offsets.shape or not np.array_equal(
                other.result.lanes.active, lanes.active
            ):
                continue
            steps = distinct((other.result.lanes.offsets - lanes.offsets)[lanes.active])
            is_inside = len(steps) == 1 and 0 <= position + int(steps[0]) < width
            if (
                is_inside
                and not self.order.is_parted(number, other_number, width)
                and not self.branches.between(number, other_number)
                and not are_in_branches_apart(self.accesses, number, other_number)
            ):
                yield int(steps[0]), other_number

    def _joined(self, number: int, members: Sequence[int]) -> str:
        """Return what a vector rests on whose parts stand in several branches; empty where they stand in one."""
        access = self.accesses[number]
        other = next((m for m in members if self.accesses[m].branches != access.branches), None)
        if other is None:
            return ""
        place = f"`{self.accesses[other].expression}` at line {self.accesses[other].span.line}"
        return Supposition(
            f"the compiler merges `{access.expression}` with {place}, in another branch", Supposed.UNROLLING
        )

    def _unrolled(self, access: Access, width: int) -> LoopStride | None:
        """Return the loop around the access that, once unrolled, walks whole aligned vectors.

        All other loops move by such vectors.
        """
        if access.bytes < smallest(access):
            return None
        for loop in access.loops:
            walks = loop.bytes is not None and abs(loop.bytes) == access.bytes
            if walks and self._copies.is_long_enough(loop, access, width):
                return loop if self._copies.is_unrolled_whole(loop, access, width) else None
        return None

    def _grown(self, access: Access, vector: Lanes, width: int) -> str:
        """Return what it rests on that a vector is none with those of other iterations: `s[2 * j]` and `s[2 * j + 1]`.

        Empty where nothing makes them one.
        """
        if access.space is not Space.SHARED or width >= WIDEST or iterations_that_start(vector, 2 * width) is None:
            return ""
        for loop in access.loops:
            walks = loop.bytes is not None and abs(loop.bytes) == width
            is_long = loop.bytes == width if loop.trips is None else loop.trips > 1
            if walks and is_long and self._copies.is_unrolled_whole(loop, access, 2 * width):
                text = f"the compiler does not merge `{access.expression}` over iterations of `{loop.variable}`"
                return Supposition(text, Supposed.UNROLLING)
        return ""

    def _of_other_steps(self, number: int, lanes: Lanes, width: int) -> Vector | None:
        """Return the vector that consecutive iterations of a loop make which moves by no constant."""
        access = self.accesses[number]
        for loop in access.loops if access.bytes >= smallest(access) else ():
            if loop.bytes is not None or not self._copies.is_unrolled_whole(loop, access, width):
                continue
            starts = first_of_vectors(access, loop, width)
            if starts is not None and loop.trips is not None:
                return Vector(
                    bytes=width,
                    lanes=rows_of(lanes, starts),
                    members=(number,),
                    shift=0,
                    supposed=unrolling(loop, access, width),
                    unrolled=(loop.trips * access.bytes // width, loop.trips),
                )
        return None
