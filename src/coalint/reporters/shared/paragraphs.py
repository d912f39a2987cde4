"""The text of a finding as plain paragraphs, and the places from which its index is derived."""

from __future__ import annotations

from coalint.core.findings import Note
from coalint.engine.report import Diagnostic
from coalint.reporters.lint.json import basis_notes


def paragraphs(diagnostic: Diagnostic) -> list[str]:
    """Return the message, the notes without a place of their own, the help, the fix, and the basis of the numbers."""
    finding = diagnostic.finding
    reasons = [note.message for note in finding.notes if not _elsewhere(note, diagnostic)]
    help = [f"help: {finding.help}"] if finding.help else []
    fix = [f"fix: {finding.fix.description}"] if finding.fix else []
    return [finding.message, *reasons, *help, *fix, *(note.message for note in basis_notes(diagnostic))]


def derivation(diagnostic: Diagnostic) -> list[Note]:
    """Return the notes about other places, in their order: from the thread index to the address."""
    return [note for note in diagnostic.finding.notes if _elsewhere(note, diagnostic)]


def _elsewhere(note: Note, diagnostic: Diagnostic) -> bool:
    return note.span is not None and note.span != diagnostic.finding.span
