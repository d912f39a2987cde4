"""Reports on notebooks for people: each place within its cell, which stands for a file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from coalint.core.facts.analysis import Analysis
from coalint.core.source.spans import Span
from coalint.engine.report import Diagnostic, Inspected, Inspection, Report
from coalint.engine.units.display_names import Names, placed


class _InCells(Names):
    """Names places in notebooks by their cells."""

    def __init__(self) -> None:
        super().__init__({})

    def file(self, name: str) -> str:
        return name

    def span(self, span: Span) -> Span:
        return span.shown

    def diagnostic(self, diagnostic: Diagnostic) -> Diagnostic:
        """Return a diagnostic with its places in cells."""
        kernel = diagnostic.kernel_span
        return replace(
            diagnostic, finding=self.finding(diagnostic.finding), kernel_span=None if kernel is None else kernel.shown
        )

    def inspected(self, item: Inspected) -> Inspected:
        """Return a kernel with its places in cells."""
        analysis = self.analysis(item.analysis)
        return replace(item, analysis=analysis, instructions=placed(item.instructions, analysis))


def report_in_cells(report: Report) -> Report:
    """Return a report with the places in notebooks as `nb.ipynb:cell 3:2:5`, by which its sources hold the cells."""
    if not _has_cells((d.finding.span for d in report.diagnostics), (i.analysis for i in report.inspected)):
        return report
    names = _InCells()
    return replace(
        report,
        diagnostics=tuple(map(names.diagnostic, report.diagnostics)),
        inspected=tuple(map(names.inspected, report.inspected)),
    )


def inspection_in_cells(inspection: Inspection) -> Inspection:
    """Return an inspection with the places in notebooks as in `report_in_cells`."""
    spans = (d.finding.span for d in inspection.diagnostics)
    if not _has_cells(spans, (item.analysis for item in inspection.kernels)):
        return inspection
    names = _InCells()
    return replace(
        inspection,
        diagnostics=tuple(map(names.diagnostic, inspection.diagnostics)),
        kernels=tuple(map(names.inspected, inspection.kernels)),
    )


def _has_cells(spans: Iterable[Span], analyses: Iterable[Analysis]) -> bool:
    return any(span.cell is not None for span in spans) or any(a.span.cell is not None for a in analyses)
