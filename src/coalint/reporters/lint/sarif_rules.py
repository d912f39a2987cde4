"""Describes a rule in SARIF: its documentation in sections, as text and as Markdown."""

from __future__ import annotations

from typing import Any

from coalint.core.findings import Severity
from coalint.reporters.rules.text import rule_page, summary_line
from coalint.rule import Rule

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}
_TAGS = {
    "COA1": ("performance", "global-memory"),
    "COA2": ("performance", "shared-memory"),
    "COA3": ("correctness", "synchronization"),
    "COA4": ("correctness", "global-memory"),
}


def descriptor(rule: type[Rule]) -> dict[str, Any]:
    """Return the `reportingDescriptor` of a rule; GitHub reads `problem.severity` and `tags`."""
    page = rule_page(rule)
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": summary_line(rule)},
        "fullDescription": {"text": _section(rule, "What it does") or summary_line(rule)},
        "help": {"text": page, "markdown": page},
        **({"helpUri": address} if (address := rule.address()) else {}),
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {
            "tags": ["cuda", *_TAGS.get(rule.code[:4], ())],
            "problem.severity": _PROBLEM[rule.severity],
        },
    }


def _section(rule: type[Rule], title: str) -> str:
    """Return the paragraphs under a heading of the rule's documentation; empty where there is none."""
    _, _, rest = rule.documentation().partition(f"## {title}\n")
    return rest.partition("\n## ")[0].strip()
