"""Keeps one of everything that several translation units include: kernels, problems, failures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from os.path import realpath

from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.core.findings import Finding
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, FileResult
from coalint.engine.report import Failure


def in_path_order(results: Iterable[FileResult]) -> list[FileResult]:
    """Return the results sorted by path, so that nothing else decides which of equal things is reported."""
    return sorted(results, key=lambda result: result.path)


def distinct_failures(results: Iterable[FileResult]) -> tuple[Failure, ...]:
    """Return each failure once."""
    return tuple(dict.fromkeys(failure for result in results for failure in result.failures))


def distinct_kernels(results: Iterable[FileResult]) -> list[CheckedKernel]:
    """Return each kernel once per specialization and outcome; under assumed launches only where none was seen."""
    distinct: dict[tuple[str, Span, Specialization, str], CheckedKernel] = {}
    for result in results:
        for kernel in result.checked:
            anywhere = replace(kernel.specialization, line=None, file=None)
            distinct.setdefault((kernel.kernel, kernel.span, anywhere, kernel.outcome), kernel)
    launched = {(kernel.kernel, kernel.span) for kernel in distinct.values() if is_launched(kernel)}
    return [k for k in distinct.values() if is_launched(k) or (k.kernel, k.span) not in launched]


def distinct_problems(results: Collection[FileResult]) -> Iterator[Finding]:
    """Yield what could not be read, once for all files that include it.

    Left out are problems of a kernel that another file analysed, or that another file launches where this one only
    chose representative template arguments, and problems of a fragment by itself that another file includes.
    """
    analysed = {(kernel.kernel, kernel.span.file) for result in results for kernel in result.checked}
    launched = {(k.kernel, k.span.file) for result in results for k in result.checked if is_launched(k)}
    included = {fragment for result in results for fragment in result.fragments}
    first_result: dict[tuple[str, Span, str | None], int] = {}
    for number, result in enumerate(results):
        defined = {(name, span.file) for name, span in result.kernels}
        guessed = {(kernel.kernel, kernel.span.file) for kernel in result.checked if kernel.specialization.guessed}
        for finding in dict.fromkeys(result.problems):
            if finding.kernel is None:
                is_replaced = realpath(result.path) in included
            else:
                key = (finding.kernel, finding.span.file)
                is_replaced = key in (analysed - defined) or key in (launched & guessed)
            place = (finding.code, finding.span, finding.kernel)
            if not is_replaced and first_result.setdefault(place, number) == number:
                yield finding


def is_launched(kernel: CheckedKernel) -> bool:
    """Whether a launch was seen: what was assumed of a header's kernel, when read alone, does not matter then."""
    return kernel.specialization.source is LaunchSource.LAUNCH and not kernel.specialization.guessed
