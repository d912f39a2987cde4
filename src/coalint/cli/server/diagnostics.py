"""Converts findings to the editor's diagnostics."""

from __future__ import annotations

import os

from lsprotocol import types as lsp

from coalint.cli.server.places import ReportPlaces
from coalint.core.addresses import rule_page
from coalint.core.findings import Finding, Severity
from coalint.engine.report import Diagnostic
from coalint.rules.own.unused_suppression import UnusedSuppression

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}


def diagnostics_of_file(path: str, places: ReportPlaces) -> list[tuple[Finding, lsp.Diagnostic]]:
    """Return the findings in a file itself, each with its diagnostic; those in a header are shown where it is open."""
    real = os.path.realpath(path)
    in_file = [d for d in places.report.diagnostics if os.path.realpath(d.finding.span.file) == real]
    return [(diagnostic.finding, _diagnostic(diagnostic, places)) for diagnostic in in_file]


def diagnostics_by_uri(places: ReportPlaces) -> dict[str, list[lsp.Diagnostic]]:
    """Return the diagnostics of the cells of a notebook by the cells' URIs."""
    by_uri: dict[str, list[lsp.Diagnostic]] = {}
    for diagnostic in places.report.diagnostics:
        file = diagnostic.finding.span.file
        if file in places.cells:
            by_uri.setdefault(places.cells[file], []).append(_diagnostic(diagnostic, places))
    return by_uri


def _diagnostic(diagnostic: Diagnostic, places: ReportPlaces) -> lsp.Diagnostic:
    finding = diagnostic.finding
    related = [
        lsp.DiagnosticRelatedInformation(places.location(note.span), note.message)
        for note in finding.notes
        if note.span is not None
    ]
    paragraphs = [finding.message]
    paragraphs += [note.message for note in finding.notes if note.span is None]
    paragraphs += [f"help: {finding.help}"] if finding.help else []
    paragraphs += [f"basis: {diagnostic.basis}"] if diagnostic.basis else []
    address = rule_page(finding.code, finding.name)
    return lsp.Diagnostic(
        range=places.range(finding.span),
        message="\n".join(paragraphs),
        severity=_SEVERITIES[finding.severity],
        code=f"{finding.code} {finding.name}",
        code_description=lsp.CodeDescription(address) if address else None,
        source="coalint",
        tags=[lsp.DiagnosticTag.Unnecessary] if finding.code == UnusedSuppression.code else None,
        related_information=related or None,
    )
