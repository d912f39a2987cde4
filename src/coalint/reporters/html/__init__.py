"""The report as one page: source with its accesses, and maps of them that are computed anew in the page."""

from __future__ import annotations

from coalint.engine.report import Report
from coalint.reporters.html.page import page_text


def report_text(report: Report) -> str:
    """One file that needs nothing else: no network, no other file."""
    return page_text(report)
