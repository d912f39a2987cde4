"""A rule as SARIF describes it: its documentation in sections, as text and as Markdown."""

from __future__ import annotations

from typing import Any

from coalint.diagnostics import Severity
from coalint.reporters.rules import rule_page, summary_line
from coalint.rule import Rule

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}
_TOPICS = {"1": "global-memory", "2": "shared-memory", "3": "synchronization", "4": "global-memory"}


def descriptor(rule: type[Rule]) -> dict[str, Any]:
    """The `reportingDescriptor` of a rule; `problem.severity` and `tags` are what GitHub reads."""
    topic = _TOPICS.get(rule.code[3:4]) if rule.code.startswith("COA") else None
    kind = "correctness" if rule.severity is Severity.ERROR else "performance"
    page = rule_page(rule)
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": summary_line(rule)},
        "fullDescription": {"text": _section(rule, "What it does") or summary_line(rule)},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {
            "tags": ["cuda", *([kind, topic] if topic else [])],
            "problem.severity": _PROBLEM[rule.severity],
        },
    }


def _section(rule: type[Rule], title: str) -> str:
    """The paragraphs under a heading of the rule's documentation; empty where it has none."""
    _, _, rest = rule.documentation().partition(f"## {title}\n")
    return rest.partition("\n## ")[0].strip()
