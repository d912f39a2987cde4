"""Prints SARIF 2.1.0: findings as results, derivations of indices as code flows, rules with their documentation.

What could not be read or analysed becomes a notification of the run, since it is no property of the code.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from coalint.core.addresses import SITE
from coalint.core.findings import Finding, Fix
from coalint.core.source.spans import Edit, Span
from coalint.core.version import semantic_version, version
from coalint.engine.findings.groups import Group, groups
from coalint.engine.report import Diagnostic, Failure, FailureKind, Report
from coalint.reporters.lint.json import (
    cause_object,
    cell_object,
    cost_object,
    launch_cost_object,
    made_for,
    subject_object,
)
from coalint.reporters.lint.sarif_rules import LEVELS, descriptor
from coalint.reporters.shared.escape_controls import without_controls
from coalint.reporters.shared.paragraphs import derivation, paragraphs
from coalint.reporters.shared.positions import Positions
from coalint.rule import Rule
from coalint.rules.own.not_analysed import NotAnalysed
from coalint.rules.own.translation_unit_error import TranslationUnitError

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
_ABOUT_THE_RUN = (TranslationUnitError, NotAnalysed)
_BRACKET = re.compile(r"\\*\[")


def report_text(report: Report, rules: Iterable[type[Rule]]) -> str:
    """Return the log as indented JSON with a final line feed; `rules` are those that may be reported."""
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report, list(rules))]}, indent=2) + "\n"


def _run(report: Report, rules: Sequence[type[Rule]]) -> dict[str, Any]:
    positions = Positions(report.sources)
    about_the_run = {rule.code for rule in _ABOUT_THE_RUN}
    described = [rule for rule in rules if rule.code not in about_the_run]
    numbers = {rule.code: number for number, rule in enumerate(described)}
    results = groups(d for d in report.diagnostics if d.finding.code not in about_the_run)
    notifications = [d for d in report.diagnostics if d.finding.code in about_the_run]
    return {
        "tool": {
            "driver": {
                "name": "coalint",
                "version": version(),
                "semanticVersion": semantic_version(version()),
                "informationUri": SITE,
                "rules": [descriptor(rule) for rule in described],
                "notifications": [descriptor(rule) for rule in _ABOUT_THE_RUN],
            }
        },
        "automationDetails": {"id": "coalint/"},
        "columnKind": "utf16CodeUnits",
        "properties": {"arch": report.arch},
        "originalUriBaseIds": {ROOT: {"uri": positions.root.as_uri().rstrip("/") + "/"}},
        "invocations": [
            {
                "executionSuccessful": not report.failures,
                "toolExecutionNotifications": [
                    *(_failure(failure, positions) for failure in report.failures),
                    *(_notification(diagnostic, positions) for diagnostic in notifications),
                ],
                "toolConfigurationNotifications": [
                    {"level": "warning", "message": {"text": _message(remark)}} for remark in report.remarks
                ],
            }
        ],
        "results": [_result(group, numbers, positions) for group in results],
    }


def _result(group: Group, numbers: dict[str, int], positions: Positions) -> dict[str, Any]:
    diagnostic = group.shown
    finding = diagnostic.finding
    location = _location(finding.span, positions)
    if finding.kernel:
        around = location.get("logicalLocations", [])
        location["logicalLocations"] = [{"name": finding.kernel, "kind": "function"}, *around]
    value: dict[str, Any] = {
        "ruleId": finding.code,
        **({"ruleIndex": numbers[finding.code]} if finding.code in numbers else {}),
        "level": LEVELS[finding.severity],
        **_rank(finding),
        "message": {"text": _message("\n\n".join(paragraphs(diagnostic)))},
        "locations": [location],
        "partialFingerprints": {"coalint/v1": finding.fingerprint},
        "properties": {
            "confidence": finding.confidence.value,
            **({"cost": cost_object(finding.cost)} if finding.cost is not None else {}),
            **({"launchCost": launch_cost_object(finding.launch_cost)} if finding.launch_cost is not None else {}),
            **({"cause": cause_object(finding.cause)} if finding.cause is not None else {}),
            **({"accesses": [subject_object(subject) for subject in finding.subjects]} if finding.subjects else {}),
            **({"assumed": list(finding.assumed)} if finding.assumed else {}),
            **({"basis": diagnostic.basis} if diagnostic.basis else {}),
            **_made_for(diagnostic),
            "weight": finding.weight,
        },
    }
    steps = [(note.message, note.span) for note in derivation(diagnostic) if note.span is not None]
    if steps:
        flow = [_location(span, positions, message) for message, span in [*steps, (finding.message, finding.span)]]
        value["codeFlows"] = [{"threadFlows": [{"locations": [{"location": step} for step in flow]}]}]
    if group.others:
        value["relatedLocations"] = [
            {"id": number, **_location(other.finding.span, positions, other.finding.message)}
            for number, other in enumerate(group.others, 1)
        ]
    if finding.fix is not None:
        value["fixes"] = [_fix(finding.fix, positions)]
    return value


def _made_for(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return the GPU, the launch and the template arguments that the numbers are for; nothing where there are none."""
    fields = made_for(diagnostic)
    return {
        **({"arch": diagnostic.arch} if diagnostic.arch else {}),
        **({"launch": fields["launch"]} if fields["launch"] is not None else {}),
        **({"templateArguments": fields["template_arguments"]} if fields["template_arguments"] else {}),
    }


