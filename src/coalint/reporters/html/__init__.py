"""`--output-format html`: one page with the sources, their accesses, and maps that the page itself computes."""

from __future__ import annotations

from collections.abc import Iterable

from coalint.engine.report import Report
from coalint.reporters.html.page import page_text
from coalint.rule import Rule


def report_text(report: Report, rules: Iterable[type[Rule]] = ()) -> str:
    """Return the page: one file, which needs no network and no other file; `rules` are those that it explains."""
    return page_text(report, rules)
