"""Prints JUnit XML: a suite per file with a case per finding; errors and warnings fail, info passes with its text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from coalint.core.findings import Severity
from coalint.engine.findings.groups import Group, groups
from coalint.engine.report import Report
from coalint.reporters.shared.escape_controls import escape_controls
from coalint.reporters.shared.paragraphs import paragraphs
from coalint.reporters.shared.places import other_places
from coalint.reporters.shared.summary import coverage_text

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def report_text(report: Report) -> str:
    """Return the document; for a report without findings it has one case that passes."""
    files: dict[str, list[Group]] = {}
    grouped = groups(report.diagnostics)
    for group in grouped:
        files.setdefault(group.shown.finding.span.file, []).append(group)
    suites = ElementTree.Element("testsuites", {"name": "coalint", **_counts(grouped)})
    for file, in_file in files.items():
        suite = ElementTree.SubElement(suites, "testsuite", {"name": _clean(file), **_counts(in_file)})
        for group in in_file:
            _case(suite, group)
    if not files:
        suites.set("tests", "1")
        suite = ElementTree.SubElement(suites, "testsuite", {"name": "coalint", **_counts(()), "tests": "1"})
        case = ElementTree.SubElement(suite, "testcase", {"name": "no findings", "classname": "coalint"})
        ElementTree.SubElement(case, "system-out").text = coverage_text(report.coverage)
    ElementTree.indent(suites)
    text = ElementTree.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _counts(grouped: Sequence[Group]) -> dict[str, str]:
    failures = sum(_fails(group) for group in grouped)
    return {"tests": str(len(grouped)), "failures": str(failures), "errors": "0"}


def _fails(group: Group) -> bool:
    return group.severity > Severity.INFO


def _case(suite: ElementTree.Element, group: Group) -> None:
    finding = group.shown.finding
    place = f"{finding.span.file}:{finding.span.line}:{finding.span.column}"
    names = {"name": _clean(f"{finding.name} at {place}"), "classname": f"coalint.{finding.code}"}
    case = ElementTree.SubElement(suite, "testcase", names)
    also = [f"also at {other_places(group)}"] if group.others else []
    text = _clean("\n".join((f"{place}: {finding.severity.label}[{finding.name}]", *paragraphs(group.shown), *also)))
    if _fails(group):
        attributes = {"type": finding.severity.label, "message": _clean(finding.message)}
        ElementTree.SubElement(case, "failure", attributes).text = text
    else:
        ElementTree.SubElement(case, "system-out").text = text


def _clean(text: str) -> str:
    """Return the text without controls, and with characters that XML does not allow replaced."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", escape_controls(text))
