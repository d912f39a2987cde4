"""Writes docs/read-findings.md from docs/data/read_findings.json: findings in public libraries that a person judged."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
VERDICTS = ("worth acting on", "true", "of no use", "misleading", "false")

HEAD = """\
# Findings that were read

Libraries that this project had never looked at were linted as a newcomer would do it (`coalint lint FOLDER`, no
options), and every finding was judged by hand. `docs/data/read_findings.json` lists each finding with its verdict and
one line that explains it.

A verdict compares the finding with the access, its index and the basis that it names. Some findings were judged in the
context of the whole function (all errors, and all of COA301 and COA303), many only from the lines that the finding
quotes. No GPU counters were taken. The verdicts:

- *worth acting on*: a correct error or warning that names something that can be improved;
- *true*: a correct info;
- *of no use*: correct, but there is nothing to gain;
- *misleading*: a real access, but the reason, place or number is wrong;
- *false*: what the finding reports does not exist.

The first round led to fixes. The second round was read after them, in libraries that had not been read before. What was
changed between the rounds:

- Loads whose neighbours use the rest of the same sectors, runs that merely start off a sector boundary, and bank
  conflicts that cost one wavefront outside loops are now infos.
- Narrow block rows are named as the reason where they are the reason.
- Accesses in one kernel that are one stride apart are one finding.
"""


def page(data: dict[str, Any]) -> str:
    """Return the page."""
    findings = data["findings"]
    parts = [HEAD]
    for number, title in ((1, "First round, before the fixes"), (2, "Second round, after the fixes")):
        chosen = [finding for finding in findings if finding["round"] == number]
        grave = [finding for finding in chosen if finding["severity"] != "info"]
        good = sum(finding["verdict"] == "worth acting on" for finding in grave)
        parts.append(
            f"## {title}\n\n{len(chosen)} findings, {len(grave)} of them errors or warnings, of which {good} are worth "
            f"acting on ({100 * good / len(grave):.0f} %).\n\n{_table(chosen)}"
        )
    if data["after"]:
        parts.append(_after(findings, data["after"]))
    return "\n".join(parts)


def _table(findings: list[dict[str, Any]]) -> str:
    counts = Counter((f["repository"], f["commit"][:10], f["rule"], f["severity"], f["verdict"]) for f in findings)
    rows = sorted({key[:4] for key in counts})
    lines = [f"| repository | commit | rule | severity | {' | '.join(VERDICTS)} |", "|---" * 4 + "|---:" * 5 + "|"]
    for row in rows:
        numbers = [counts[*row, verdict] or "" for verdict in VERDICTS]
        lines.append(f"| {' | '.join(map(str, (*row, *numbers)))} |")
    return "\n".join(lines) + "\n"


def _after(findings: list[dict[str, Any]], after: dict[str, dict[str, int]]) -> str:
    lines = [
        "## The first libraries again\n",
        "Errors and warnings in the libraries of the first round, before and after the fixes:\n",
        "| repository | before | worth acting on | after |",
        "|---|---:|---:|---:|",
    ]
    for name, counts in sorted(after.items()):
        of_it = [f for f in findings if f["repository"] == name and f["severity"] != "info"]
        good = sum(f["verdict"] == "worth acting on" for f in of_it)
        lines.append(f"| {name} | {len(of_it)} | {good} | {counts['error'] + counts['warning']} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    data = json.loads((DOCS / "data" / "read_findings.json").read_text())
    (DOCS / "read-findings.md").write_text(page(data))
