"""What Nsight Compute counted: the instructions of each launch."""

from __future__ import annotations

from coalint.core.facts.access import Operation, Space
from coalint.core.records import record
from coalint.engine.verification.export.signatures import file_name


@record(frozen=True, slots=True)
class Instruction:
    """One memory instruction of one launch, summed over all warps that executed it.

    Attributes:
        places: The files and lines that it belongs to: several where it was inlined, none in an export without lines.
        opcode: The opcode with its modifiers, as `LDG.E.128`.
        guarded: Whether a predicate decides for each lane, so that `executed` may include warps without active lanes.
        space: The memory that it accesses.
        operation: Load, store or atomic.
        bytes: Bytes per lane.
        executed: How many warps executed it.
        threads: How many lanes took part.
        cost: Sectors (global memory) or wavefronts (shared memory).
        ideal: What the counter calls ideal, in the same unit; at most `cost`.
    """

    places: tuple[tuple[str, int], ...]
    opcode: str
    guarded: bool
    space: Space
    operation: Operation
    bytes: int
    executed: int
    threads: int
    cost: int
    ideal: int


@record(frozen=True, slots=True)
class Launch:
    """One launch of one kernel.

    Attributes:
        kernel: The kernel's signature in Nsight Compute's spelling.
        instructions: Its memory instructions by address.
        grid: Blocks in x, y and z; None where unknown.
        block: Threads in x, y and z; None where unknown.
    """

    kernel: str
    instructions: tuple[Instruction, ...]
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None


def lines_in(instruction: Instruction, source: str) -> tuple[int, ...]:
    """Return the lines of a file, known by its last name, that an instruction belongs to, ascending."""
    name = file_name(source)
    return tuple(sorted({line for file, line in instruction.places if file_name(file) == name}))
