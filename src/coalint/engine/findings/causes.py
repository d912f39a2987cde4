"""Groups findings by their cause: one finding for people, with the list of places that it concerns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from coalint.core.findings import Severity
from coalint.engine.findings.order import badness, report_order
from coalint.engine.report import Diagnostic

# How every message about an access names it: see `wording.subject`.
_SUBJECT = re.compile(r"the (?:load of|store to|atomic) `[^`]*`")


@dataclass(frozen=True, slots=True)
class Cause:
    """Findings of one cause.

    Attributes:
        shown: The worst of them, which is reported with its source.
        others: The rest, by place.
    """

    shown: Diagnostic
    others: tuple[Diagnostic, ...] = ()

    @property
    def members(self) -> tuple[Diagnostic, ...]:
        """All findings, the worst first."""
        return (self.shown, *self.others)

    @property
    def severity(self) -> Severity:
        """The severity of the worst."""
        return self.shown.finding.severity

    @property
    def excess(self) -> float:
        """Sectors or wavefronts beyond the ideal, one request at each place together."""
        return sum(member.excess for member in self.members)


def causes(diagnostics: Iterable[Diagnostic]) -> list[Cause]:
    """Return the causes of findings, in the order in which the worst of each comes among the diagnostics."""
    groups: dict[object, list[tuple[int, Diagnostic]]] = {}
    for number, diagnostic in enumerate(diagnostics):
        groups.setdefault(_cause(diagnostic) or number, []).append((number, diagnostic))
    numbered = [_of_group(group) for group in groups.values()]
    return [cause for _, cause in sorted(numbered, key=lambda item: item[0])]


def _of_group(group: list[tuple[int, Diagnostic]]) -> tuple[int, Cause]:
    """Return the cause of a group with the number of the finding that stands for it."""
    number, shown = min(group, key=lambda item: (badness(item[1]), item[0]))
    others = sorted((member for other, member in group if other != number), key=report_order)
    return number, Cause(shown, tuple(others))


def _cause(diagnostic: Diagnostic) -> tuple[object, ...] | None:
    """Return what findings of one cause share; None for one that stands for itself."""
    finding = diagnostic.finding
    if not _SUBJECT.search(finding.message):
        return None
    reason = next((note.message for note in finding.notes if note.span is None), "")
    message = _SUBJECT.sub("the access", finding.message, count=1)
    place = finding.kernel, finding.span.file
    return finding.code, finding.severity, finding.confidence, *place, message, reason, finding.help
