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

Libraries that this project had not looked at before were linted as a stranger would (`coalint lint FOLDER`, no
options), and their findings judged, one by one. `docs/data/read_findings.json` names each, with a verdict and a line of
why.

Each verdict compares the finding with the access, its index and the basis that it names. Some were read in the function
around them (all errors, COA301 and COA303 among them), many only by the lines that the finding quotes; the GPU's
counters were not asked. A verdict is one of:

- *worth acting on*: an error or a warning that is right and names something that can be changed for a gain;
- *true*: an info that is right;
- *of no use*: right, but nothing would be gained;
- *misleading*: a right access with a wrong reason, place or number;
- *false*: there is no such thing.

The first round was read before the mends that it led to, the second after them, in libraries that had not been read
until then. What was mended: loads whose neighbours use the rest of the same sectors, runs that only begin off a sector,
and conflicts that cost one wavefront outside of loops are infos now; rows of a narrow block are named as the reason
where they are it; accesses that are one stride apart in one kernel are one finding.
"""


def page(data: dict[str, Any]) -> str:
    """Return the page."""
    findings = data["findings"]
    parts = [HEAD]
    for number, title in ((1, "First round, before the mends"), (2, "Second round, after them")):
        chosen = [finding for finding in findings if finding["round"] == number]
        grave = [finding for finding in chosen if finding["severity"] != "info"]
        good = sum(finding["verdict"] == "worth acting on" for finding in grave)
        parts.append(
            f"## {title}\n\n{len(chosen)} findings, of them {len(grave)} errors and warnings: {good} worth acting on "
            f"({100 * good / len(grave):.0f} %).\n\n{_table(chosen)}"
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
        "## The first libraries once more\n",
        "Errors and warnings of the first round, before and after the mends:\n",
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
