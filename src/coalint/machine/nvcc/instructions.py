"""What nvcc makes of the accesses of a kernel: the machine instructions, with what they cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from coalint.core.facts.access import Access, Space
from coalint.core.facts.compiled_address import CompiledAddresses
from coalint.core.facts.costs import Cost
from coalint.core.facts.executions import Executions
from coalint.core.facts.formulas import scaled
from coalint.core.facts.slow_paths import SlowPath
from coalint.core.facts.suppositions import Supposition
from coalint.core.facts.synchronization import Barrier, Fence
from coalint.core.records import record
from coalint.machine.architecture import Architecture
from coalint.machine.nvcc.merging import Kernel
from coalint.machine.nvcc.neighbours_at_times import neighbours_at_times
from coalint.machine.nvcc.possible_rows import beside_rows
from coalint.machine.nvcc.possible_vectors import possible_vector
from coalint.machine.nvcc.sides import Sides
from coalint.machine.nvcc.struct_loads import WIDEST
from coalint.machine.nvcc.told_alignment import ToldAlignment
from coalint.machine.nvcc.variables_beside import VariablesBeside
from coalint.machine.nvcc.vectors import Vector
from coalint.machine.traffic import Traffic, cost_of, traffic


@record(frozen=True, slots=True)
class MachineInstruction:
    """The machine instruction that an access becomes, alone or merged with its neighbours.

    Attributes:
        written: The access as it is written.
        access: The access as the instruction makes it: `bytes`, `lanes`, `exact` and `assumed` are the instruction's.
        traffic: What a request of it costs; None where that is unknown or not counted.
        members: The numbers of the accesses that it is made of, in the order of the analysis.
        shift: How many bytes after the beginning of the instruction the access is, as written; of a loop that is
            unrolled, in the iteration that the instruction begins with.
        unrolled: Of a loop that is unrolled: how many such instructions stand for how many of its iterations.
    """

    written: Access
    access: Access
    traffic: Traffic | None
    members: tuple[int, ...]
    shift: int = 0
    unrolled: tuple[int, int] = (1, 1)

    @property
    def is_merged(self) -> bool:
        """Whether it moves more than the access as it is written."""
        return self.access.bytes != self.written.bytes

    def placed(self, written: Access) -> MachineInstruction:
        """Return the instruction of the same access under other names of files."""
        if not self.is_merged:
            return replace(self, written=written, access=replace(written, result=self.access.result))
        moved = replace(self.access, span=written.span, specialization=written.specialization)
        return replace(self, written=written, access=moved)

    @property
    def cost(self) -> Cost | None:
        """What a request of it costs, as findings carry it."""
        return None if self.traffic is None else cost_of(self.access, self.traffic)

    def executions(self, counted: Callable[[int], Executions | None]) -> Executions:
        """Return how often it is executed: less often than what is written, where it moves more at once.

        `counted` gives the executions of an access by its number in the analysis.
        """
        members = [counted(number) or NOT_COUNTED for number in self.members]
        first = members[0]
        if not self.is_merged:
            return first
        lost = next((one for one in members if one.warps is None), None)
        if lost is not None:
            kept = first if len(members) > 1 else self._of_copies(first)
            return replace(lost, warps=None, threads=None, formula=kept.formula, form=kept.form)
        requests, lanes = _requests_and_lanes(self.access)
        requests_written, lanes_written = _requests_and_lanes(self.written)
        if first.warps is None:
            return replace(first, formula="", form=None)
        # Of a loop that is unrolled only the iterations that begin a vector make a request. The lanes do not tell it
        # where they are the same, but for what they have in common, in each iteration.
        if (requests, lanes) == (requests_written, lanes_written) or not requests_written or not lanes_written:
            (requests, requests_written), (lanes, lanes_written) = self.unrolled, self.unrolled
        warps = first.warps * requests // requests_written
        threads = None if first.threads is None else first.threads * lanes // lanes_written
        return replace(first, warps=warps, threads=threads, formula="", form=None)

    def _of_copies(self, written: Executions) -> Executions:
        """Return the formula of vectors that copies of a loop's body make; without where iterations differ in lanes."""
        lanes, (vectors, trips) = self.written.result.lanes, self.unrolled
        if written.form is None or lanes is None or trips <= 1 or not (lanes.active == lanes.active[:1]).all():
            return NOT_COUNTED
        text = scaled(written.formula, vectors, trips)
        return replace(written, formula=text, form=written.form.times(vectors, trips))


