"""Prints one line per finding, as compilers do: `path:line:col: severity[name] message`."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.engine.report import Report
from coalint.reporters.shared.escape_controls import escape_controls


def concise_lines(report: Report) -> Iterator[str]:
    """Yield the lines of the report, without line ends."""
    for diagnostic in report.diagnostics:
        finding = diagnostic.finding
        place = f"{finding.span.file}:{finding.span.line}:{finding.span.column}"
        yield escape_controls(f"{place}: {finding.severity.label}[{finding.name}] {' '.join(finding.message.split())}")


def report_text(report: Report) -> str:
    """Return all lines; empty where there are no findings."""
    return "".join(f"{line}\n" for line in concise_lines(report))
