"""`--output-format html`: one page with the sources, their accesses, and maps that the page itself computes."""

from __future__ import annotations

from coalint.engine.report import Report
from coalint.reporters.html.page import page_text


def report_text(report: Report) -> str:
    """Return the page: one file, which needs no network and no other file."""
    return page_text(report)
