"""SARIF against its schema, and its places against the source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlparse

import pytest
from awkward_reports import AWKWARD, COLUMN, results, spoiled, text
from jsonschema import Draft4Validator

from coalint.engine.findings.groups import groups
from coalint.engine.report import Report

SCHEMAS = Path(__file__).resolve().parents[2] / "data" / "schemas"


def sarif(report: Report) -> dict[str, Any]:
    (run,) = json.loads(text(report, "sarif"))["runs"]
    assert isinstance(run, dict)
    return run


def test_sarif_is_valid(report: Report) -> None:
    schema = json.loads((SCHEMAS / "sarif-2.1.0-rtm.5.json").read_text())
    validator = Draft4Validator(schema, format_checker=Draft4Validator.FORMAT_CHECKER)
    assert [error.message for error in validator.iter_errors(json.loads(text(report, "sarif")))] == []


def test_sarif_regions_are_one_line_and_hold_what_was_found(real: Report, repository: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(repository)
        run = sarif(real)
    base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    assert run["columnKind"] == "utf16CodeUnits"
    steps = [s for r in run["results"] for flow in r.get("codeFlows", ()) for s in flow["threadFlows"][0]["locations"]]
    places = [r["locations"][0] for r in run["results"]] + [step["location"] for step in steps]
    assert len(places) > len(run["results"]) > 5
    found = set()
    for place in places:
        physical = place["physicalLocation"]
        path = Path(unquote(urlparse(urljoin(base, physical["artifactLocation"]["uri"])).path))
        region = physical["region"]
        assert "endLine" not in region
        line = path.read_text(encoding="utf-8").split("\n")[region["startLine"] - 1].encode("utf-16-le")
        found.add((path.name, line[2 * region["startColumn"] - 2 : 2 * region["endColumn"] - 2].decode("utf-16-le")))
    assert (Path(AWKWARD).name, COLUMN) in found


def test_sarif_results_name_their_rule_and_how_the_index_gets_there(report: Report) -> None:
    run = sarif(report)
    rules = run["tool"]["driver"]["rules"]
    for result, group in zip(run["results"], groups(results(report)), strict=True):
        diagnostic = group.shown
        rule = rules[result["ruleIndex"]]
        assert (rule["id"], rule["name"]) == (result["ruleId"], diagnostic.finding.name)
        assert "## What it does" in rule["help"]["markdown"]
        assert result["partialFingerprints"] == {"coalint/v1": diagnostic.finding.fingerprint}
        for flow in result.get("codeFlows", ()):
            last = flow["threadFlows"][0]["locations"][-1]["location"]["physicalLocation"]
            assert last == result["locations"][0]["physicalLocation"]
        related = [at["physicalLocation"]["region"]["startLine"] for at in result.get("relatedLocations", ())]
        assert related == [other.finding.span.line for other in group.others]


def test_sarif_tells_what_was_not_read_about_the_run(real: Report) -> None:
    (invocation,) = sarif(real)["invocations"]
    notes = invocation["toolExecutionNotifications"]
    assert {note["descriptor"]["id"] for note in notes} >= {"COA902"}
    assert len(notes) == len(real.diagnostics) - len(results(real))
    assert invocation["executionSuccessful"] is True
    (failed,) = sarif(spoiled())["invocations"]
    assert failed["executionSuccessful"] is False
    assert failed["toolExecutionNotifications"][0]["message"]["text"].startswith("error: missing file.cu: no such file")


def test_code_in_a_sarif_message_is_no_link() -> None:
    (first, _) = sarif(spoiled())["results"]
    assert "@user \\[0](x)" in first["message"]["text"]
