"""What `lint` and `baseline` do beyond a report: fixes, comments, the list of known findings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from coalint.engine.check.records import Overlay
from coalint.engine.execution.run import Progress
from coalint.engine.findings.filters.baseline import NAME, Baseline, read_baseline
from coalint.engine.findings.filters.changed_lines import Changes
from coalint.engine.findings.fingerprints import lines_of
from coalint.engine.findings.fixes.adding_ignores import add_ignores
from coalint.engine.findings.fixes.fixing import Fixed, fix
from coalint.engine.findings.fixes.workspace import Workspace
from coalint.engine.linter import LeavingOut, inspect, lint
from coalint.engine.report import Inspection, Report

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from coalint.cli.arguments.options import Changing
    from coalint.engine.config.layers import Configuration
    from coalint.engine.registry import Registry


@dataclass(frozen=True)
class Revised:
    """The report, the files that are to be written or shown, and what to say on stderr."""

    report: Report
    workspace: Workspace
    remarks: tuple[str, ...] = ()
    summary: tuple[str, ...] = ()


def revise(
    files: Sequence[str],
    configuration: Configuration,
    registry: Registry,
    changing: Changing,
    progress: Progress | None = None,
    executor: Executor | None = None,
    workspace: Workspace | None = None,
    models: bool = False,
) -> Revised:
    """Lint, with the changes asked for made in memory, on top of those of `workspace`; nothing is written.

    With `models` the report has every access, with what it can be computed from anew.
    """
    settings = configuration.run.settings
    baseline = read_baseline(settings.baseline) if settings.baseline is not None else None
    changes = _changes(changing.diff_base, files)
    leaving_out = LeavingOut(changing.ignores, baseline, changes)

    def run(overlay: Overlay) -> Report:
        return lint(files, settings, registry, progress, executor, configuration.of, leaving_out, overlay, models)

    def look(overlay: Overlay) -> Inspection:
        return inspect(files, settings, progress, executor, configuration.of, overlay)

    fixes = changing.fix or (changing.diff and not changing.add_ignores)
    state = workspace or Workspace()
    done = fix(run, look, unsafe=changing.unsafe, workspace=state) if fixes else Fixed(run(state.overlay), state)
    summary = [_said(done, "fix", changing.diff)] if fixes else []
    if changing.add_ignores:
        done = add_ignores(run, done, registry)
        summary.append(_said(done, "hide", changing.diff))
    return Revised(done.report, done.workspace, done.remarks, tuple(summary))


def _changes(base: str | None, files: Sequence[str]) -> Changes | None:
    if base is None:
        return None
    changes = Changes(base)
    for folder in {os.path.dirname(os.path.abspath(file)) for file in files} or {os.getcwd()}:
        changes.check(folder)
    return changes


def _said(done: Fixed, verb: str, only_shown: bool) -> str:
    files = len(done.workspace.changed)
    what = f"{done.count} finding{'s' if done.count != 1 else ''}"
    past = {"fix": "fixed", "hide": "hid"}[verb]
    if not done.count:
        return f"there is nothing to {verb}"
    place = f" in {files} file{'s' if files != 1 else ''}"
    return f"would {verb} {what}{place}" if only_shown else f"{past} {what}{place}"


def revise_baseline(
    action: str,
    files: Sequence[str],
    configuration: Configuration,
    registry: Registry,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> tuple[Report, str]:
    """Create the list of known findings, or strike out what is gone. The report, and what was done.

    Nothing is written where the run was not whole. Raises BaselineError.
    """
    settings = configuration.run.settings
    path = settings.baseline or NAME
    before = read_baseline(path) if action == "prune" else Baseline(path)
    leaving_out = LeavingOut(baseline=before, keep_known=True)
    report = lint(files, settings, registry, progress, executor, configuration.of, leaving_out)
    if report.failures:
        return report, ""
    if action == "create":
        after = before.of(report.diagnostics, lines_of(report.sources))
        after.write()
        return report, f"wrote {_counted(after)} to {path}"
    after = before.without(report.gone)
    if report.gone:
        after.write()
    count = sum(known.count for known in report.gone)
    return report, f"struck out {count}; {path} lists {_counted(after)}"


def _counted(baseline: Baseline) -> str:
    count = sum(known.count for known in baseline.known)
    files = len({known.file for known in baseline.known})
    return f"{count} finding{'s' if count != 1 else ''} in {files} file{'s' if files != 1 else ''}"
