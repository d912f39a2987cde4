"""The results of a run as reporters take them: diagnostics, coverage, failures, sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from enum import Enum
from functools import reduce
from typing import TYPE_CHECKING

from coalint.core.facts.access import Access, Space
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.block_forms import BlockForms
from coalint.core.facts.causes import CauseKind
from coalint.core.facts.launch import Specialization
from coalint.core.findings import Finding, Severity
from coalint.core.records import record
from coalint.core.source.spans import Span
from coalint.engine.config.settings import DEFAULT_ARCH
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.machine.traffic import Traffic

if TYPE_CHECKING:
    from coalint.engine.findings.filters.baseline.entry import BaselineEntry


@record(frozen=True, slots=True)
class Coverage:
    """How much of a run was understood.

    Attributes:
        kernels: Kernels that the files define.
        analysed: Those of them that were analysed.
        partial: Those that were analysed but for what could not be parsed of them; they are not among `analysed`.
        accesses: Accesses to global and shared memory, each once per specialization of its kernel.
        exact: Those whose cost is exact.
        symbolic: Those whose cost holds for a general value of an unknown.
        unknown: Those whose cost is unknown.
        reasons: How many are unknown for each reason.
        data_dependent: How many are unknown because their address depends on what memory holds.
        installed: The headers that were read from folders on this machine, since coalint's own lack them, by folder.
    """

    kernels: int = 0
    analysed: int = 0
    accesses: int = 0
    exact: int = 0
    symbolic: int = 0
    unknown: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict)
    data_dependent: int = 0
    partial: int = 0
    installed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @staticmethod
    def of(accesses: Iterable[Access]) -> Coverage:
        """Return the counts of one kernel's accesses; kernels are not counted here."""
        exact = symbolic = unknown = loaded = 0
        reasons: dict[str, int] = {}
        for access in accesses:
            if access.space in (Space.LOCAL, Space.CONSTANT):
                continue
            if access.result.lanes is None:
                unknown += 1
                loaded += access.result.data_dependent
                reason = access.result.unknown or "no reason given"
                reasons[reason] = reasons.get(reason, 0) + 1
            elif access.result.exact:
                exact += 1
            else:
                symbolic += 1
        return Coverage(
            accesses=exact + symbolic + unknown,
            exact=exact,
            symbolic=symbolic,
            unknown=unknown,
            reasons=reasons,
            data_dependent=loaded,
        )

    @staticmethod
    def total(parts: Iterable[Coverage], *, kernels: int, analysed: int, partial: int = 0) -> Coverage:
        """Return the sum of many kernels' accesses, with these counts of kernels."""
        counted = reduce(Coverage._plus, parts, Coverage())
        reasons = dict(sorted(counted.reasons.items(), key=lambda item: (-item[1], item[0])))
        return replace(counted, kernels=kernels, analysed=analysed, partial=partial, reasons=reasons)

    def _plus(self, other: Coverage) -> Coverage:
        reasons = dict(self.reasons)
        for reason, count in other.reasons.items():
            reasons[reason] = reasons.get(reason, 0) + count
        return Coverage(
            accesses=self.accesses + other.accesses,
            exact=self.exact + other.exact,
            symbolic=self.symbolic + other.symbolic,
            unknown=self.unknown + other.unknown,
            reasons=reasons,
            data_dependent=self.data_dependent + other.data_dependent,
        )


class FailureKind(Enum):
    """Whose fault a failure is: that of the input, which the user can correct, or of coalint itself."""

    INPUT = "input"
    INTERNAL = "internal"


@record(frozen=True, slots=True)
class Failure:
    """An error that makes the run end with exit code 2, though the rest of it is reported.

    Attributes:
        kind: Whether the input or coalint itself is at fault.
        message: What happened.
        remedy: What the user can do.
        file: The file that it happened in; None where it concerns none.
        cause: What failures share that are told once: the kind of the error and its place in coalint. Empty for a
            failure that is told alone.
    """

    kind: FailureKind
    message: str
    remedy: str
    file: str | None = None
    cause: str = ""

    @staticmethod
    def input(message: str, remedy: str, file: str | None = None) -> Failure:
        """Return a failure that the user can correct."""
        return Failure(kind=FailureKind.INPUT, message=message, remedy=remedy, file=file)

    def __str__(self) -> str:
        """Return the text for stderr."""
        head = "internal error: " if self.kind is FailureKind.INTERNAL else "error: "
        where = "\N{REPLACEMENT CHARACTER}".join(self.file.splitlines()) + ": " if self.file else ""
        return f"{head}{where}{self.message}" + (f"\n  {self.remedy}" if self.remedy else "")


