"""One line per finding, as compilers print them: `path:line:col: severity[name] message`."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.engine.report import Report
from coalint.reporters.shared.visible import visible


def concise_lines(report: Report) -> Iterator[str]:
    """The lines of the report, without line ends."""
    for diagnostic in report.diagnostics:
        finding = diagnostic.finding
        place = f"{finding.span.file}:{finding.span.line}:{finding.span.column}"
        yield visible(f"{place}: {finding.severity.label}[{finding.name}] {' '.join(finding.message.split())}")


def report_text(report: Report) -> str:
    """All lines; empty where nothing was found."""
    return "".join(f"{line}\n" for line in concise_lines(report))
