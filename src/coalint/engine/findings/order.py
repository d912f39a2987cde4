"""The orders in which findings are reported."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from coalint.core.findings import Confidence
from coalint.core.source.spans import Span
from coalint.engine.report import Diagnostic

_SURENESS = {Confidence.HIGH: 0, Confidence.MEDIUM: 1, Confidence.LOW: 2}


class Order(Enum):
    """What --sort names: by severity and cost within it, by cost alone, or by place."""

    SEVERITY = "severity"
    COST = "cost"
    PATH = "path"


def report_order(diagnostic: Diagnostic) -> tuple[Span, str]:
    """Return the sort key: place, then rule code."""
    return diagnostic.finding.span, diagnostic.finding.code


def sorted_by(order: Order, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics in this order; those that are equal in it are sorted by place."""
    return sorted(diagnostics, key=_KEYS[order])


def worst_first(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics sorted by severity, then cost, then confidence, then place."""
    return sorted_by(Order.SEVERITY, diagnostics)


def badness(diagnostic: Diagnostic) -> tuple[float, ...]:
    """Return a sort key by which the worst diagnostic comes first: severity, cost, confidence."""
    finding = diagnostic.finding
    return -finding.severity, -diagnostic.cost, _SURENESS[finding.confidence]


def _by_cost(diagnostic: Diagnostic) -> tuple[object, ...]:
    severity, cost, sureness = badness(diagnostic)
    return cost, severity, sureness, *report_order(diagnostic)


def _by_severity(diagnostic: Diagnostic) -> tuple[object, ...]:
    return *badness(diagnostic), *report_order(diagnostic)


_KEYS = {Order.SEVERITY: _by_severity, Order.COST: _by_cost, Order.PATH: report_order}