NOT_COUNTED = Executions(None, missing=("how often it is executed",))


def _requests_and_lanes(access: Access) -> tuple[int, int]:
    """Return the requests and active lanes of the lanes that stand for an access."""
    if access.result.lanes is None:
        return 0, 0
    active, weights = access.result.lanes.active, access.result.lanes.weights
    return int(active.any(axis=2).sum(axis=1) @ weights), int(active.sum(axis=(1, 2)) @ weights)


def instructions_of(
    accesses: Sequence[Access],
    barriers: Sequence[Barrier],
    arch: Architecture,
    starts_alike: Callable[[Access], bool],
    fences: Sequence[Fence] = (),
    compiled: Callable[[], CompiledAddresses] | None = None,
    slow_paths: Sequence[SlowPath] = (),
) -> tuple[MachineInstruction, ...]:
    """Return the instruction of each access of a kernel, in the order of the accesses.

    `starts_alike` tells whether an access begins at the same byte of its array whatever the block is, so that nvcc
    knows it. `compiled` gives the addresses as the compiler sees them, where that is known.
    """
    kernel, told = Kernel(accesses, barriers, fences, slow_paths), ToldAlignment(accesses, starts_alike, compiled)
    beside, sides = VariablesBeside(kernel), Sides(accesses, arch)
    return tuple(_instruction(kernel, told, beside, sides, number, arch) for number in range(len(accesses)))


def as_written(access: Access, arch: Architecture, number: int = 0) -> MachineInstruction:
    """Return an access as an instruction of its own, whatever stands beside it; `number` is its own in the kernel."""
    return MachineInstruction(written=access, access=access, traffic=traffic(access, arch), members=(number,))


def _instruction(
    kernel: Kernel, told: ToldAlignment, beside: VariablesBeside, sides: Sides, number: int, arch: Architecture
) -> MachineInstruction:
    written = access = kernel.accesses[number]
    joined = beside.joined(number)
    if joined is not None:
        access = _resting_on(access, joined)
    cost = traffic(access, arch)
    width = WIDEST
    while cost is not None and width > access.bytes:
        vector = kernel.vector(number, width)
        if vector is not None and access.space is Space.SHARED:
            is_made, supposed = told.merges(vector, number)
            access = access if supposed is None else _resting_on(access, supposed)
            vector = vector if is_made else None
        merged = None if vector is None else _merged(access, vector)
        merged_cost = None if merged is None else traffic(merged, arch)
        if vector is not None and merged is not None and merged_cost is not None:
            return MachineInstruction(
                written=written,
                access=merged,
                traffic=merged_cost,
                members=vector.members,
                shift=vector.shift,
                unrolled=vector.unrolled,
            )
        width //= 2
    at_times = None
    if access.result.exact:
        at_times = neighbours_at_times(kernel, number) or told.merges_at_times(number)
        at_times = at_times or possible_vector(kernel, told, number) or beside_rows(kernel, told, number)
        at_times = at_times or sides.supposed(number)
    made = access if at_times is None else _resting_on(access, at_times)
    return MachineInstruction(written=written, access=made, traffic=cost, members=(number,))


def _resting_on(access: Access, supposed: Supposition) -> Access:
    """Return the access with numbers that rest on a supposition."""
    assumed = (*access.result.assumed, supposed)
    return replace(access, result=replace(access.result, exact=False, assumed=assumed))


def _merged(access: Access, vector: Vector) -> Access:
    assumed = (*access.result.assumed, *((vector.supposed,) if vector.supposed else ()))
    exact = access.result.exact and not vector.supposed
    result = replace(access.result, lanes=vector.lanes, exact=exact, assumed=assumed)
    return replace(access, bytes=vector.bytes, result=result)
