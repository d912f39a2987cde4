"""Prints GitLab's Code Quality report: a JSON array of issues, which merge requests show."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from coalint.core.findings import Severity
from coalint.engine.report import Diagnostic, Report
from coalint.reporters.shared.positions import Positions

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}


def report_text(report: Report) -> str:
    """Return the array as indented JSON with a final line feed."""
    positions = Positions(report.sources)
    return json.dumps([_issue(diagnostic, positions) for diagnostic in report.diagnostics], indent=2) + "\n"


def _issue(diagnostic: Diagnostic, positions: Positions) -> dict[str, Any]:
    finding = diagnostic.finding
    span = finding.span
    path = positions.path(span.file)
    return {
        "description": finding.message,
        "check_name": finding.name,
        "fingerprint": _fingerprint(path, finding.fingerprint),
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": path, "lines": {"begin": span.line, "end": span.end_line}},
    }


def _fingerprint(path: str, fingerprint: str) -> str:
    """Return a fingerprint that is unique in the report: GitLab shows one issue per fingerprint."""
    return hashlib.sha256(f"{path}\0{fingerprint}".encode(errors="replace")).hexdigest()[:32]
