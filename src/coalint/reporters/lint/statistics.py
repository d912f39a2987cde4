"""Prints how often each rule fired, the most frequent first."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from coalint.core.findings import Severity
from coalint.engine.findings.groups import Group, groups
from coalint.engine.report import Report
from coalint.reporters.lint.json import coverage_object
from coalint.reporters.shared.summary import counted, coverage_text, severity_counts

SCHEMA = "coalint-statistics/1"


def statistics_text(report: Report, output_format: str) -> str:
    """Return a line per rule and severity, or one JSON object of schema `coalint-statistics/1`."""
    grouped = groups(report.diagnostics)
    counts = Counter((c.shown.finding.code, c.shown.finding.name, c.severity) for c in grouped)
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if output_format != "json":
        return "".join(f"{line}\n" for line in _lines(report, grouped, rows))
    value = {
        "schema": SCHEMA,
        "files": report.files,
        "statistics": [
            {"code": code, "name": name, "severity": severity.label, "count": count}
            for (code, name, severity), count in rows
        ],
        "coverage": coverage_object(report.coverage),
    }
    return json.dumps(value, indent=2) + "\n"


def _lines(
    report: Report, grouped: Sequence[Group], rows: list[tuple[tuple[str, str, Severity], int]]
) -> Iterator[str]:
    digits = max((len(str(count)) for _, count in rows), default=0)
    longest = max((len(name) for (_, name, _), _ in rows), default=0)
    for (code, name, severity), count in rows:
        yield f"{count:>{digits}}  {code}  {name:<{longest}}  {severity.label}"
    total = ", ".join(words for _, words in severity_counts(grouped)) or "no findings"
    yield f"{total} in {counted(report.files, 'file')}: {coverage_text(report.coverage)}"
