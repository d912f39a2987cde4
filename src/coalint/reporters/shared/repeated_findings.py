"""Groups findings that say the same of several accesses to one array, so that people read them once."""

from __future__ import annotations

from collections.abc import Sequence

from coalint.core.findings import Finding
from coalint.engine.report import Diagnostic


def repeats(diagnostics: Sequence[Diagnostic]) -> list[tuple[Diagnostic, tuple[Diagnostic, ...]]]:
    """Return each finding to show, in order, with the later ones that differ from it only in the access.

    Findings of a group have the same rule, kernel, array, numbers and cause. Findings that are not about an access, and
    those without a cause, are not grouped.
    """
    groups: dict[object, list[Diagnostic]] = {}
    for number, diagnostic in enumerate(diagnostics):
        finding = diagnostic.finding
        groups.setdefault(_what_is_said(finding) or number, []).append(diagnostic)
    return [(group[0], tuple(group[1:])) for group in groups.values()]


def repeats_text(others: Sequence[Diagnostic]) -> str:
    """Return `3 more accesses with these numbers for the same reason, at lines 12, 13 and 17`."""
    lines = [str(line) for line in dict.fromkeys(other.finding.span.line for other in others)]
    listed = lines[0] if len(lines) == 1 else f"{', '.join(lines[:-1])} and {lines[-1]}"
    return (
        f"{len(others)} more access{'es' if len(others) != 1 else ''} with these numbers for the same reason, "
        f"at line{'s' if len(lines) != 1 else ''} {listed}"
    )


def _what_is_said(finding: Finding) -> tuple[object, ...] | None:
    """Return all that findings of a group have in common; None for a finding that stands alone."""
    if not finding.subjects or finding.cause is None:
        return None
    about, *others = finding.subjects
    rule = finding.code, finding.severity, finding.confidence, finding.kernel, finding.span.file
    return *rule, about.array, tuple(others), finding.cost, finding.cause, finding.assumed, finding.help
