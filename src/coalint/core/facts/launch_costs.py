"""What an access costs over a whole launch, as findings carry it: how often it runs, its part in the waste."""

from __future__ import annotations

from enum import Enum

from coalint.core.records import record


class Basis(Enum):
    """What the numbers of a launch rest on."""

    EXACT = "exact"
    """The source determines them."""
    SUPPOSED = "supposed"
    """They hold under a supposition, as that there are enough blocks."""
    SAMPLE = "sample"
    """They are for sizes that were chosen to stand in for what the source leaves open."""
    OPEN = "open"
    """There are none: data decide, or the loops are not followed."""


@record(frozen=True, slots=True)
class LaunchCost:
    """What the accesses of a finding cost over one launch of the kernel.

    Attributes:
        executed: Warp instructions that the launch executes; None where that is open.
        excess: Sectors or wavefronts of all of them beyond the ideal; None where that is open.
        share: The part of `excess` in that of the kernel in the same memory, 0 to 1; None where it is open, or nothing
            is wasted.
        share_at_most: What `share` cannot be above, where only the rest of the kernel is open; else the same.
        basis: What the numbers rest on.
        sizes: Of a sample, the names of the open sizes with the numbers that stand in for them.
        warps: The warps of the launch, as far as they are known: to rank what is open.
        executed_formula: Of a sample, the executed instructions in the open sizes; empty where there is none, or none
            was asked for.
        excess_formula: The same of `excess`.
        formula_assumed: What the formulas rest on, in words.
        share_formula: The same of `share`, in lowest terms; empty where all of the kernel's excess has no formula.
        share_limit: What that comes near to, 0 to 1, where all open sizes grow alike; None where it is not found.
    """

    executed: int | None
    excess: float | None
    share: float | None
    share_at_most: float | None
    basis: Basis
    sizes: tuple[tuple[str, int], ...] = ()
    warps: int = 1
    executed_formula: str = ""
    excess_formula: str = ""
    formula_assumed: tuple[str, ...] = ()
    share_formula: str = ""
    share_limit: float | None = None
