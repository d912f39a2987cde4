"""Prints JSON lines: each finding as one object on one line, with the fields that it has in `json`."""

from __future__ import annotations

import json

from coalint.engine.findings.groups import groups
from coalint.engine.report import Report
from coalint.reporters.lint.json import group_object


def report_text(report: Report) -> str:
    """Return the lines of all findings; empty where there are none."""
    return "".join(json.dumps(group_object(group)) + "\n" for group in groups(report.diagnostics))
