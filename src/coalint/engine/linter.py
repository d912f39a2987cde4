"""The pipeline, files to Report; the one place where findings are dropped, merged, filtered and ordered."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import realpath
from typing import TYPE_CHECKING

from coalint.core.facts.assumptions import NOTHING, Given
from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.core.findings import Confidence, Finding
from coalint.core.source.overlay import overlaid
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, FileResult, Found, Overlay
from coalint.engine.config.settings import Settings, SettingsOf
from coalint.engine.execution.run import Progress, Run
from coalint.engine.findings.filters.baseline import Baseline
from coalint.engine.findings.filters.changed_lines import Changes
from coalint.engine.findings.filters.ignores import Ignores, Known
from coalint.engine.findings.filters.selection import Choices
from coalint.engine.findings.fingerprints import lines_of, with_fingerprints
from coalint.engine.findings.known import Listed
from coalint.engine.registry import Registry
from coalint.engine.report import Coverage, Diagnostic, Failure, Hidden, Inspected, Inspection, Report
from coalint.engine.units.embedded import embedding
from coalint.engine.units.plan import plan

if TYPE_CHECKING:
    from concurrent.futures import Executor

_COST = re.compile(r"\d[\d.]* (?:sector|wavefront)s?(?: per request)?, [\d.]+ would do")
NAMED = 3  # instances of one kernel template that a finding names together
_SURENESS = {Confidence.LOW: 0, Confidence.MEDIUM: 1, Confidence.HIGH: 2}


@dataclass(frozen=True)
class LeavingOut:
    """What a report leaves out beside what the settings say: what comments hide, what is known, what did not change.

    With `keep_known` the baseline is compared and leaves nothing out.
    """

    ignores: bool = True
    baseline: Baseline | None = None
    changes: Changes | None = None
    keep_known: bool = False


NOTHING_MORE = LeavingOut()


def lint(
    files: Sequence[str],
    settings: Settings,
    registry: Registry,
    progress: Progress | None = None,
    executor: Executor | None = None,
    settings_of: SettingsOf | None = None,
    leaving_out: LeavingOut = NOTHING_MORE,
    overlay: Overlay = (),
    models: bool = False,
) -> Report:
    """Check the files and gather what is to be reported, ordered by place.

    The check of a file is a pure function: `executor` may run it anywhere that sees the same files. Without one it runs
    in `settings.jobs` processes of this machine, under the limits of the settings. These hold for the run; what differs
    from file to file is taken from `settings_of`. `overlay` holds texts that stand in for files. With `models` the
    report has every access, with the model that it can be computed from anew.
    """
    settings_of = settings_of or (lambda _: settings)
    choices = Choices(settings_of, registry)
    rules = choices.running(files)
    held = embedding(files, overlay)
    run = Run(
        settings,
        rules,
        keep=models,
        models=models,
        progress=progress,
        executor=executor,
        settings_of=settings_of,
        overlay=held.overlay,
    )
    with overlaid(held.overlay):
        planned = plan(held.files, settings, settings_of)
        results = run.results(planned)
    leaving_out = replace(leaving_out, changes=held.changes(leaving_out.changes))
    report = gather(results, settings, registry, settings_of, leaving_out, held.files)
    report = replace(report, files=len(files), remarks=(*planned.remarks, *report.remarks))
    shown = [Diagnostic(f) for f in held.problems if choices.shows(f.code, f.span.file)]
    problems = list(with_fingerprints(_judged(shown, choices), held.texts))
    if leaving_out.baseline is not None and not leaving_out.keep_known:
        problems, _ = leaving_out.baseline.divided(problems, lines_of(held.texts))
    return held.report(report, problems)


def gather(
    results: Sequence[FileResult],
    settings: Settings,
    registry: Registry,
    settings_of: SettingsOf | None = None,
    leaving_out: LeavingOut = NOTHING_MORE,
    files: Collection[str] = (),
) -> Report:
    """Turn what the files gave, in whatever order, into what is reported.

    What a file is analysed under are its own settings, or those of the file that includes it; what is reported in it,
    and how, is decided by those of the file that a finding stands in. `files` are those that the run was asked for.
    """
    results = _in_order(results)
    choices = Choices(settings_of or (lambda _: settings), registry)
    checked = _distinct(results)
    sources = _sources(results)
    own = [Diagnostic(finding) for finding in _problems(results)]
    found = sorted((*own, *_merged(_unrefined(_running(checked, choices), registry))), key=_order)
    shown = [d for d in _judged(found, choices) if choices.shows(d.finding.code, d.finding.span.file)]
    named = with_fingerprints(shown, sources)
    known = Known(results, checked, files)
    kept, hidden = _without_hidden(named, choices, sources, known, leaving_out.ignores)
    lines, listed = lines_of(sources), 0
    gone: tuple[Listed, ...] = ()
    if leaving_out.baseline is not None:
        gone = leaving_out.baseline.stale(kept, lines, _is_judged(choices, known))
        if not leaving_out.keep_known:
            kept, old = leaving_out.baseline.divided(kept, lines)
            listed = len(old)
    new = _changed(kept, results, leaving_out.changes)
    return Report(
        tuple(new),
        _coverage(results, checked),
        _failures(results),
        len({result.path for result in results}),
        sources,
        () if leaving_out.baseline is None or leaving_out.keep_known else _stale(leaving_out.baseline, gone),
        Hidden(hidden, listed, len(kept) - len(new)),
        gone,
        _inspected(checked),
    )


def inspect(
    files: Sequence[str],
    settings: Settings,
    progress: Progress | None = None,
    executor: Executor | None = None,
    settings_of: SettingsOf | None = None,
    overlay: Overlay = (),
    given: Given = NOTHING,
) -> Inspection:
    """Analyse the files and keep every access and barrier; `given` wins over what is known of the launches."""
    held = embedding(files, overlay)
    run = Run(
        settings,
        [],
        keep=True,
        progress=progress,
        executor=executor,
        settings_of=settings_of,
        overlay=held.overlay,
        given=given,
    )
    overlay = held.overlay
    with overlaid(overlay):
        planned = plan(held.files, settings, settings_of)
        results = _in_order(run.results(planned))
    checked = _distinct(results)
    inspection = Inspection(
        _inspected(checked),
        _coverage(results, checked),
        _failures(results),
        tuple(Diagnostic(finding) for finding in sorted(_problems(results), key=lambda finding: finding.span)),
        planned.remarks,
    )
    return held.inspection(inspection)


def _inspected(checked: Sequence[CheckedKernel]) -> tuple[Inspected, ...]:
    """Those of which the analysis was kept."""
    ordered = sorted(checked, key=lambda kernel: kernel.span)
    return tuple(Inspected(c.analysis, c.traffics, c.arch) for c in ordered if c.analysis is not None)


# --- what is reported where


def _running(checked: Iterable[CheckedKernel], choices: Choices) -> Iterator[CheckedKernel]:
    """Without the findings of rules that the files which they stand in do not select."""
    for kernel in checked:
        kept = (f for f in kernel.found if f.finding.code in choices.of(f.finding.span.file).running)
        yield replace(kernel, found=tuple(kept))


def _judged(diagnostics: Iterable[Diagnostic], choices: Choices) -> Iterator[Diagnostic]:
    for diagnostic in diagnostics:
        yield replace(diagnostic, finding=choices.judged(diagnostic.finding))


def _without_hidden(
    diagnostics: Sequence[Diagnostic],
    choices: Choices,
    sources: Mapping[str, str],
    known: Known,
    ignores: bool,
) -> tuple[list[Diagnostic], int]:
    """What no comment hides, with what is to be said about the comments themselves; and how many are hidden."""
    comments = Ignores(sources, choices.registry)
    kept = [d for d in diagnostics if not (ignores and comments.hides(d.finding))]
    hidden = len(diagnostics) - len(kept)
    about = [*comments.problems(), *(comments.unused(choices, known) if ignores else ())]
    shown = [Diagnostic(finding) for finding in about if choices.shows(finding.code, finding.span.file)]
    said = [d for d in _judged(shown, choices) if not comments.hides(d.finding)]
    return sorted((*kept, *with_fingerprints(sorted(said, key=_order), sources)), key=_order), hidden


def _is_judged(choices: Choices, known: Known) -> Callable[[str, str], bool]:
    """Whether a run knows all findings of a rule (its code) in a file: it was checked to the end, and asks for them."""

    def judged(file: str, code: str) -> bool:
        return os.path.realpath(file) in known.whole and choices.shows(code, file)

    return judged


def _stale(baseline: Baseline, gone: Sequence[Listed]) -> tuple[str, ...]:
    """A remark where the baseline lists what is gone."""
    if not gone:
        return ()
    count = sum(entry.count for entry in gone)
    there = f"{count} findings that are" if count > 1 else "1 finding that is"
    remedy = f"`coalint baseline prune --baseline {baseline.path} PATH...` strikes them out"
    return (f"{baseline.path} lists {there} there no more; {remedy}",)


def _changed(
    diagnostics: Sequence[Diagnostic], results: Sequence[FileResult], changes: Changes | None
) -> list[Diagnostic]:
    """The findings in kernels and functions that the changes touch, and those outside of any on lines that changed."""
    if changes is None:
        return list(diagnostics)
    kernels: dict[tuple[str, str | None], set[Span]] = defaultdict(set)
    elsewhere: dict[str | None, set[Span]] = defaultdict(set)
    functions: dict[str, set[Span]] = defaultdict(set)
    for result in results:
        for name, span in result.kernels:
            kernels[span.file, name].add(span)
            elsewhere[name].add(span)
            functions[span.file].add(span)
        for span in result.functions:
            functions[span.file].add(span)

    def is_touched(finding: Finding) -> bool:
        span = finding.span
        around = [f for f in functions[span.file] if f.line <= span.line <= f.end_line]
        around += kernels.get((span.file, finding.kernel)) or elsewhere[finding.kernel]
        return any(changes.of(place.file).touches(place.line, place.end_line) for place in (span, *around))

    return [diagnostic for diagnostic in diagnostics if is_touched(diagnostic.finding)]


# --- one kernel once: what several translation units include is reported under one name


def _in_order(results: Iterable[FileResult]) -> list[FileResult]:
    """By name, so that which of equal things is reported depends on nothing else."""
    return sorted(results, key=lambda result: result.path)


def _failures(results: Iterable[FileResult]) -> tuple[Failure, ...]:
    return tuple(dict.fromkeys(failure for result in results for failure in result.failures))


def _distinct(results: Iterable[FileResult]) -> list[CheckedKernel]:
    seen: dict[tuple[str, Span, Specialization, str], CheckedKernel] = {}
    for result in results:
        for checked in result.checked:
            anywhere = replace(checked.specialization, line=None, file=None)
            seen.setdefault((checked.kernel, checked.span, anywhere, checked.outcome), checked)
    launched = {(kernel.kernel, kernel.span) for kernel in seen.values() if _is_launched(kernel)}
    return [k for k in seen.values() if _is_launched(k) or (k.kernel, k.span) not in launched]


def _problems(results: Iterable[FileResult]) -> Iterator[Finding]:
    """What could not be read, once for all files that include it.

    Not of a kernel that another file gave, or launches where this one could only guess its template's arguments, nor
    what is wrong with a fragment by itself when another file includes it.
    """
    results = list(results)
    analysed = {(checked.kernel, checked.span.file) for result in results for checked in result.checked}
    launched = {(c.kernel, c.span.file) for result in results for c in result.checked if _is_launched(c)}
    included = {fragment for result in results for fragment in result.fragments}
    seen: dict[tuple[str, Span, str | None], int] = {}
    for number, result in enumerate(results):
        defined = {(name, span.file) for name, span in result.kernels}
        guessed = {(c.kernel, c.span.file) for c in result.checked if c.specialization.guessed}
        for finding in dict.fromkeys(result.problems):
            if finding.kernel is None:
                replaced = realpath(result.path) in included
            else:
                kernel = (finding.kernel, finding.span.file)
                replaced = kernel in (analysed - defined) or kernel in (launched & guessed)
            if not replaced and seen.setdefault((finding.code, finding.span, finding.kernel), number) == number:
                yield finding


def _is_launched(kernel: CheckedKernel) -> bool:
    """Whether a launch was seen: what a header's kernel was assumed to be when read alone is then of no interest."""
    return kernel.specialization.source is LaunchSource.LAUNCH and not kernel.specialization.guessed


