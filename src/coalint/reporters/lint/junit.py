"""Prints JUnit XML: a suite per file with a case per finding; errors and warnings fail, info passes with its text."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from coalint.core.findings import Severity
from coalint.engine.report import Diagnostic, Report
from coalint.reporters.shared.paragraphs import paragraphs
from coalint.reporters.shared.summary import coverage_text

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def report_text(report: Report) -> str:
    """Return the document; for a report without findings it has one case that passes."""
    files: dict[str, list[Diagnostic]] = {}
    for diagnostic in report.diagnostics:
        files.setdefault(diagnostic.finding.span.file, []).append(diagnostic)
    suites = ElementTree.Element("testsuites", {"name": "coalint", **_counts(report.diagnostics)})
    for file, diagnostics in files.items():
        suite = ElementTree.SubElement(suites, "testsuite", {"name": _clean(file), **_counts(diagnostics)})
        for diagnostic in diagnostics:
            _case(suite, diagnostic)
    if not files:
        suites.set("tests", "1")
        suite = ElementTree.SubElement(suites, "testsuite", {"name": "coalint", **_counts(()), "tests": "1"})
        case = ElementTree.SubElement(suite, "testcase", {"name": "no findings", "classname": "coalint"})
        ElementTree.SubElement(case, "system-out").text = coverage_text(report.coverage)
    ElementTree.indent(suites)
    text = ElementTree.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _counts(diagnostics: tuple[Diagnostic, ...] | list[Diagnostic]) -> dict[str, str]:
    failures = sum(_fails(diagnostic) for diagnostic in diagnostics)
    return {"tests": str(len(diagnostics)), "failures": str(failures), "errors": "0"}


def _fails(diagnostic: Diagnostic) -> bool:
    return diagnostic.finding.severity > Severity.INFO


def _case(suite: ElementTree.Element, diagnostic: Diagnostic) -> None:
    finding = diagnostic.finding
    place = f"{finding.span.file}:{finding.span.line}:{finding.span.column}"
    names = {"name": _clean(f"{finding.name} at {place}"), "classname": f"coalint.{finding.code}"}
    case = ElementTree.SubElement(suite, "testcase", names)
    text = _clean("\n".join((f"{place}: {finding.severity.label}[{finding.name}]", *paragraphs(diagnostic))))
    if _fails(diagnostic):
        attributes = {"type": finding.severity.label, "message": _clean(finding.message)}
        ElementTree.SubElement(case, "failure", attributes).text = text
    else:
        ElementTree.SubElement(case, "system-out").text = text


def _clean(text: str) -> str:
    """Return the text with characters that XML does not allow replaced."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
