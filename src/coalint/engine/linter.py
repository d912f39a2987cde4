"""The pipeline: from the files of a run to a Report (`lint`) or to all of their accesses (`inspect`)."""

from __future__ import annotations

from dataclasses import replace

from coalint.core.source.overlay import overlaid
from coalint.engine.config.settings import DEFAULT_ARCH
from coalint.engine.execution.run import Run
from coalint.engine.findings.coverage import coverage_of
from coalint.engine.findings.deduplicate import (
    distinct_failures,
    distinct_kernels,
    distinct_problems,
    in_path_order,
)
from coalint.engine.findings.filters.exclusions import NO_EXCLUSIONS, Exclusions
from coalint.engine.findings.filters.selection import RuleSelections
from coalint.engine.findings.fingerprints import lines_of, with_fingerprints
from coalint.engine.findings.gather import gather, kept_analyses, unused_assumptions
from coalint.engine.findings.stream import Stream
from coalint.engine.registry import Registry
from coalint.engine.report import Diagnostic, Inspection, Report
from coalint.engine.request import RunRequest
from coalint.engine.units.embedding import embedding
from coalint.engine.units.plan import plan


def lint(request: RunRequest, registry: Registry, exclusions: Exclusions = NO_EXCLUSIONS) -> Report:
    """Check the files and return what is to be reported, ordered by place.

    Raises PlanError and ChangesError.
    """
    selections = RuleSelections(request.settings_for, registry)
    embedded = embedding(request.files, request.overlay)
    stream = None if request.finished is None else Stream(request.finished, selections, exclusions, embedded.units)
    run = Run(
        replace(request, overlay=embedded.overlay),
        selections.running(request.files),
        keep_analyses=request.with_models,
        finished=None if stream is None else stream.finished,
    )
    with overlaid(embedded.overlay):
        planned = plan(embedded.files, request.settings, request.settings_of, request.named)
        results = embedded.with_cells(run.results(planned))
    exclusions = replace(exclusions, changes=embedded.changes(exclusions.changes))
    report = gather(results, selections, exclusions, embedded.files)
    report = replace(
        report,
        files=len(request.files),
        remarks=(*planned.remarks, *report.remarks),
        arch=request.settings.arch or DEFAULT_ARCH,
    )
    problems = [Diagnostic(f) for f in embedded.problems if selections.shows(f.code, f.span.file)]
    problems = list(with_fingerprints(selections.with_severities(problems), embedded.texts))
    if exclusions.baseline is not None and not exclusions.keep_known:
        problems, _ = exclusions.baseline.divided(problems, lines_of(embedded.texts))
    return embedded.report(report, problems)


def inspect(request: RunRequest) -> Inspection:
    """Analyse the files and return every access and barrier. Raises PlanError."""
    embedded = embedding(request.files, request.overlay)
    line = None if embedded.units else request.line  # their kernels have places of their own
    run = Run(replace(request, overlay=embedded.overlay, line=line), [], keep_analyses=True)
    with overlaid(embedded.overlay):
        planned = plan(embedded.files, request.settings, request.settings_of, request.named)
        results = in_path_order(embedded.with_cells(run.results(planned)))
    kernels = distinct_kernels(results)
    problems = sorted(distinct_problems(results), key=lambda finding: finding.span)
    inspection = Inspection(
        kernels=kept_analyses(kernels),
        coverage=coverage_of(results, kernels),
        failures=distinct_failures(results),
        diagnostics=tuple(Diagnostic(finding) for finding in problems),
        remarks=(*planned.remarks, *unused_assumptions(results)),
    )
    return embedded.inspection(inspection)