def _coverage(results: Iterable[FileResult], checked: Iterable[CheckedKernel]) -> Coverage:
    results = list(results)
    checked = list(checked)
    defined = {(name, span.file, span.line) for result in results for name, span in result.kernels}
    by_name = {(name, file) for name, file, _ in defined}
    lost = {
        (finding.kernel, finding.span.file, 0)
        for finding in _problems(results)
        if finding.kernel is not None and (finding.kernel, finding.span.file) not in by_name
    }
    analysed = {(c.kernel, c.span.file, c.span.line) for c in checked}
    return Coverage.total((c.coverage for c in checked), kernels=len(defined | lost | analysed), analysed=len(analysed))


# --- one finding once


def _unrefined(checked: Iterable[CheckedKernel], registry: Registry) -> Iterator[tuple[CheckedKernel, Found]]:
    """Drop the findings that a better one at the same place of the same kernel replaces."""
    replaced = _closure({rule.name: rule.refines for rule in registry.rules})
    checked = list(checked)
    present: dict[tuple[str, Span], set[str]] = {}
    for kernel in checked:
        for found in kernel.found:
            present.setdefault((kernel.kernel, found.finding.span), set()).add(found.finding.name)
    for kernel in checked:
        for found in kernel.found:
            here = present[kernel.kernel, found.finding.span]
            if not any(found.finding.name in replaced.get(name, ()) for name in here):
                yield kernel, found