@record(frozen=True, slots=True)
class Diagnostic:
    """A finding as it is reported, with the launch that it holds for.

    Attributes:
        finding: The finding.
        basis: The launch that its numbers are computed for, and what else was assumed; empty where there is none.
        also: The other kernels, template arguments and block shapes that the finding holds for.
        excess: Sectors or wavefronts per request beyond the ideal; 0 for findings that are not about traffic.
        kernel_span: Where the kernel stands, whose launch the numbers are for; None for findings about a file.
        specialization: The launch and template arguments that the numbers are for; None for findings about a file.
        arch: The GPU that costs are counted for, as `sm_90`; empty for findings about a file.
    """

    finding: Finding
    basis: str = ""
    also: tuple[str, ...] = ()
    excess: float = 0.0
    kernel_span: Span | None = None
    specialization: Specialization | None = None
    arch: str = ""

    @property
    def cost(self) -> float:
        """The excess over the launch, as far as it is known, else over the loops around the access: to rank findings.

        Lanes of an atomic that meet at one address are served in turns, which counts as a sector or wavefront each.
        """
        cause = self.finding.cause
        meeting = cause is not None and cause.kind is CauseKind.MEETING_LANES
        turns = dict(cause.numbers).get("lanes", 1.0) - 1 if cause is not None and meeting else 0.0
        whole = self.finding.launch_cost
        if whole is None:
            return max(self.excess, turns) * self.finding.weight
        if whole.excess is None or whole.executed is None:
            return max(self.excess, turns) * self.finding.weight * whole.warps
        return max(whole.excess, turns * whole.executed)


@record(frozen=True, slots=True)
class Hidden:
    """How many findings are not reported.

    Attributes:
        comments: Those that comments hide.
        baseline: Those that the baseline lists.
        unchanged: Those in code that did not change.
        severity: Those below --min-severity.
        more: Those beyond --max-findings, each with all of its places; they count for the exit code.
    """

    comments: int = 0
    baseline: int = 0
    unchanged: int = 0
    severity: int = 0
    more: int = 0


@record(frozen=True, slots=True)
class Report:
    """The outcome of `lint`.

    Attributes:
        diagnostics: What is reported, in this order.
        coverage: How much was understood.
        failures: What makes the run incomplete.
        files: How many files were asked for.
        sources: The text of each file that a place lies in, by file name.
        remarks: Warnings for stderr.
        hidden: How many findings are not reported.
        stale: Entries of the baseline whose findings are gone.
        inspected: The kernels with all of their accesses, where these were asked for.
        arch: The GPU that costs are counted for, but for files whose settings or compile commands name another.
    """

    diagnostics: tuple[Diagnostic, ...]
    coverage: Coverage
    failures: tuple[Failure, ...]
    files: int
    sources: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    hidden: Hidden = Hidden()
    stale: tuple[BaselineEntry, ...] = ()
    inspected: tuple[Inspected, ...] = ()
    arch: str = DEFAULT_ARCH

    def count(self, severity: Severity) -> int:
        """Return how many diagnostics have exactly this severity."""
        return sum(d.finding.severity is severity for d in self.diagnostics)

    def exit_code(self, fail_on: Severity) -> int:
        """Return 0 where no finding reaches `fail_on`, 1 where one does, 2 where the run had failures."""
        if self.failures:
            return 2
        return int(any(d.finding.severity >= fail_on for d in self.diagnostics))


@record(frozen=True, slots=True)
class Inspected:
    """One kernel at one specialization, with the cost of each access.

    Attributes:
        analysis: The kernel's accesses and barriers.
        instructions: The machine instruction that each access becomes, in the same order, with its cost.
        arch: The architecture that costs are for, as `sm_90`.
        block_forms: The counts in open extents of the block, where formulas were asked for.
    """

    analysis: Analysis
    instructions: tuple[MachineInstruction, ...]
    arch: str = DEFAULT_ARCH
    block_forms: BlockForms | None = None

    @property
    def traffics(self) -> tuple[Traffic | None, ...]:
        """What the instruction of each access costs; None where that is unknown or not counted."""
        return tuple(made.traffic for made in self.instructions)


@record(frozen=True, slots=True)
class Inspection:
    """The outcome of `inspect`.

    Attributes:
        kernels: The kernels with their accesses, ordered by place.
        coverage: How much was understood.
        failures: What makes the run incomplete.
        diagnostics: What could not be analysed.
        remarks: Warnings for stderr.
    """

    kernels: tuple[Inspected, ...]
    coverage: Coverage
    failures: tuple[Failure, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    remarks: tuple[str, ...] = ()
