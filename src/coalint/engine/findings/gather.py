"""Turns the results of all files into a Report: the one place where findings are dropped, merged, filtered, ordered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from coalint.engine.check.records import CheckedKernel, FileResult
from coalint.engine.findings.coverage import coverage_of
from coalint.engine.findings.deduplicate import (
    distinct_failures,
    distinct_kernels,
    distinct_problems,
    in_path_order,
)
from coalint.engine.findings.filters.baseline.entry import BaselineEntry
from coalint.engine.findings.filters.changes.changed_kernels import in_changed_kernels
from coalint.engine.findings.filters.completeness import Completeness
from coalint.engine.findings.filters.exclusions import (
    NO_EXCLUSIONS,
    Exclusions,
    apply_comments,
    is_complete,
    stale_remark,
)
from coalint.engine.findings.filters.selection import RuleSelections
from coalint.engine.findings.fingerprints import lines_of, with_fingerprints
from coalint.engine.findings.merge import drop_refined, merge_launches
from coalint.engine.findings.order import report_order
from coalint.engine.report import Diagnostic, Hidden, Inspected, Report


def gather(
    results: Sequence[FileResult],
    selections: RuleSelections,
    exclusions: Exclusions = NO_EXCLUSIONS,
    files: Collection[str] = (),
) -> Report:
    """Return what is reported of the results of files, in whatever order these come.

    A file is analysed under its own settings, or under those of the file that includes it. The settings of the file in
    which a finding lies decide whether and how that finding is reported. `files` are those that the run was asked for.
    """
    results = in_path_order(results)
    kernels = distinct_kernels(results)
    sources = {name: text for result in results for name, text in result.sources.items()}
    merged = merge_launches(drop_refined(_of_selected_rules(kernels, selections), selections.registry))
    problems = (Diagnostic(finding) for finding in distinct_problems(results))
    ordered = sorted((*problems, *merged), key=report_order)
    reported = [d for d in selections.with_severities(ordered) if selections.shows(d.finding.code, d.finding.span.file)]
    identified = with_fingerprints(reported, sources)
    completeness = Completeness(results, kernels, files)
    visible, hidden_by_comments = apply_comments(
        identified, selections, sources, completeness, exclusions.apply_comments
    )
    lines, listed = lines_of(sources), 0
    stale: tuple[BaselineEntry, ...] = ()
    if exclusions.baseline is not None:
        stale = exclusions.baseline.stale(visible, lines, is_complete(selections, completeness))
        if not exclusions.keep_known:
            visible, known = exclusions.baseline.divided(visible, lines)
            listed = len(known)
    changed = in_changed_kernels(visible, results, exclusions.changes)
    remarks = () if exclusions.baseline is None or exclusions.keep_known else stale_remark(exclusions.baseline, stale)
    return Report(
        diagnostics=tuple(changed),
        coverage=coverage_of(results, kernels),
        failures=distinct_failures(results),
        files=len({result.path for result in results}),
        sources=sources,
        remarks=(*unused_assumptions(results), *remarks),
        hidden=Hidden(comments=hidden_by_comments, baseline=listed, unchanged=len(visible) - len(changed)),
        stale=stale,
        inspected=kept_analyses(kernels),
    )


def unused_assumptions(results: Sequence[FileResult]) -> tuple[str, ...]:
    """Return a remark for each name that an option says something about without effect on any kernel."""
    if not any(result.checked for result in results):
        return ()
    used = {name for result in results for name, has_effect in result.facts if has_effect}
    named = dict.fromkeys(name for result in results for name, _ in result.facts)
    why = "no checked kernel depends on it, or the launches contradict it"
    return tuple(f"the assumption about `{name}` has no effect: {why}" for name in named if name not in used)


def kept_analyses(kernels: Sequence[CheckedKernel]) -> tuple[Inspected, ...]:
    """Return the kernels whose analyses were kept, ordered by place."""
    ordered = sorted(kernels, key=lambda kernel: kernel.span)
    return tuple(
        Inspected(
            analysis=kernel.analysis, instructions=kernel.instructions, arch=kernel.arch, block_forms=kernel.block_forms
        )
        for kernel in ordered
        if kernel.analysis is not None
    )


def _of_selected_rules(kernels: Iterable[CheckedKernel], selections: RuleSelections) -> Iterator[CheckedKernel]:
    """Yield the kernels without findings of rules that the file of the finding does not select."""
    for kernel in kernels:
        selected = (f for f in kernel.findings if f.finding.code in selections.for_file(f.finding.span.file).running)
        yield replace(kernel, findings=tuple(selected))
