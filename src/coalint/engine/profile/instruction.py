"""One machine instruction over a whole launch."""

from __future__ import annotations

from coalint.core.facts.access import Space
from coalint.core.facts.block_forms import BlockForm
from coalint.core.facts.executions import Executions
from coalint.core.records import record
from coalint.machine.nvcc.instructions import MachineInstruction

SECTOR_BYTES = 32


@record(frozen=True, slots=True)
class ProfiledInstruction:
    """A machine instruction over a whole launch.

    Attributes:
        made: The instruction, with its mean cost per request.
        executions: How often warps execute it.
        cost: Sectors (global memory) or wavefronts (shared memory) of the launch; None where that is open.
        ideal: What the same lanes would take if their bytes were packed; None where that is open.
        in_block: The formulas in extents of the block that are open; None where none is, or where there are no such.
    """

    made: MachineInstruction
    executions: Executions
    cost: float | None = None
    ideal: float | None = None
    in_block: BlockForm | None = None

    @property
    def excess(self) -> float | None:
        """What is moved beyond the ideal; never negative. None where that is open."""
        return None if self.cost is None or self.ideal is None else max(0.0, self.cost - self.ideal)

    @property
    def bytes_moved(self) -> int | None:
        """What the sectors of the launch hold; None for shared memory, and where that is open."""
        return None if self.cost is None else self._bytes(self.cost)

    @property
    def bytes_needed(self) -> int | None:
        """What they would hold if nothing were moved in vain; None as before."""
        return None if self.cost is None or self.excess is None else self._bytes(self.cost - self.excess)

    def _bytes(self, sectors: float) -> int | None:
        return round(sectors) * SECTOR_BYTES if self.made.access.space is Space.GLOBAL else None

    @property
    def is_exact(self) -> bool:
        """Whether the numbers are what the hardware counts for this launch."""
        return self.made.access.result.exact and self.executions.warps is not None and not self.executions.assumed

    @property
    def assumed(self) -> tuple[str, ...]:
        """What the executions, or their formula in extents of the block, rest on, but for which blocks it holds."""
        of_form = () if self.in_block is None else self.in_block.assumed
        return tuple(dict.fromkeys((*self.executions.assumed, *of_form)))

    @property
    def formula(self) -> str:
        """The cost as a formula in what is open; empty where there is none."""
        traffic, executed = self.made.traffic, self.executions.formula
        if traffic is None or not executed or self.executions.cost_varies:
            return ""
        count = f"{traffic.count:.4f}".rstrip("0").rstrip(".")
        if count == "1":
            return executed
        return f"{count}*({executed})" if "+" in executed else f"{count}*{executed}"
