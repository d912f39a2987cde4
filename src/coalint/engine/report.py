"""What a run hands to a reporter: diagnostics, coverage, failures and the sources that frames quote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import reduce
from typing import TYPE_CHECKING

from coalint.core.facts.access import Access, Space
from coalint.core.facts.analysis import Analysis
from coalint.core.findings import Finding, Severity
from coalint.engine.config.settings import DEFAULT_ARCH
from coalint.machine.traffic import Traffic

if TYPE_CHECKING:
    from coalint.engine.findings.known import Listed


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much was understood: kernels found and analysed, and the accesses to global and shared memory.

    An access counts once per specialization of its kernel; `reasons` says how many are unknown for what reason, and
    `data_dependent` how many of the unknown ones are so because the address rests on what memory holds.
    """

    kernels: int = 0
    analysed: int = 0
    accesses: int = 0
    exact: int = 0
    symbolic: int = 0
    unknown: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict)
    data_dependent: int = 0

    @staticmethod
    def of(accesses: Iterable[Access]) -> Coverage:
        """Count the accesses of one kernel; the kernels themselves are counted by the linter."""
        exact = symbolic = unknown = loaded = 0
        reasons: dict[str, int] = {}
        for access in accesses:
            if access.space in (Space.LOCAL, Space.CONSTANT):
                continue
            if access.lanes is None:
                unknown += 1
                loaded += access.data_dependent
                reason = access.unknown or "no reason given"
                reasons[reason] = reasons.get(reason, 0) + 1
            elif access.exact:
                exact += 1
            else:
                symbolic += 1
        return Coverage(0, 0, exact + symbolic + unknown, exact, symbolic, unknown, reasons, loaded)

    @staticmethod
    def total(parts: Iterable[Coverage], *, kernels: int, analysed: int) -> Coverage:
        """Sum the accesses of many kernels."""
        counted = reduce(Coverage._plus, parts, Coverage())
        reasons = dict(sorted(counted.reasons.items(), key=lambda item: (-item[1], item[0])))
        return replace(counted, kernels=kernels, analysed=analysed, reasons=reasons)

    def _plus(self, other: Coverage) -> Coverage:
        reasons = dict(self.reasons)
        for reason, count in other.reasons.items():
            reasons[reason] = reasons.get(reason, 0) + count
        return Coverage(
            0,
            0,
            self.accesses + other.accesses,
            self.exact + other.exact,
            self.symbolic + other.symbolic,
            self.unknown + other.unknown,
            reasons,
            self.data_dependent + other.data_dependent,
        )


class FailureKind(Enum):
    """What went wrong: the input (the user can mend it) or coalint itself."""

    INPUT = "input"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that makes the run end with exit code 2, though the rest of it is reported."""

    kind: FailureKind
    message: str
    remedy: str
    file: str | None = None

    @property
    def cause(self) -> str:
        """The same text for the same fault: a fault of coalint's own is known by its place in coalint."""
        if self.kind is FailureKind.INPUT:
            return str(self)
        return self.message.partition(" while ")[0]

    @staticmethod
    def input(message: str, remedy: str, file: str | None = None) -> Failure:
        """A failure that the user can mend."""
        return Failure(FailureKind.INPUT, message, remedy, file)

    def __str__(self) -> str:
        """The text for stderr."""
        head = "internal error: " if self.kind is FailureKind.INTERNAL else "error: "
        where = f"{self.file}: " if self.file else ""
        return f"{head}{where}{self.message}" + (f"\n  {self.remedy}" if self.remedy else "")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding as it is reported, with the launch that it rests on.

    `basis` is that launch and what else was assumed (empty where a finding rests on none), `also` names the other
    kernels, template arguments and block shapes that it holds for. `excess` is what a request moves beyond its ideal,
    in sectors or wavefronts; 0 for what is no traffic.
    """

    finding: Finding
    basis: str = ""
    also: tuple[str, ...] = ()
    excess: float = 0.0


@dataclass(frozen=True, slots=True)
class Hidden:
    """How many findings were made and are not reported: by comments, by the baseline, outside of what changed."""

    comments: int = 0
    baseline: int = 0
    unchanged: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of `lint`, in the order in which it is printed. `sources` maps file names to their text.

    `remarks` are for stderr: what the run had to go on without. `gone` is what a baseline lists and is there no more.
    `inspected` are the kernels with all of their accesses, where these were asked for.
    """

    diagnostics: tuple[Diagnostic, ...]
    coverage: Coverage
    failures: tuple[Failure, ...]
    files: int
    sources: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    hidden: Hidden = Hidden()
    gone: tuple[Listed, ...] = ()
    inspected: tuple[Inspected, ...] = ()

    def count(self, severity: Severity) -> int:
        """How many diagnostics have exactly this severity."""
        return sum(d.finding.severity is severity for d in self.diagnostics)

    def exit_code(self, fail_on: Severity) -> int:
        """0 when nothing reaches `fail_on`, 1 when something does, 2 when the run was not whole."""
        if self.failures:
            return 2
        return int(any(d.finding.severity >= fail_on for d in self.diagnostics))


@dataclass(frozen=True, slots=True)
class Inspected:
    """One kernel at one specialization, with what each access costs on `arch` (None: unknown or not counted)."""

    analysis: Analysis
    traffics: tuple[Traffic | None, ...]
    arch: str = DEFAULT_ARCH


@dataclass(frozen=True, slots=True)
class Inspection:
    """The outcome of `inspect`."""

    kernels: tuple[Inspected, ...]
    coverage: Coverage
    failures: tuple[Failure, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    remarks: tuple[str, ...] = ()