def _closure(refines: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    def reach(name: str, seen: frozenset[str]) -> frozenset[str]:
        for general in refines.get(name, ()):
            if general not in seen:
                seen = reach(general, seen | {general})
        return seen

    return {name: reach(name, frozenset()) - {name} for name in refines}


def _merged(found: Iterable[tuple[CheckedKernel, Found]]) -> Iterator[Diagnostic]:
    """Keep the worst finding of each rule at each place; it names the other launches that it also holds for."""
    groups: dict[tuple[str, Span], list[tuple[CheckedKernel, Found]]] = {}
    for kernel, item in found:
        groups.setdefault((item.finding.code, item.finding.span), []).append((kernel, item))
    for group in groups.values():
        worst_kernel, worst = max(group, key=_badness)
        basis = worst_kernel.specialization.basis
        if worst_kernel.specialization.template_arguments:
            basis = f"{_name(worst_kernel)} with {basis}"
        also = tuple(_also(group, worst_kernel, worst))
        yield Diagnostic(worst.finding, "; ".join((basis, *worst.assumed)), also, worst.excess)


def _also(group: Iterable[tuple[CheckedKernel, Found]], shown: CheckedKernel, worst: Found) -> Iterator[str]:
    """The other instances and launches that a finding holds for; instances are named together where they cost alike."""
    alike: dict[tuple[str, str], dict[str, None]] = {}
    for kernel, item in group:
        key = kernel.specialization.basis, _other_numbers(item, worst)
        alike.setdefault(key, {})[_name(kernel)] = None
    for (basis, numbers), names in sorted(alike.items(), key=lambda pair: bool(pair[0][1])):
        if basis == shown.specialization.basis and not numbers:
            names.pop(_name(shown), None)
        if list(names) == [_name(shown)]:
            yield basis + numbers
        elif names:
            yield f"{_listed(list(names))} with {basis}{numbers}"


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {rest} more instance{'s' if rest > 1 else ''}" if rest > 0 else "")


def _badness(item: tuple[CheckedKernel, Found]) -> tuple[int, float, int]:
    finding = item[1].finding
    return finding.severity, item[1].excess, _SURENESS[finding.confidence]


def _other_numbers(other: Found, shown: Found) -> str:
    """What the place costs in another launch, where that is not what is shown."""
    there, here = _COST.search(other.finding.message), _COST.search(shown.finding.message)
    return f": {there.group()}" if there is not None and here is not None and there.group() != here.group() else ""


def _name(checked: CheckedKernel) -> str:
    arguments = ", ".join(checked.specialization.template_arguments)
    return f"{checked.kernel}<{arguments}>" if arguments else checked.kernel


def _order(diagnostic: Diagnostic) -> tuple[Span, str]:
    return diagnostic.finding.span, diagnostic.finding.code


def _sources(results: Iterable[FileResult]) -> dict[str, str]:
    return {name: text for result in results for name, text in result.sources.items()}
