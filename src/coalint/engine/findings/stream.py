"""Reports on single files while a run goes on: the findings that no other file of the run can take back."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from coalint.engine.check.records import FileResult
from coalint.engine.findings.deduplicate import is_launched
from coalint.engine.findings.filters.exclusions import Exclusions
from coalint.engine.findings.filters.selection import RuleSelections
from coalint.engine.findings.gather import gather
from coalint.engine.report import Diagnostic, Report
from coalint.rule import is_own


class Stream:
    """Hands on a report for each file that is checked.

    What another file may change comes at the end only: findings of kernels under assumed launches, findings that lie in
    another file than the one checked, coalint's own findings, and what was taken out of Python files and notebooks.
    """

    def __init__(
        self,
        finished: Callable[[Report], None],
        selections: RuleSelections,
        exclusions: Exclusions,
        embedded: Collection[str],
    ) -> None:
        self._hand_on = finished
        self._selections = selections
        self._exclusions = exclusions
        self._embedded = embedded

    def finished(self, result: FileResult) -> None:
        """Hand on what is certain of one file, if there is anything."""
        if result.path in self._embedded:
            return
        assumed = {(kernel.kernel, kernel.span) for kernel in result.checked if not is_launched(kernel)}
        certain = tuple(kernel for kernel in result.checked if (kernel.kernel, kernel.span) not in assumed)
        alone = replace(result, checked=certain, problems=())
        report = gather([alone], self._selections, self._exclusions, [result.path])
        diagnostics = tuple(
            d for d in report.diagnostics if d.finding.span.file == result.path and not is_own(d.finding.code)
        )
        if diagnostics:
            self._hand_on(replace(report, diagnostics=diagnostics))


def without(report: Report, told: Collection[tuple[object, ...]]) -> Report:
    """Return the report without the findings that were told before, as `identity` tells them apart."""
    return replace(report, diagnostics=tuple(d for d in report.diagnostics if identity(d) not in told))


def identity(diagnostic: Diagnostic) -> tuple[object, ...]:
    """Return what tells a finding from others: where it is, which it is, and what it says."""
    finding = diagnostic.finding
    return finding.span, finding.code, finding.kernel, finding.message, finding.severity
