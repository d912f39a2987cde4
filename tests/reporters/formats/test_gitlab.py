"""GitLab's code quality report against its description."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from awkward_reports import KERNEL, text
from jsonschema import Draft202012Validator

from coalint.engine.config.settings import Settings
from coalint.engine.findings.groups import groups
from coalint.engine.linter import lint
from coalint.engine.registry import load_rules
from coalint.engine.report import Report
from coalint.engine.request import RunRequest

# https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
LINE = {"type": "integer", "minimum": 1}
LOCATION = {
    "type": "object",
    "required": ["path", "lines"],
    "properties": {
        "path": {"type": "string", "pattern": r"^[^/.]"},
        "lines": {"type": "object", "required": ["begin"], "properties": {"begin": LINE, "end": LINE}},
    },
}
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": False,
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": LOCATION,
            "other_locations": {"type": "array", "items": LOCATION, "minItems": 1},  # of Code Climate's format
        },
    },
}


def test_gitlab_issues_are_valid_and_each_has_a_fingerprint_of_its_own(report: Report) -> None:
    issues = json.loads(text(report, "gitlab"))
    Draft202012Validator(GITLAB).validate(issues)
    assert len({issue["fingerprint"] for issue in issues}) == len(groups(report.diagnostics))
    places = Counter(
        (at["path"], at["lines"]["begin"])
        for issue in issues
        for at in (issue["location"], *issue.get("other_locations", ()))
    )
    assert sum(places.values()) == len(report.diagnostics)


def test_gitlab_fingerprints_survive_lines_added_above(repository: Path, tmp_path: Path) -> None:
    def fingerprints(source: str) -> list[str]:
        (tmp_path / "k.cu").write_text(source)
        report = lint(RunRequest(files=[str(tmp_path / "k.cu")], settings=Settings(jobs=1)), load_rules())
        return [issue["fingerprint"] for issue in json.loads(text(report, "gitlab"))]

    assert fingerprints(KERNEL) == fingerprints("// one more line\n" + KERNEL) != []
