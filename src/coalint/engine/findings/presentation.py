"""What of a report is presented, and in which order: the settings that do not change what is found."""

from __future__ import annotations

from dataclasses import replace

from coalint.core.findings import Severity
from coalint.engine.findings.groups import grouped
from coalint.engine.findings.order import Order, sorted_by
from coalint.engine.report import Report


def at_least(report: Report, severity: Severity) -> Report:
    """Return the report without findings below a severity, which it counts as hidden."""
    kept = tuple(d for d in report.diagnostics if d.finding.severity >= severity)
    below = len(report.diagnostics) - len(kept)
    return replace(report, diagnostics=kept, hidden=replace(report.hidden, severity=report.hidden.severity + below))


def ordered(report: Report, order: Order) -> Report:
    """Return the report with its findings in this order."""
    return replace(report, diagnostics=tuple(sorted_by(order, report.diagnostics)))


def first(report: Report, count: int) -> Report:
    """Return the report with no more than `count` findings (each with all of its places); 0 for all."""
    by_cause = grouped(report.diagnostics)
    if not count or len(by_cause) <= count:
        return report
    left = {id(member) for group in by_cause[count:] for member in group.members}
    kept = tuple(d for d in report.diagnostics if id(d) not in left)
    return replace(report, diagnostics=kept, hidden=replace(report.hidden, more=len(by_cause) - count))
