"""Writes docs/read-findings.md from docs/data/read_findings*: findings in public libraries that a person judged."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
VERDICTS = ("worth acting on", "true", "of no use", "misleading", "false")

HEAD = (DOCS / "data" / "read_findings_head.txt").read_text()
"""What stands above the tables."""

ROUNDS: list[str] = json.loads((DOCS / "data" / "read_findings_rounds.json").read_text())
"""The titles of the rounds, the first one first."""


def page(data: dict[str, Any]) -> str:
    """Return the page."""
    findings = data["findings"]
    parts = [HEAD]
    for number, title in enumerate(ROUNDS, 1):
        chosen = [finding for finding in findings if finding["round"] == number]
        grave = [finding for finding in chosen if finding["severity"] != "info"]
        good = sum(finding["verdict"] == "worth acting on" for finding in grave)
        parts.append(
            f"## {title}\n\n{len(chosen)} findings, {len(grave)} of them errors or warnings, of which {good} are worth "
            f"acting on ({100 * good / len(grave):.0f} %){_wrong(chosen)}.\n\n{_table(chosen)}"
        )
    return "\n".join(parts)


def _table(findings: list[dict[str, Any]]) -> str:
    counts = Counter((f["repository"], f["commit"][:10], f["rule"], f["severity"], f["verdict"]) for f in findings)
    rows = sorted({key[:4] for key in counts})
    lines = [f"| repository | commit | rule | severity | {' | '.join(VERDICTS)} |", "|---" * 4 + "|---:" * 5 + "|"]
    for row in rows:
        numbers = [counts[*row, verdict] or "" for verdict in VERDICTS]
        lines.append(f"| {' | '.join(map(str, (*row, *numbers)))} |")
    return "\n".join(lines) + "\n"


def _wrong(findings: list[dict[str, Any]]) -> str:
    counts = Counter(finding["verdict"] for finding in findings)
    return f"; {counts['misleading']} of all are misleading, {counts['false']} false"


if __name__ == "__main__":
    data = json.loads((DOCS / "data" / "read_findings.json").read_text())
    (DOCS / "read-findings.md").write_text(page(data))
