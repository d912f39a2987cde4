"""Prints GitLab's Code Quality report: a JSON array of issues, which merge requests show."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from coalint.core.findings import Severity
from coalint.core.source.spans import Span
from coalint.engine.findings.groups import Group, groups
from coalint.engine.report import Report
from coalint.reporters.shared.escape_controls import without_controls
from coalint.reporters.shared.positions import Positions

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}


def report_text(report: Report) -> str:
    """Return the array as indented JSON with a final line feed."""
    positions = Positions(report.sources)
    return json.dumps([_issue(group, positions) for group in groups(report.diagnostics)], indent=2) + "\n"


def _issue(group: Group, positions: Positions) -> dict[str, Any]:
    finding = group.shown.finding
    path = positions.path(finding.span.file)
    others = [_location(other.finding.span, positions) for other in group.others]
    return {
        "description": without_controls(finding.message),
        "check_name": finding.name,
        "fingerprint": _fingerprint(path, finding.fingerprint),
        "severity": _SEVERITIES[finding.severity],
        "location": _location(finding.span, positions),
        **({"other_locations": others} if others else {}),
    }


def _location(span: Span, positions: Positions) -> dict[str, Any]:
    return {"path": positions.path(span.file), "lines": {"begin": span.line, "end": span.end_line}}


def _fingerprint(path: str, fingerprint: str) -> str:
    """Return a fingerprint that is unique in the report: GitLab shows one issue per fingerprint."""
    return hashlib.sha256(f"{path}\0{fingerprint}".encode(errors="replace")).hexdigest()[:32]
