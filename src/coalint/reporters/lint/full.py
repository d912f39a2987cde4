"""Prints a report for people: each group with its source, numbers, reason and remedy, then what it comes to."""

from __future__ import annotations

from rich.console import Console

from coalint.core.findings import Severity
from coalint.core.source.source_lines import SourceLines
from coalint.engine.findings.groups import Group, groups
from coalint.engine.report import Report
from coalint.reporters.lint.text.closing import fix_first, info_counts
from coalint.reporters.lint.text.detail import SHORT, Detail
from coalint.reporters.lint.text.long_finding import long_finding
from coalint.reporters.lint.text.short_finding import short_finding
from coalint.reporters.shared.summary import fold, summary


def print_report(report: Report, console: Console, detail: Detail = SHORT) -> None:
    """Print the findings, then the summary."""
    print_findings(report, console, detail)
    if not detail.quiet:
        print_summary(report, console, detail)


def print_findings(report: Report, console: Console, detail: Detail = SHORT) -> None:
    """Print the findings alone."""
    lines = SourceLines(report.sources)
    describe = long_finding if detail.verbose else short_finding
    for group in _shown(report, detail):
        for text in describe(group, lines, console.width):
            console.print(text)
        console.print()


def print_summary(report: Report, console: Console, detail: Detail = SHORT) -> None:
    """Print what the findings come to."""
    _, folded = fold(report.diagnostics, every=not detail.info)
    grouped = groups(report.diagnostics)
    notes = [] if detail.info else [group for group in grouped if group.severity is Severity.INFO]
    for text in summary(report, grouped, folded, console.width, info=detail.info):
        console.print(text)
    for text in info_counts(notes, console.width):
        console.print(text)
    for text in fix_first(_shown(report, detail), console.width):
        console.print(text)


def _shown(report: Report, detail: Detail) -> list[Group]:
    if not detail.info:
        return [group for group in groups(report.diagnostics) if group.severity > Severity.INFO]
    unfolded, _ = fold(report.diagnostics, every=False)
    return groups(unfolded)
