"""Vector instructions that nvcc makes of several accesses."""

from __future__ import annotations

from coalint.core.facts.lanes import Lanes
from coalint.core.records import record


@record(frozen=True, slots=True)
class Vector:
    """One vector instruction.

    Attributes:
        bytes: What it moves per lane.
        lanes: Where it begins.
        members: The numbers of the accesses that it is made of, ascending.
        shift: How many bytes before the access, as it is written, the instruction begins.
        supposed: What the merging rests on, in words; empty where it is certain.
        unrolled: Where it is made by unrolling a loop: how many such instructions stand for how many iterations.
        passed: The numbers of accesses that do not part it, as they are a constant distance away: to be so in the
            program, or in an aligned row of their own, with whether they may be that.
    """

    bytes: int
    lanes: Lanes
    members: tuple[int, ...]
    shift: int
    supposed: str = ""
    unrolled: tuple[int, int] = (1, 1)
    passed: tuple[tuple[int, bool], ...] = ()
