"""The order in which findings are reported."""

from __future__ import annotations

from coalint.core.source.spans import Span
from coalint.engine.report import Diagnostic


def report_order(diagnostic: Diagnostic) -> tuple[Span, str]:
    """Return the sort key: place, then rule code."""
    return diagnostic.finding.span, diagnostic.finding.code
