"""Prints GitHub workflow commands: findings as annotations of a run, the worst first."""

from __future__ import annotations

from collections import Counter

from coalint.core.findings import Severity
from coalint.engine.findings.groups import Group, groups
from coalint.engine.findings.order import worst_first
from coalint.engine.report import Report
from coalint.reporters.shared.escape_controls import escape_controls
from coalint.reporters.shared.places import other_places
from coalint.reporters.shared.positions import Positions

SHOWN = 10
"""How many annotations of each level GitHub shows per step."""
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def report_text(report: Report) -> str:
    """Return one command per finding, and a line on how many GitHub does not show."""
    positions = Positions(report.sources)
    grouped = groups(worst_first(report.diagnostics))
    lines = [_command(group, positions) for group in grouped]
    counts = Counter(group.severity for group in grouped)
    many = [f"{counts[severity]} of level {level}" for severity, level in _LEVELS.items() if counts[severity] > SHOWN]
    if many:
        lines.append(f"coalint found {' and '.join(many)}; GitHub annotates {SHOWN} of a level, this log has them all")
    return "".join(f"{line}\n" for line in lines)


def _command(group: Group, positions: Positions) -> str:
    finding = group.shown.finding
    span = positions.first_line(finding.span)
    path = positions.path(span.file)
    properties = {
        "title": f"{finding.name} ({finding.code})",
        "file": path,
        "line": str(span.line),
        "endLine": str(span.end_line),
        "col": str(span.column),
        "endColumn": str(span.end_column),
    }
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    shown = finding.span.shown
    message = f"{positions.path(shown.file)}:{shown.line}:{shown.column}: {finding.message}"
    message += f". {finding.help}" if finding.help else ""
    message += f". Also at {other_places(group, positions.path)}" if group.others else ""
    return f"::{_LEVELS[finding.severity]} {listed}::{_data(escape_controls(message))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
