"""Prints the Reviewdog Diagnostic Format (rdjson): findings with suggestions where they have a fix.

Columns count bytes of UTF-8; paths are printed as they are, since reviewdog resolves them itself. Messages are
Markdown, as which reviewdog puts them into comments.
"""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any

from coalint.core.findings import Fix, Severity
from coalint.core.source.spans import Span
from coalint.engine.findings.groups import Group, groups
from coalint.engine.report import Report
from coalint.reporters.shared.escape_controls import without_controls
from coalint.reporters.shared.markdown import review_text
from coalint.reporters.shared.paragraphs import paragraphs
from coalint.reporters.shared.places import other_places
from coalint.reporters.shared.positions import Positions

_SOURCE = {"name": "coalint"}


def report_text(report: Report) -> str:
    """Return the DiagnosticResult as indented JSON with a final line feed."""
    positions = Positions(report.sources)
    diagnostics = [_diagnostic(group, positions) for group in groups(report.diagnostics)]
    worst = max((diagnostic.finding.severity for diagnostic in report.diagnostics), default=None)
    severity = {} if worst is None else {"severity": worst.name}
    return json.dumps({"source": _SOURCE, **severity, "diagnostics": diagnostics}, indent=2) + "\n"


def _diagnostic(group: Group, positions: Positions) -> dict[str, Any]:
    finding = group.shown.finding
    also = [f"also at {other_places(group)}"] if group.others else []
    value: dict[str, Any] = {
        "message": without_controls("\n".join(map(review_text, (*paragraphs(group.shown), *also)))),
        "location": _location(finding.span, positions),
        "severity": Severity(finding.severity).name,
        "code": {"value": finding.code},
    }
    suggestion = None if finding.fix is None else _suggestion(finding.fix, finding.span.file, positions)
    if suggestion is not None:
        value["suggestions"] = [suggestion]
    return value


def _location(span: Span, positions: Positions) -> dict[str, Any]:
    return {"path": PurePath(span.file).as_posix(), "range": _range(span, positions)}


def _suggestion(fix: Fix, file: str, positions: Positions) -> dict[str, Any] | None:
    """Return the edits as one, since suggestions are applied one by one; None where they concern several files."""
    edits = sorted(fix.edits, key=lambda edit: edit.span)
    if not edits or any(edit.span.file != file for edit in edits):
        return None
    text, at = "", edits[0].span
    for edit in edits:
        between = Span(file, at.end_line, at.end_column, edit.span.line, edit.span.column)
        text += (positions.text(between) if edit is not edits[0] else "") + edit.replacement
        at = edit.span
    first = edits[0].span
    return {"range": _range(Span(file, first.line, first.column, at.end_line, at.end_column), positions), "text": text}


def _range(span: Span, positions: Positions) -> dict[str, Any]:
    return {
        "start": {"line": span.line, "column": positions.utf8(span.file, span.line, span.column)},
        "end": {"line": span.end_line, "column": positions.utf8(span.file, span.end_line, span.end_column)},
    }
