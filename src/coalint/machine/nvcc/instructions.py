"""What nvcc makes of the accesses of a kernel: the machine instructions, with what they cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from coalint.core.facts.access import Access, Space
from coalint.core.facts.costs import Cost
from coalint.core.facts.synchronization import Barrier
from coalint.machine.architecture import Architecture
from coalint.machine.nvcc.merging import Kernel, Vector
from coalint.machine.nvcc.struct_loads import WIDEST
from coalint.machine.traffic import Traffic, cost_of, traffic


@dataclass(frozen=True, slots=True)
class MachineInstruction:
    """The machine instruction that an access becomes, alone or merged with its neighbours.

    Attributes:
        written: The access as it is written.
        access: The access as the instruction makes it: `bytes`, `lanes`, `exact` and `assumed` are the instruction's.
        traffic: What a request of it costs; None where that is unknown or not counted.
        members: The numbers of the accesses that it is made of, in the order of the analysis.
        shift: How many bytes behind the beginning of the instruction the access is, as written; of a loop that is
            unrolled, in the iteration that the instruction begins with.
    """

    written: Access
    access: Access
    traffic: Traffic | None
    members: tuple[int, ...]
    shift: int = 0

    @property
    def is_merged(self) -> bool:
        """Whether it moves more than the access as it is written."""
        return self.access.bytes != self.written.bytes

    def placed(self, written: Access) -> MachineInstruction:
        """Return the instruction of the same access under other names of files."""
        if not self.is_merged:
            return replace(self, written=written, access=written)
        moved = replace(self.access, span=written.span, specialization=written.specialization)
        return replace(self, written=written, access=moved)

    @property
    def cost(self) -> Cost | None:
        """What a request of it costs, as findings carry it."""
        return None if self.traffic is None else cost_of(self.access, self.traffic)


def instructions_of(
    accesses: Sequence[Access],
    barriers: Sequence[Barrier],
    arch: Architecture,
    starts_alike: Callable[[Access], bool],
) -> tuple[MachineInstruction, ...]:
    """Return the instruction of each access of a kernel, in the order of the accesses.

    `starts_alike` tells whether an access begins at the same byte of its array whatever the block is, so that nvcc
    knows it.
    """
    kernel = Kernel(accesses, barriers, starts_alike)
    return tuple(_instruction(kernel, number, access, arch) for number, access in enumerate(accesses))


def as_written(access: Access, arch: Architecture, number: int = 0) -> MachineInstruction:
    """Return an access as an instruction of its own, whatever stands beside it; `number` is its own in the kernel."""
    return MachineInstruction(written=access, access=access, traffic=traffic(access, arch), members=(number,))


def _instruction(kernel: Kernel, number: int, access: Access, arch: Architecture) -> MachineInstruction:
    cost = traffic(access, arch)
    width = WIDEST
    while cost is not None and width > access.bytes:
        vector = kernel.vector(number, width)
        if vector is not None and access.space is Space.SHARED and kernel.rests_on_launch(access):
            break
        merged = None if vector is None else _merged(access, vector)
        merged_cost = None if merged is None else traffic(merged, arch)
        if vector is not None and merged is not None and merged_cost is not None:
            return MachineInstruction(
                written=access, access=merged, traffic=merged_cost, members=vector.members, shift=vector.shift
            )
        width //= 2
    return MachineInstruction(written=access, access=access, traffic=cost, members=(number,))


def _merged(access: Access, vector: Vector) -> Access:
    assumed = (*access.result.assumed, *((vector.supposed,) if vector.supposed else ()))
    exact = access.result.exact and not vector.supposed
    result = replace(access.result, lanes=vector.lanes, exact=exact, assumed=assumed)
    return replace(access, bytes=vector.bytes, result=result)
