"""Groups findings that say the same of several accesses to one array, so that people read them once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coalint.core.findings import Finding
from coalint.engine.report import Diagnostic

# How every message about an access names it: see `wording.subject`.
_SUBJECT = re.compile(r"the (?:load of|store to|atomic) `[^`]*`")


def repeats(diagnostics: Sequence[Diagnostic]) -> list[tuple[Diagnostic, tuple[Diagnostic, ...]]]:
    """Return each finding to show, in order, with the later ones that differ from it only in the access.

    Findings of a group have the same rule, kernel, numbers, reason and help, which names the array. Findings that are
    not about an access are not grouped.
    """
    groups: dict[object, list[Diagnostic]] = {}
    for number, diagnostic in enumerate(diagnostics):
        finding = diagnostic.finding
        groups.setdefault(_cause(finding) if _SUBJECT.search(finding.message) else number, []).append(diagnostic)
    return [(group[0], tuple(group[1:])) for group in groups.values()]


def repeats_text(others: Sequence[Diagnostic]) -> str:
    """Return `3 more accesses with these numbers for the same reason, at lines 12, 13 and 17`."""
    lines = [str(line) for line in dict.fromkeys(other.finding.span.line for other in others)]
    listed = lines[0] if len(lines) == 1 else f"{', '.join(lines[:-1])} and {lines[-1]}"
    return (
        f"{len(others)} more access{'es' if len(others) != 1 else ''} with these numbers for the same reason, "
        f"at line{'s' if len(lines) != 1 else ''} {listed}"
    )


def _cause(finding: Finding) -> tuple[object, ...]:
    reason = next((note.message for note in finding.notes if note.span is None), "")
    message = _SUBJECT.sub("the access", finding.message, count=1)
    place = finding.kernel, finding.span.file
    return finding.code, finding.severity, finding.confidence, *place, message, reason, finding.help
