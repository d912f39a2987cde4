"""Counts as formulas in the extents of a block whose shape the source leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from coalint.core.facts.formulas import Formula
from coalint.core.records import record


@record(frozen=True, slots=True)
class BlockForm:
    """What an instruction or a barrier costs over a launch, in open extents of the block and other open sizes.

    Attributes:
        executed: Warp instructions of the launch.
        cost: Sectors or wavefronts of all of them; None where that is no formula, or nothing is moved.
        excess: Those beyond the ideal; None as before.
        condition: The blocks that it holds for, in words: it was held against the count at each of them. Empty for all.
        assumed: What it rests on beside, in words.
        is_narrow: Whether there are blocks with whole warps that it does not hold for.
    """

    executed: Formula
    cost: Formula | None
    excess: Formula | None
    condition: str
    assumed: tuple[str, ...] = ()
    is_narrow: bool = False

    def __add__(self, other: BlockForm) -> BlockForm:
        """Return both together."""
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        excess = None if self.excess is None or other.excess is None else self.excess + other.excess
        narrower = other if other.is_narrow else self
        assumed = tuple(dict.fromkeys((*self.assumed, *other.assumed)))
        return BlockForm(
            self.executed + other.executed, cost, excess, narrower.condition, assumed, is_narrow=narrower.is_narrow
        )


@record(frozen=True, slots=True)
class BlockForms:
    """The formulas of a kernel whose block is supposed.

    Attributes:
        supposed: The open extents with what was supposed of them, by the names that users know.
        instructions: By the number of the instruction's first access in the analysis.
        barriers: By the number of the barrier in the analysis.
    """

    supposed: tuple[tuple[str, int], ...]
    instructions: Mapping[int, BlockForm] = field(default_factory=dict)
    barriers: Mapping[int, BlockForm] = field(default_factory=dict)

    @property
    def at(self) -> str:
        """For which block the numbers are: `blockDim.x = 256`."""
        return ", ".join(f"{name} = {number}" for name, number in self.supposed)
