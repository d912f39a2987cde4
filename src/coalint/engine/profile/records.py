"""What a profile holds: kernels with the instructions of a launch, each with how often it runs and what that moves."""

from __future__ import annotations

from coalint.core.facts.access import Space
from coalint.core.facts.analysis import Analysis
from coalint.core.records import record
from coalint.engine.profile.barriers import ProfiledBarrier
from coalint.engine.profile.dram import least_dram_bytes
from coalint.engine.profile.instruction import SECTOR_BYTES, ProfiledInstruction
from coalint.engine.report import Coverage, Failure


@record(frozen=True, slots=True)
class Totals:
    """Sums over the instructions of one memory that are known: sectors or wavefronts."""

    requests: int = 0
    cost: float = 0.0
    ideal: float = 0.0
    excess: float = 0.0
    open: int = 0

    @property
    def efficiency(self) -> float | None:
        """The share of the cost that is no excess; None where nothing is moved."""
        return 1 - self.excess / self.cost if self.cost else None

    @property
    def bytes_moved(self) -> int:
        """What the sectors hold, of global memory."""
        return round(self.cost) * SECTOR_BYTES

    @property
    def bytes_needed(self) -> int:
        """What they would hold if nothing were moved in vain: what the lanes ask for, in whole sectors of a request."""
        return round(self.cost - self.excess) * SECTOR_BYTES


@record(frozen=True, slots=True)
class LaunchTotals:
    """What one instruction executes and moves over a launch, where the source determines it.

    Attributes:
        executed: Warp instructions.
        cost: Sectors or wavefronts of all of them; None where the cost of a request is unknown.
        excess: Those beyond the ideal; None as before.
        share: The part of the excess in that of the kernel in the same memory, 0 to 1; None where it is open.
        assumed: What the numbers rest on, in words.
    """

    executed: int
    cost: float | None
    excess: float | None
    share: float | None
    assumed: tuple[str, ...] = ()


@record(frozen=True, slots=True)
class WrittenFormula:
    """A formula as users write it, and for pages."""

    text: str
    latex: str
    mathml: str


@record(frozen=True, slots=True)
class InstructionFormulas:
    """The numbers of an instruction in open sizes; None where one is open without a formula.

    `share_limit` and `traffic_limit` are what the shares come near to, 0 to 1, where all open sizes grow alike.
    """

    executed: WrittenFormula | None
    cost: WrittenFormula | None
    excess: WrittenFormula | None
    share: WrittenFormula | None
    share_limit: float | None
    traffic_share: WrittenFormula | None
    traffic_limit: float | None


@record(frozen=True, slots=True)
class KernelFormulas:
    """The formulas of a kernel: those of its instructions, and the sums of each memory where all are known.

    `sample_excess` are the sectors beyond the ideal at sizes that stand in for open ones, to order kernels by.
    `at_block` are the memories of which the sums and shares are for the block that is supposed, as not all of their
    instructions have formulas in its extents.
    """

    instructions: tuple[InstructionFormulas, ...]
    cost: dict[Space, WrittenFormula | None]
    excess: dict[Space, WrittenFormula | None]
    sample_excess: float | None = None
    at_block: frozenset[Space] = frozenset()


@record(frozen=True, slots=True)
class KernelProfile:
    """One kernel under one launch; `instructions` in the order of the source, `barriers` each place once.

    `supposed_block` are the extents of the block that the source leaves open, with the numbers that stand for them.
    """

    analysis: Analysis
    instructions: tuple[ProfiledInstruction, ...]
    formulas: KernelFormulas | None = None
    barriers: tuple[ProfiledBarrier, ...] = ()
    supposed_block: tuple[tuple[str, int], ...] = ()

    def formulas_of(self, item: ProfiledInstruction) -> InstructionFormulas | None:
        """Return the formulas of an instruction; None where its numbers are known, or nothing of the kernel is one."""
        is_number = item.executions.warps is not None and not item.executions.form and item.in_block is None
        if self.formulas is None or is_number:
            return None
        at = next(at for at, other in enumerate(self.instructions) if other is item)  # records of arrays have no `==`
        return self.formulas.instructions[at]

    @property
    def at_block(self) -> str:
        """For which block numbers are, where it is supposed: `blockDim.x = 256`; empty where it is not."""
        return ", ".join(f"{name} = {number}" for name, number in self.supposed_block)

    @property
    def least_dram_bytes(self) -> int | None:
        """What DRAM moves at least, in bytes: each byte once that loads touch, and once that stores touch.

        Caches are supposed to hold nothing before, and to give back all that was stored after. None where that is open.
        """
        return least_dram_bytes(self.instructions)

    def totals(self, space: Space) -> Totals:
        """Return the sums over the instructions of a memory; `open` counts those of which a number is open."""
        requests, cost, ideal, excess, missing = 0, 0.0, 0.0, 0.0, 0
        for item in self.instructions:
            if item.made.access.space is not space:
                continue
            if item.cost is None or item.ideal is None or item.executions.warps is None:
                missing += 1
                continue
            requests += item.executions.warps
            cost += item.cost
            ideal += item.ideal
            excess += item.excess or 0.0
        return Totals(requests=requests, cost=cost, ideal=ideal, excess=excess, open=missing)

    @property
    def excess_bytes(self) -> float:
        """Sectors beyond the ideal, in bytes: what kernels are ordered by. At sample sizes where some are open."""
        if self.formulas is not None and self.formulas.sample_excess is not None:
            return self.formulas.sample_excess * SECTOR_BYTES
        return self.totals(Space.GLOBAL).excess * SECTOR_BYTES

    def share(self, item: ProfiledInstruction) -> float | None:
        """Return the part of an instruction in the excess of its memory, 0 to 1; None where that is open."""
        space = item.made.access.space
        excesses = [other.excess for other in self.instructions if other.made.access.space is space]
        whole = sum(excess for excess in excesses if excess is not None)
        return None if item.excess is None or not whole or None in excesses else item.excess / whole

    def is_open(self, space: Space) -> bool:
        """Whether an instruction of a memory has neither a number nor a formula, so that no share in it is known."""
        return any(
            other.excess is None and ((formulas := self.formulas_of(other)) is None or formulas.excess is None)
            for other in self.instructions
            if other.made.access.space is space
        )

    def traffic_share(self, item: ProfiledInstruction) -> float | None:
        """Return the part of an instruction in what its memory moves, 0 to 1; None where that is open."""
        space = item.made.access.space
        costs = [other.cost for other in self.instructions if other.made.access.space is space]
        whole = sum(cost for cost in costs if cost is not None)
        return None if item.cost is None or not whole or None in costs else item.cost / whole

    def launch_totals(self, item: ProfiledInstruction) -> LaunchTotals | None:
        """Return the numbers of an instruction; None where the source leaves open how often it is executed."""
        executed = item.executions.warps
        if executed is None:
            return None
        return LaunchTotals(executed, item.cost, item.excess, self.share(item), item.executions.assumed)


@record(frozen=True, slots=True)
class Profile:
    """The outcome of `profile`: kernels by their excess, the greatest first."""

    kernels: tuple[KernelProfile, ...]
    coverage: Coverage
    failures: tuple[Failure, ...] = ()
    remarks: tuple[str, ...] = ()
