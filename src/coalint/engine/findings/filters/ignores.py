"""Applies the comments of all files of a run to its findings, and tells which of them a run can judge."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from coalint.core.facts.launch import LaunchSource
from coalint.core.findings import Finding
from coalint.core.source.comments import MARK
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, FileResult
from coalint.engine.findings.filters.selection import Choices
from coalint.engine.findings.filters.suppressions import Suppressions
from coalint.engine.registry import Registry
from coalint.rules.own.not_analysed import NotAnalysed
from coalint.rules.own.translation_unit_error import TranslationUnitError

_HEADERS = (".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".ipp", ".tpp")


class Known:
    """Where a run knows all findings that there are.

    Not in a file that was only included, nor where its check was cut short; of a kernel only under the launches that
    the source gives; outside of the kernels only in a file that is no header, and all of whose kernels are known.
    """

    def __init__(self, results: Sequence[FileResult], checked: Iterable[CheckedKernel], files: Collection[str]) -> None:
        self.results = results
        self.asked = {os.path.realpath(file) for file in files}
        self.specializations: dict[tuple[str, Span], list[CheckedKernel]] = defaultdict(list)
        for kernel in checked:
            self.specializations[kernel.kernel, kernel.span].append(kernel)
        self.kernels: dict[str, set[tuple[str, Span]]] = defaultdict(set)
        self.unread: dict[str, set[Span]] = defaultdict(set)
        for result in results:
            for name, span in result.kernels:
                self.kernels[span.file].add((name, span))
            for problem in result.problems:
                self.unread[problem.span.file].add(problem.span)

    @cached_property
    def whole(self) -> frozenset[str]:
        """The real paths of the files asked for that were checked to the end."""
        found: dict[str, bool] = {}
        for result in self.results:
            for path in (os.path.realpath(result.path), *result.fragments):
                found[path] = found.get(path, True) and result.whole and not result.failures
        return frozenset(path for path, whole in found.items() if whole and path in self.asked)

    @cached_property
    def mains(self) -> frozenset[str]:
        """The real paths of what was parsed for its own sake, and is no header."""
        return frozenset(os.path.realpath(r.path) for r in self.results if not r.path.endswith(_HEADERS))

    def lines(self, file: str, first: int, last: int) -> bool:
        """Whether all findings between two lines of a file are known."""
        real = os.path.realpath(file)
        if real not in self.whole:
            return False
        kernels = self.kernels[file]
        around = [kernel for kernel in kernels if kernel[1].line <= first and last <= kernel[1].end_line]
        if around:
            return all(map(self._is_settled, around))
        return real in self.mains and all(map(self._is_settled, kernels)) and not self._lost(file)

    def _is_settled(self, kernel: tuple[str, Span]) -> bool:
        _, span = kernel
        found = self.specializations.get(kernel)
        if not found or any(span.line <= problem.line <= span.end_line for problem in self.unread[span.file]):
            return False
        doubtful = bool(self.unread[span.file])
        return all(
            not k.specialization.is_guessed
            and k.specialization.source is not LaunchSource.ASSUMED
            and not (doubtful and k.coverage.unknown > k.coverage.data_dependent)
            for k in found
        )

    def _lost(self, file: str) -> bool:
        return any(
            problem.span.file == file and (problem.code == NotAnalysed.code or problem.severity > problem.severity.INFO)
            for result in self.results
            for problem in result.problems
            if problem.code in (NotAnalysed.code, TranslationUnitError.code)
        )


class Ignores:
    """The comments of the files of a run."""

    def __init__(self, sources: Mapping[str, str], registry: Registry) -> None:
        self.files = {file: Suppressions(file, text, registry) for file, text in sources.items() if MARK in text}

    def hides(self, finding: Finding) -> bool:
        """Whether a comment hides a finding."""
        comments = self.files.get(finding.span.file)
        return comments is not None and comments.hides(finding)

    def problems(self) -> Iterator[Finding]:
        """The comments that say nothing that coalint understands."""
        for comments in self.files.values():
            yield from comments.problems

    def unused(self, choices: Choices, known: Known) -> Iterator[Finding]:
        """The comments that hide nothing, as far as the run can tell."""
        for file, comments in self.files.items():
            chosen = choices.of(file)
            conditional = comments.commented.conditional

            def is_judged(first: int, last: int, file: str = file, open: frozenset[int] = conditional) -> bool:
                return open.isdisjoint(range(first, last + 1)) and known.lines(file, first, last)

            ran = frozenset(code for code in chosen.running if choices.shows(code, file))
            yield from comments.unused(ran, chosen.everything_runs, is_judged)
