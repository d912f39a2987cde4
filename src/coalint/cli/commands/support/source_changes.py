"""Lints with the changes that `lint` was asked for made in memory: fixes, and comments that hide findings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.records import record
from coalint.engine.check.records import Overlay
from coalint.engine.findings.filters.baseline.known_findings import read_baseline
from coalint.engine.findings.filters.changes.changed_lines import Changes
from coalint.engine.findings.filters.exclusions import Exclusions
from coalint.engine.findings.fixes.apply import FixOutcome, fix
from coalint.engine.findings.fixes.ignore_comments import add_ignores
from coalint.engine.findings.fixes.workspace import Workspace
from coalint.engine.linter import inspect, lint
from coalint.engine.report import Inspection, Report
from coalint.engine.request import RunRequest

if TYPE_CHECKING:
    from coalint.cli.arguments.options import SourceChanges
    from coalint.engine.registry import Registry


@record(frozen=True, slots=True, kw_only=True)
class LintOutcome:
    """What a run with changes came to.

    Attributes:
        report: The report on the changed sources.
        workspace: The changed files, to be written or shown.
        remarks: Warnings: fixes that were not applied, findings that no comment can hide.
        summary: Lines that say how many findings were fixed and hidden.
    """

    report: Report
    workspace: Workspace
    remarks: tuple[str, ...] = ()
    summary: tuple[str, ...] = ()


def change_sources(
    request: RunRequest, registry: Registry, changes: SourceChanges, workspace: Workspace | None = None
) -> LintOutcome:
    """Lint with the changes made in memory, on top of those of `workspace`; nothing is written.

    Raises BaselineError, ChangesError and PlanError.
    """
    baseline_file = request.settings.baseline
    exclusions = Exclusions(
        apply_comments=changes.apply_comments,
        baseline=read_baseline(baseline_file) if baseline_file is not None else None,
        changes=_changes_since(changes.diff_base, request.files),
    )

    def lint_with(overlay: Overlay) -> Report:
        return lint(replace(request, overlay=overlay), registry, exclusions)

    def inspect_with(overlay: Overlay) -> Inspection:
        return inspect(replace(request, overlay=overlay, with_models=False))

    state = workspace or Workspace()
    applies_fixes = changes.fix or (changes.diff and not changes.add_ignores)
    if applies_fixes:
        outcome = fix(lint_with, inspect_with, unsafe=changes.unsafe, workspace=state)
    else:
        outcome = FixOutcome(report=lint_with(state.overlay), workspace=state)
    summary = [_summary(outcome, "fix", "fixed", changes.diff)] if applies_fixes else []
    if applies_fixes and not changes.unsafe:
        summary += _offered(outcome.report)
    if changes.add_ignores:
        outcome = add_ignores(lint_with, outcome, registry)
        summary.append(_summary(outcome, "hide", "hid", changes.diff))
    return LintOutcome(
        report=outcome.report, workspace=outcome.workspace, remarks=outcome.remarks, summary=tuple(summary)
    )


def _changes_since(base: str | None, files: Sequence[str]) -> Changes | None:
    """Return the changes since a git revision, checked for the folders of all files. Raises ChangesError."""
    if base is None:
        return None
    changes = Changes(base)
    for folder in {os.path.dirname(os.path.abspath(file)) for file in files} or {os.getcwd()}:
        changes.check(folder)
    return changes


def _offered(report: Report) -> list[str]:
    """Return a line that says how many findings have a fix that was not asked for; nothing where none has."""
    count = sum(fix is not None and not fix.safe for fix in (told.finding.fix for told in report.diagnostics))
    if not count:
        return []
    have = f"{count} findings have" if count > 1 else "1 finding has"
    return [f"{have} a fix that should be reviewed; --unsafe-fixes applies it"]


def _summary(outcome: FixOutcome, verb: str, past: str, only_shown: bool) -> str:
    """Return `fixed 3 findings in 2 files`, or what would be done."""
    if not outcome.count:
        return f"there is nothing to {verb}"
    files = len(outcome.workspace.changed)
    findings = f"{outcome.count} finding{'s' if outcome.count != 1 else ''}"
    where = f" in {files} file{'s' if files != 1 else ''}"
    return f"would {verb} {findings}{where}" if only_shown else f"{past} {findings}{where}"