def _rank(finding: Finding) -> dict[str, float]:
    """Return the share in the kernel's excess as a rank, 0 to 100 (SARIF 2.1.0, 3.27.25); none where it is open."""
    cost = finding.launch_cost
    return {} if cost is None or cost.share is None else {"rank": round(100 * cost.share, 2)}


def _notification(diagnostic: Diagnostic, positions: Positions) -> dict[str, Any]:
    finding = diagnostic.finding
    return {
        "descriptor": {"id": finding.code},
        "level": LEVELS[finding.severity],
        "message": {"text": _message("\n\n".join(paragraphs(diagnostic)))},
        "locations": [_location(finding.span, positions)],
    }


def _failure(failure: Failure, positions: Positions) -> dict[str, Any]:
    value: dict[str, Any] = {"level": "error", "message": {"text": _message(str(failure))}}
    if failure.file is not None and failure.kind is FailureKind.INPUT:
        value["locations"] = [{"physicalLocation": {"artifactLocation": _artifact(failure.file, positions)}}]
    return value


def _location(span: Span, positions: Positions, message: str | None = None) -> dict[str, Any]:
    region = _region(positions.first_line(span), positions)
    value: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(span.file, positions), "region": region}
    }
    if span.cell is not None:
        value["logicalLocations"] = [{"name": f"cell {span.cell.number}", "kind": "module"}]
        value["properties"] = cell_object(span)
    return value if message is None else {**value, "message": {"text": _message(message)}}


def _region(span: Span, positions: Positions) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": positions.utf16(span.file, span.line, span.column),
        **({"endLine": span.end_line} if span.end_line != span.line else {}),
        "endColumn": positions.utf16(span.file, span.end_line, span.end_column),
    }


def _artifact(file: str, positions: Positions) -> dict[str, str]:
    path = positions.path(file)
    if PurePath(path).is_absolute():
        return {"uri": PurePath(path).as_uri()}
    return {"uri": quote(os.fsencode(path)), "uriBaseId": ROOT}


def _fix(fix: Fix, positions: Positions) -> dict[str, Any]:
    files: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        files.setdefault(edit.span.file, []).append(edit)
    changes = [
        {
            "artifactLocation": _artifact(file, positions),
            "replacements": [
                {"deletedRegion": _region(edit.span, positions), "insertedContent": {"text": edit.replacement}}
                for edit in edits
            ],
        }
        for file, edits in files.items()
    ]
    return {"description": {"text": _message(fix.description)}, "artifactChanges": changes}


def _message(text: str) -> str:
    """Return plain text in which nothing can be read as an embedded link (SARIF 2.1.0, 3.11.6), nor steers a viewer."""
    before, close, after = without_controls(text).rpartition("](")
    return _BRACKET.sub(_escaped, before) + close + after


def _escaped(bracket: re.Match[str]) -> str:
    """Return a bracket after an odd number of backslashes: those that stand before it are meant as they are."""
    return "\\" * (2 * len(bracket[0]) - 1) + "["
