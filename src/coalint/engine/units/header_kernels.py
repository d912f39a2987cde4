"""Kernels in headers below the named folders that no unit of a run gave, since none includes or launches them."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from coalint.core.facts.causes import CauseKind, cause
from coalint.core.findings import Finding
from coalint.core.source.reading import FileKind, read_bytes, read_text
from coalint.engine.check.records import FileResult
from coalint.engine.units.discovery import every_name
from coalint.frontend.cuda.build.kernel_marks import defines_kernels
from coalint.frontend.registry import front_ends
from coalint.rules.own.not_analysed import NotAnalysed

MOST = 20_000  # files below a folder that are looked at

_HELP = "name the header to check it, or check it together with a file that launches these kernels"


def lost_in_headers(
    named: Sequence[str], results: Collection[FileResult], is_wanted: Callable[[str], bool]
) -> Iterator[FileResult]:
    """Yield a result for each header that holds kernels of which the run gave nothing, with one problem for each.

    `named` are the paths that the user named, of which folders count. `is_wanted` tells by its real path whether a file
    may be looked at.
    """
    known = {(name, os.path.realpath(span.file)) for result in results for name, span in result.kernels}
    known |= {
        (problem.kernel, os.path.realpath(problem.span.file))
        for result in results
        for problem in result.problems
        if problem.kernel is not None
    }
    for path, within in _headers(named):
        if not is_wanted(os.path.realpath(path)):
            continue
        try:
            text = read_text(path, FileKind.HEADER, within)
        except OSError:
            continue
        problems = tuple(_problems(path, text, known))
        if problems:
            yield FileResult(path, problems=problems, sources={path: text})


def _headers(named: Sequence[str]) -> Iterator[tuple[str, tuple[str]]]:
    """Yield the headers below the named folders that name what marks a kernel, and what their links may not leave."""
    seen: set[str] = set()
    headers = tuple(suffix for front_end in front_ends() for suffix in front_end.header_suffixes)
    for folder in filter(os.path.isdir, named):
        within = (os.path.realpath(folder),)
        for number, name in enumerate(every_name(folder)):
            if number >= MOST:
                break
            path = str(Path(folder) / name)
            if not name.endswith(headers) or os.path.islink(path) or os.path.realpath(path) in seen:
                continue
            seen.add(os.path.realpath(path))
            try:
                marked = defines_kernels(read_bytes(path, FileKind.HEADER, within))
            except OSError:
                continue
            if marked:
                yield path, within


def _problems(path: str, text: str, known: Collection[tuple[str | None, str]]) -> Iterator[Finding]:
    real = os.path.realpath(path)
    told: set[str] = set()
    written = (kernel for front_end in front_ends() for kernel in front_end.written_kernels(text, path))
    for name, span in written:
        if (name, real) not in known and name not in told:
            told.add(name)
            message = f"the kernel {name} was not analysed: no file of this run uses it"
            finding = NotAnalysed.report(message, span, name, NotAnalysed.severity, _HELP)
            yield replace(finding, cause=cause(CauseKind.UNUSED, real))
