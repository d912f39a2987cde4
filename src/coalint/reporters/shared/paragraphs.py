"""What a finding says beside its numbers, as plain paragraphs, and the places that its index comes from."""

from __future__ import annotations

from collections.abc import Iterable

from coalint.core.findings import Note
from coalint.engine.report import Diagnostic
from coalint.reporters.lint.json import basis_notes


def paragraphs(diagnostic: Diagnostic) -> list[str]:
    """The message, the reasons that have no place of their own, what to do, and what the numbers rest on."""
    finding = diagnostic.finding
    reasons = [note.message for note in finding.notes if not _elsewhere(note, diagnostic)]
    help = [f"help: {finding.help}"] if finding.help else []
    fix = [f"fix: {finding.fix.description}"] if finding.fix else []
    return [finding.message, *reasons, *help, *fix, *(note.message for note in basis_notes(diagnostic))]


def derivation(diagnostic: Diagnostic) -> list[Note]:
    """The notes about other places than the finding's own, in order: from threadIdx to the address."""
    return [note for note in diagnostic.finding.notes if _elsewhere(note, diagnostic)]


def worst_first(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """By severity, then by what is moved beyond the ideal, then by confidence, then by place."""
    sureness = ("high", "medium", "low")

    def order(diagnostic: Diagnostic) -> tuple[object, ...]:
        finding = diagnostic.finding
        sure = sureness.index(finding.confidence.value)
        return -finding.severity, -diagnostic.excess, sure, finding.span, finding.code

    return sorted(diagnostics, key=order)


def _elsewhere(note: Note, diagnostic: Diagnostic) -> bool:
    return note.span is not None and note.span != diagnostic.finding.span
