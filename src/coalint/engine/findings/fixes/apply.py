"""Applies the fixes of findings, analyses again, and reverts those that do not have the intended effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from coalint.core.findings import Finding, Fix
from coalint.core.records import record
from coalint.core.source.spans import Edit
from coalint.core.source.text_edits import chosen
from coalint.engine.check.records import Overlay
from coalint.engine.findings.fixes.verify_padding import is_kept
from coalint.engine.findings.fixes.workspace import Workspace
from coalint.engine.report import Inspection, Report

ROUNDS = 10
"""How often fixes are applied, each time to the sources that earlier fixes left."""

Lint = Callable[[Overlay], Report]
"""Lints all files of a run under an overlay."""
Inspect = Callable[[Overlay], Inspection]
"""Returns every access of the files of a run under an overlay."""
_Kind = tuple[str, str, str | None]


@record(frozen=True)
class FixOutcome:
    """The outcome of changing sources.

    Attributes:
        report: The report on the changed sources.
        workspace: The changed files.
        count: How many findings were fixed, or hidden.
        remarks: Warnings: changes that were not made, and why.
    """

    report: Report
    workspace: Workspace
    count: int = 0
    remarks: tuple[str, ...] = ()


def fix(lint: Lint, inspect: Inspect, *, unsafe: bool, workspace: Workspace | None = None) -> FixOutcome:
    """Apply every safe fix, and every unsafe one where asked for, until none is left.

    Of fixes that overlap, the first in the order of the report is applied; the others follow after the files have been
    analysed again. A fix is kept only if its finding is gone then, its kernel has no new finding, and its check is
    kept.
    """
    state = workspace or Workspace()
    report, count = lint(state.overlay), 0
    blocked: set[tuple[Edit, ...]] = set()
    remarks: list[str] = []
    for _ in range(ROUNDS):
        wanted = _wanted(report, state, unsafe, blocked, remarks)
        if not wanted:
            break
        after = state.edited({edit for _, fix in wanted for edit in fix.edits})
        checked = lint(after.overlay)
        bad = _broken(wanted, report, checked) or _unkept(wanted, inspect, state.overlay, after.overlay)
        if bad:
            for finding, fix_ in bad:
                blocked.add(fix_.edits)
                remarks.append(
                    f"{_place(finding)}: {fix_.description}: reverted, because it does not have the intended effect"
                )
            continue
        state, report, count = after, checked, count + len(wanted)
    return FixOutcome(report=report, workspace=state, count=count, remarks=tuple(dict.fromkeys(remarks)))


def _wanted(
    report: Report, state: Workspace, unsafe: bool, blocked: set[tuple[Edit, ...]], remarks: list[str]
) -> list[tuple[Finding, Fix]]:
    """Return the fixes to apply together."""
    candidates: list[tuple[Finding, Fix]] = []
    for diagnostic in report.diagnostics:
        fix = diagnostic.finding.fix
        if fix is None or not (fix.safe or unsafe) or fix.edits in blocked:
            continue
        refusals = [state.refuses(edit.span.file, report.sources) for edit in fix.edits]
        reason = next((refusal for refusal in refusals if refusal is not None), None)
        if reason is None:
            candidates.append((diagnostic.finding, fix))
        else:
            remarks.append(reason)
    return [candidates[number] for number in chosen([fix.edits for _, fix in candidates])]


def _broken(wanted: Sequence[tuple[Finding, Fix]], before: Report, after: Report) -> list[tuple[Finding, Fix]]:
    """Return the fixes whose findings remain, or that caused new ones."""
    old, new = _counts(before), _counts(after)
    expected = Counter({kind: old[kind] - count for kind, count in Counter(map(_kind, (f for f, _ in wanted))).items()})
    worse = {kind for kind in new if new[kind] > expected.get(kind, old[kind])}
    if len(after.failures) > len(before.failures):
        return list(wanted)
    if not worse:
        return []
    kernels = {(file, kernel) for _, file, kernel in worse}
    blamed = [(f, fix) for f, fix in wanted if (f.span.file, f.kernel) in kernels or _kind(f) in worse]
    return blamed or list(wanted)


def _unkept(
    wanted: Sequence[tuple[Finding, Fix]], inspect: Inspect, before: Overlay, after: Overlay
) -> list[tuple[Finding, Fix]]:
    """Return the fixes whose check another analysis does not confirm."""
    checked = [(finding, fix) for finding, fix in wanted if fix.check is not None]
    if not checked:
        return []
    old, new = inspect(before), inspect(after)
    return [(f, fix) for f, fix in checked if fix.check is not None and not is_kept(fix.check, old, new)]


def _counts(report: Report) -> Counter[_Kind]:
    return Counter(_kind(diagnostic.finding) for diagnostic in report.diagnostics)


def _kind(finding: Finding) -> _Kind:
    return finding.code, finding.span.file, finding.kernel


def _place(finding: Finding) -> str:
    return f"{finding.span.file}:{finding.span.line}:{finding.span.column}"


def still_there(before: Iterable[Finding], report: Report) -> list[Finding]:
    """Return the findings that a report still has, by their fingerprints."""
    left = {diagnostic.finding.fingerprint for diagnostic in report.diagnostics}
    return [finding for finding in before if finding.fingerprint in left]
