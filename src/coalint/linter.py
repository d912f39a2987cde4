"""The pipeline, files to Report; the one place where findings are dropped, merged, filtered and ordered."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from coalint.analysis.access import LaunchSource, Specialization
from coalint.cache import cache_folder
from coalint.checking import CheckedKernel, FileResult, Found, Job, Source, check_file, lost_file
from coalint.config import Settings
from coalint.diagnostics import Confidence, Finding, Span
from coalint.executors import map_on
from coalint.fingerprints import with_fingerprints
from coalint.machine.arch import architecture
from coalint.names import Names
from coalint.registry import Registry
from coalint.report import Coverage, Diagnostic, Inspected, Inspection, Report
from coalint.results import stored_results
from coalint.rule import Rule
from coalint.workers import map_items

if TYPE_CHECKING:
    from concurrent.futures import Executor

_COST = re.compile(r"\d[\d.]* (?:sector|wavefront)s?(?: per request)?, [\d.]+ would do")
_SURENESS = {Confidence.LOW: 0, Confidence.MEDIUM: 1, Confidence.HIGH: 2}


Progress = Callable[[int, int], None]
"""Told again and again how many files are done, and of how many."""


def lint(
    files: Sequence[str],
    settings: Settings,
    registry: Registry,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Report:
    """Check the files and gather what is to be reported, ordered by place.

    The check of a file is a pure function: `executor` may run it anywhere that sees the same files. Without one it runs
    in `settings.jobs` processes of this machine, under the limits of the settings.
    """
    chosen = selected(settings, registry)
    job = _job(settings, [rule for rule in registry.rules if rule in chosen])
    results = list(_run(_planned(files, settings), settings, job, progress, executor))
    return gather(results, settings, registry)


def gather(results: Sequence[FileResult], settings: Settings, registry: Registry) -> Report:
    """Turn what the files gave into what is reported."""
    chosen = selected(settings, registry)
    checked = _distinct(results)
    ignored = {rule.code for selector in settings.ignore for rule in registry.matching(selector)}
    shown = {rule.code for rule in chosen} - ignored
    sources = _sources(results)
    own = [Diagnostic(finding) for finding in dict.fromkeys(_problems(results))]
    diagnostics = [*own, *_merged(_unrefined(checked, registry))]
    kept = sorted((d for d in diagnostics if d.finding.code in shown), key=_order)
    return Report(
        with_fingerprints(kept, sources),
        _coverage(results, checked),
        tuple(failure for result in results for failure in result.failures),
        len(results),
        sources,
    )


def inspect(
    files: Sequence[str], settings: Settings, progress: Progress | None = None, executor: Executor | None = None
) -> Inspection:
    """Analyse the files and keep every access and barrier."""
    results = list(_run(_planned(files, settings), settings, _job(settings, [], keep=True), progress, executor))
    checked = _distinct(results)
    return Inspection(
        tuple(Inspected(c.analysis, c.traffics) for c in checked if c.analysis is not None),
        _coverage(results, checked),
        tuple(failure for result in results for failure in result.failures),
        tuple(Diagnostic(finding) for finding in sorted(dict.fromkeys(_problems(results)), key=lambda f: f.span)),
    )


def selected(settings: Settings, registry: Registry) -> set[type[Rule]]:
    """The rules that run. A preview rule runs only where its own code or name is selected."""
    if not settings.select:
        return {rule for rule in registry if rule.status != "preview"}
    chosen: set[type[Rule]] = set()
    for selector in settings.select:
        rules = registry.matching(selector)
        chosen.update(r for r in rules if r.status != "preview" or selector.lower() in (r.name, r.code.lower()))
    return chosen


def _job(settings: Settings, rules: Sequence[type[Rule]], *, keep: bool = False) -> Job:
    folder = cache_folder(settings.cache_dir) if settings.cache else None
    headers = None if folder is None else str(folder / "headers")
    # What `inspect` keeps is too much to be stored.
    inputs = folder is not None and not keep
    return Job(settings.assume, architecture(settings.arch), tuple(rules), keep, headers, settings.limits, inputs)


def _planned(files: Sequence[str], settings: Settings) -> list[Source]:
    return [Source(file, settings.flags) for file in files]


def _run(
    sources: Sequence[Source], settings: Settings, job: Job, progress: Progress | None, executor: Executor | None
) -> Iterator[FileResult]:
    """The results in the order of the sources: those of earlier runs where they hold, the others made now."""
    kept = stored_results(settings, job)
    found = {source: result for source in sources if kept and (result := kept.find(source)) is not None}
    rest = [source for source in sources if source not in found]

    def tick(done: int) -> None:
        if progress is not None:
            progress(len(found) + done, len(sources))

    names = Names.of(source.path for source in sources)
    made = _checked(rest, job, settings.jobs, tick, executor)
    for source in sources:
        result = found.get(source)
        if result is None:
            result = next(made)
            if kept:
                kept.keep(source, result)
        yield names.result(result)
    if kept:
        kept.prune()


def _checked(
    sources: Sequence[Source], job: Job, jobs: int, tick: Callable[[int], None], executor: Executor | None
) -> Iterator[FileResult]:
    def lost(source: Source, cause: str) -> FileResult:
        return lost_file(source.path, cause)

    check = partial(check_file, job=job)
    if executor is not None:
        return map_on(executor, check, sources, lost, tick)
    if sources:
        # Before workers are forked, so that each need not import it.
        import coalint.analysis.evaluate
        import coalint.frontend  # noqa: F401
    sizes = [_size(source.path) for source in sources]
    return map_items(check, sources, jobs, lost, job.limits, sizes=sizes, tick=tick)


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


# --- one kernel once: what several translation units include is reported under one name


def _distinct(results: Iterable[FileResult]) -> list[CheckedKernel]:
    seen: dict[tuple[str, Span, Specialization], CheckedKernel] = {}
    for result in results:
        for checked in result.checked:
            seen.setdefault((checked.kernel, checked.span, checked.specialization), checked)
    launched = {(kernel.kernel, kernel.span) for kernel in seen.values() if _is_launched(kernel)}
    return [k for k in seen.values() if _is_launched(k) or (k.kernel, k.span) not in launched]


def _problems(results: Iterable[FileResult]) -> Iterator[Finding]:
    """What could not be read; not of a header alone, when its kernels were analysed through a file that includes it."""
    results = list(results)
    included = {
        checked.span.file
        for result in results
        for checked in result.checked
        if checked.span.file != result.path and _is_launched(checked)
    }
    for result in results:
        yield from (finding for finding in result.problems if finding.span.file not in included)


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
        labels = [(_label(kernel, worst_kernel), _other_numbers(item, worst)) for kernel, item in group]
        others = dict.fromkeys(
            label + numbers for label, numbers in sorted(labels, key=lambda pair: bool(pair[1])) if label
        )
        basis = "; ".join((worst_kernel.specialization.basis, *worst.assumed))
        yield Diagnostic(worst.finding, basis, tuple(others))


def _badness(item: tuple[CheckedKernel, Found]) -> tuple[int, float, int]:
    finding = item[1].finding
    return finding.severity, item[1].excess, _SURENESS[finding.confidence]


def _label(other: CheckedKernel, shown: CheckedKernel) -> str:
    """How `other` differs from the kernel whose finding is shown: by its name, or by its launch alone."""
    name, basis = _name(other), other.specialization.basis
    if name != _name(shown):
        return f"{name} with {basis}"
    return basis if basis != shown.specialization.basis else ""


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
