"""What a report leaves out beside what the settings say: by comments, baseline and unchanged code."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from coalint.core.records import record
from coalint.engine.findings.filters.baseline.entry import BaselineEntry
from coalint.engine.findings.filters.baseline.known_findings import Baseline
from coalint.engine.findings.filters.changes.changed_lines import Changes
from coalint.engine.findings.filters.comments.ignore_comments import IgnoreComments
from coalint.engine.findings.filters.completeness import Completeness
from coalint.engine.findings.filters.selection import RuleSelections
from coalint.engine.findings.fingerprints import with_fingerprints
from coalint.engine.findings.order import report_order
from coalint.engine.report import Diagnostic


@record(frozen=True, slots=True, kw_only=True)
class Exclusions:
    """What a report leaves out.

    Attributes:
        apply_comments: Whether `coalint: ignore` and `disable` comments hide findings.
        baseline: The known findings; None where there is no list of them.
        changes: What changed since a revision; findings in unchanged code are left out. None where everything counts.
        keep_known: Whether the baseline is only compared with, and leaves nothing out.
    """

    apply_comments: bool = True
    baseline: Baseline | None = None
    changes: Changes | None = None
    keep_known: bool = False


NO_EXCLUSIONS = Exclusions()


def apply_comments(
    diagnostics: Sequence[Diagnostic],
    selections: RuleSelections,
    sources: Mapping[str, str],
    completeness: Completeness,
    hides: bool,
) -> tuple[list[Diagnostic], int]:
    """Return the diagnostics that no comment hides, with those about the comments themselves, and the count hidden.

    Where `hides` is False, comments hide nothing but what is said about comments.
    """
    comments = IgnoreComments(sources, selections.registry)
    visible = [d for d in diagnostics if not (hides and comments.hides(d.finding))]
    hidden = len(diagnostics) - len(visible)
    findings = [*comments.problems(), *(comments.unused(selections, completeness) if hides else ())]
    shown = [Diagnostic(finding) for finding in findings if selections.shows(finding.code, finding.span.file)]
    about_comments = [d for d in selections.with_severities(shown) if not comments.hides(d.finding)]
    identified = with_fingerprints(sorted(about_comments, key=report_order), sources)
    return sorted((*visible, *identified), key=report_order), hidden


def is_complete(selections: RuleSelections, completeness: Completeness) -> Callable[[str, str], bool]:
    """Return a predicate: whether the run made all findings of a rule (its code) that there are in a file."""

    def predicate(file: str, code: str) -> bool:
        return os.path.realpath(file) in completeness.complete_files and selections.shows(code, file)

    return predicate


def stale_remark(baseline: Baseline, stale: Sequence[BaselineEntry]) -> tuple[str, ...]:
    """Return a remark where the baseline lists findings that are gone, else nothing."""
    if not stale:
        return ()
    count = sum(entry.count for entry in stale)
    findings = f"{count} findings that are" if count > 1 else "1 finding that is"
    remedy = f"`coalint baseline prune --baseline {baseline.path} PATH...` removes them"
    return (f"{baseline.path} lists {findings} gone; {remedy}",)
