"""Prints one line per finding, as compilers do: `path:line:col: severity[name] message`."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.engine.findings.groups import groups
from coalint.engine.report import Report
from coalint.reporters.shared.escape_controls import escape_controls
from coalint.reporters.shared.places import other_places


def concise_lines(report: Report) -> Iterator[str]:
    """Yield the lines of the report, without line ends."""
    for group in groups(report.diagnostics):
        finding = group.shown.finding
        place = f"{finding.span.file}:{finding.span.line}:{finding.span.column}"
        also = f" (also at {other_places(group)})" if group.others else ""
        message = " ".join(finding.message.split())
        yield escape_controls(f"{place}: {finding.severity.label}[{finding.name}] {message}{also}")


def report_text(report: Report) -> str:
    """Return all lines; empty where there are no findings."""
    return "".join(f"{line}\n" for line in concise_lines(report))
