"""Answers requests in the analysis process; settings are read anew for each."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.cli.server.analysis.requests import FindRemedies, FixFile, InspectFile, LintFile, Remedy, Request
from coalint.core.records import record
from coalint.engine.check.records import Overlay
from coalint.engine.report import Inspection, Report

if TYPE_CHECKING:
    from coalint.engine.config.layers import Configuration
    from coalint.engine.registry import Registry


class Session:
    """The rules, loaded once, and the answers to requests."""

    def __init__(self) -> None:
        # An interrupted import may be one that cannot be done again.
        from coalint.engine.registry import load_rules

        self.registry: Registry = load_rules()

    def answer(self, request: Request) -> Report | Inspection | tuple[Remedy, ...] | Overlay | None:
        """Return the answer that the request's class describes."""
        match request:
            case LintFile():
                return self._lint(request)
            case InspectFile():
                return self._file_run(request).inspect(request.overlay, request.line)
            case FindRemedies():
                return self._remedies(request)
            case FixFile():
                return self._fixed(request)

    def _file_run(self, request: Request) -> _FileRun:
        from coalint.engine.config.layer import Layer
        from coalint.engine.config.layers import Configuration
        from coalint.engine.config.validation import refuse

        def check(layer: Layer) -> None:
            refuse(layer, self.registry)

        return _FileRun(path=request.path, configuration=Configuration(check=check), registry=self.registry)

    def _lint(self, request: LintFile) -> Report | None:
        from coalint.engine.units.discovery import is_excluded

        run = self._file_run(request)
        if is_excluded(request.path, run.configuration.for_file(request.path).excludes):
            return None
        return run.lint(request.overlay)

    def _fixed(self, request: FixFile) -> Overlay:
        """Return the texts that the safe fixes of a file change, each shown to work by another analysis."""
        from coalint.engine.findings.fixes.apply import fix
        from coalint.engine.findings.fixes.workspace import Workspace

        run = self._file_run(request)
        contents = [(path, text.encode("utf-8", errors="replace")) for path, text in request.overlay]
        workspace = Workspace.around(contents)
        fixed = fix(run.lint, run.inspect, unsafe=False, workspace=workspace).workspace
        return tuple((name, fixed.contents(name).decode(errors="replace")) for name in fixed.changed)

    def _remedies(self, request: FindRemedies) -> tuple[Remedy, ...]:
        from coalint.engine.findings.fixes.apply import fix
        from coalint.engine.findings.fixes.ignore_comments import comments_for
        from coalint.engine.findings.fixes.workspace import Workspace

        run = self._file_run(request)
        report = run.lint(request.overlay)
        by_fingerprint = {d.finding.fingerprint: d.finding for d in report.diagnostics}
        contents = [(path, text.encode("utf-8", errors="replace")) for path, text in request.overlay]
        remedies: list[Remedy] = []
        for fingerprint in request.fingerprints:
            finding = by_fingerprint.get(fingerprint)
            if finding is None:
                remedies.append(Remedy(fix_works=False, ignore_comment=()))
                continue

            def lint(overlay: Overlay, only: str = fingerprint) -> Report:
                return _with_one_fix(run.lint(overlay), only)

            fix_works = finding.fix is not None and (
                fix(lint, run.inspect, unsafe=True, workspace=Workspace.around(contents)).count == 1
            )
            text = report.sources.get(finding.span.file, "")
            comment = tuple(comments_for(finding, text, self.registry))
            remedies.append(Remedy(fix_works=fix_works, ignore_comment=comment))
        return tuple(remedies)


@record(frozen=True, slots=True, kw_only=True)
class _FileRun:
    """Runs over one file, under its settings."""

    path: str
    configuration: Configuration
    registry: Registry

    def lint(self, overlay: Overlay) -> Report:
        from coalint.engine.findings.filters.baseline.known_findings import read_baseline
        from coalint.engine.findings.filters.exclusions import Exclusions
        from coalint.engine.linter import lint
        from coalint.engine.request import RunRequest

        settings = self.configuration.for_file(self.path)
        baseline = read_baseline(settings.baseline) if settings.baseline is not None else None
        request = RunRequest(
            files=(self.path,), settings=settings, settings_of=self.configuration.for_file, overlay=overlay
        )
        return lint(request, self.registry, Exclusions(baseline=baseline))

    def inspect(self, overlay: Overlay, line: int = 0) -> Inspection:
        from coalint.engine.check.lines import Line
        from coalint.engine.linter import inspect
        from coalint.engine.request import RunRequest

        settings = self.configuration.for_file(self.path)
        return inspect(
            RunRequest(
                files=(self.path,),
                settings=settings,
                settings_of=self.configuration.for_file,
                overlay=overlay,
                line=Line(os.path.realpath(self.path), line) if line else None,
            )
        )


def _with_one_fix(report: Report, fingerprint: str) -> Report:
    """Return the report without the fixes of all findings but one."""
    diagnostics = (
        d if d.finding.fingerprint == fingerprint else replace(d, finding=replace(d.finding, fix=None))
        for d in report.diagnostics
    )
    return replace(report, diagnostics=tuple(diagnostics))
