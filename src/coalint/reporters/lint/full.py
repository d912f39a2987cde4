"""Prints a report for people: each group with its source, numbers, reason and remedy, then what it comes to."""

from __future__ import annotations

from rich.console import Console

from coalint.core.findings import Severity
from coalint.core.source.source_lines import SourceLines
from coalint.engine.findings.groups import groups
from coalint.engine.report import Report
from coalint.reporters.lint.text.closing import fix_first, info_counts
from coalint.reporters.lint.text.detail import SHORT, Detail
from coalint.reporters.lint.text.long_finding import long_finding
from coalint.reporters.lint.text.short_finding import short_finding
from coalint.reporters.shared.summary import fold, summary


def print_report(report: Report, console: Console, detail: Detail = SHORT) -> None:
    """Print the findings, then the summary."""
    lines = SourceLines(report.sources)
    unfolded, folded = fold(report.diagnostics, every=not detail.info)
    found = groups(report.diagnostics)
    shown = groups(unfolded) if detail.info else [c for c in found if c.severity > Severity.INFO]
    notes = [] if detail.info else [group for group in found if group.severity is Severity.INFO]
    describe = long_finding if detail.verbose else short_finding
    for group in shown:
        for text in describe(group, lines, console.width):
            console.print(text)
        console.print()
    if detail.quiet:
        return
    for text in summary(report, found, folded, console.width, info=detail.info):
        console.print(text)
    for text in info_counts(notes, console.width):
        console.print(text)
    for text in fix_first(shown, console.width):
        console.print(text)
