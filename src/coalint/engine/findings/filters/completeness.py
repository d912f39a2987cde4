"""Where a run made all findings that there are, so that a missing one is known to be gone."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from coalint.core.facts.launch import LaunchSource
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, FileResult
from coalint.rules.own.not_analysed import NotAnalysed
from coalint.rules.own.translation_unit_error import TranslationUnitError

_HEADERS = (".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".ipp", ".tpp")


class Completeness:
    """The files and lines for which a run made all findings that there are.

    These are files that were asked for themselves and checked to the end. Within them, a kernel is complete where all
    of its launches come from the source; code outside of kernels where the file is no header and all of its kernels are
    complete.

    Attributes:
        results: The results of all files.
        asked: The real paths of the files that the run was asked for.
        specializations: The checked specializations of each kernel.
        kernels: The kernels of each file by name and place, checked or not.
        unread: The places of each file that could not be read.
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
    def complete_files(self) -> frozenset[str]:
        """The real paths of the files that were asked for and checked to the end."""
        to_the_end: dict[str, bool] = {}
        for result in self.results:
            for path in (os.path.realpath(result.path), *result.fragments):
                to_the_end[path] = to_the_end.get(path, True) and result.whole and not result.failures
        return frozenset(path for path, whole in to_the_end.items() if whole and path in self.asked)

    @cached_property
    def main_files(self) -> frozenset[str]:
        """The real paths of the files that were parsed by themselves and are no headers."""
        return frozenset(os.path.realpath(r.path) for r in self.results if not r.path.endswith(_HEADERS))

    def covers_lines(self, file: str, first: int, last: int) -> bool:
        """Whether the run made all findings that there are between two lines of a file."""
        real = os.path.realpath(file)
        if real not in self.complete_files:
            return False
        kernels = self.kernels[file]
        enclosing = [kernel for kernel in kernels if kernel[1].line <= first and last <= kernel[1].end_line]
        if enclosing:
            return all(map(self._is_complete, enclosing))
        return real in self.main_files and all(map(self._is_complete, kernels)) and not self._has_lost_kernels(file)

    def _is_complete(self, kernel: tuple[str, Span]) -> bool:
        _, span = kernel
        checked = self.specializations.get(kernel)
        if not checked or any(span.line <= problem.line <= span.end_line for problem in self.unread[span.file]):
            return False
        doubtful = bool(self.unread[span.file])
        return all(
            not k.specialization.is_guessed
            and k.specialization.source is not LaunchSource.ASSUMED
            and not (doubtful and k.coverage.unknown > k.coverage.data_dependent)
            for k in checked
        )

    def _has_lost_kernels(self, file: str) -> bool:
        return any(
            problem.span.file == file and (problem.code == NotAnalysed.code or problem.severity > problem.severity.INFO)
            for result in self.results
            for problem in result.problems
            if problem.code in (NotAnalysed.code, TranslationUnitError.code)
        )
