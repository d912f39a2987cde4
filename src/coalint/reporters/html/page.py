"""Puts the page together: its data, styles and scripts in one file."""

from __future__ import annotations

from coalint.report import Report


def page_text(report: Report) -> str:
    """The whole file."""
    return ""
