"""Every output format keeps out colours; JUnit and JSON lines against programs that read them."""

from __future__ import annotations

import json
from pathlib import Path

import junitparser
import pytest
from awkward_reports import text

from coalint.core.findings import Severity
from coalint.engine.config.outputs import FORMATS
from coalint.engine.findings.groups import groups
from coalint.engine.registry import load_rules
from coalint.engine.report import Report
from coalint.reporters.rendering import report_text

SCHEMAS = Path(__file__).resolve().parents[2] / "data" / "schemas"


@pytest.mark.parametrize("output_format", FORMATS)
def test_no_format_has_colours_outside_a_terminal(output_format: str, report: Report) -> None:
    assert text(report, output_format) == report_text(report, output_format, "never", load_rules())
    coloured = report_text(report, output_format, "always", load_rules()) != text(report, output_format)
    assert coloured == (output_format == "full")


def test_junit_is_valid_and_read_by_junitparser(report: Report, tmp_path: Path) -> None:
    document = text(report, "junit")
    from xmlschema import XMLSchema

    XMLSchema(str(SCHEMAS / "junit-10.xsd")).validate(document)
    (tmp_path / "report.xml").write_text(document, encoding="utf-8")
    suites = junitparser.JUnitXml.fromfile(str(tmp_path / "report.xml"))
    cases = [case for suite in suites for case in suite]
    found = groups(report.diagnostics)
    failing = [group for group in found if group.severity > Severity.INFO]
    assert suites.tests == len(cases) == (len(found) or 1)
    assert suites.failures == sum(not case.is_passed for case in cases) == len(failing)
    assert suites.errors == 0


def test_json_lines_are_the_findings_of_json(report: Report) -> None:
    lines = [json.loads(line) for line in text(report, "jsonl").split("\n")[:-1]]
    assert lines == json.loads(text(report, "json"))["diagnostics"]
