"""Counts how much of a run was understood."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from coalint.engine.check.records import CheckedKernel, FileResult
from coalint.engine.findings.deduplicate import distinct_problems
from coalint.engine.report import Coverage


def coverage_of(results: Collection[FileResult], kernels: Collection[CheckedKernel]) -> Coverage:
    """Return the coverage of a run: each kernel counts once, whether it was analysed or not."""
    defined = {(name, span.file, span.line) for result in results for name, span in result.kernels}
    by_name = {(name, file) for name, file, _ in defined}
    gaps = {(kernel.kernel, gap.span) for result in results for kernel in result.checked for gap in kernel.gaps}
    lost = {
        (finding.kernel, finding.span.file, 0)
        for finding in distinct_problems(results)
        if finding.kernel is not None
        and (finding.kernel, finding.span.file) not in by_name
        and (finding.kernel, finding.span) not in gaps  # of one that was analysed, in a helper of another file
    }
    analysed = {(kernel.kernel, kernel.span.file, kernel.span.line) for kernel in kernels}
    whole = {
        (kernel.kernel, kernel.span.file)
        for result in results
        for kernel in result.checked
        if (kernel.kernel, kernel.span.file) not in result.in_part
    }
    partial = {(name, file, line) for name, file, line in analysed if (name, file) not in whole}
    total = Coverage.total(
        (kernel.coverage for kernel in kernels),
        kernels=len(defined | lost | analysed),
        analysed=len(analysed - partial),
        partial=len(partial),
    )
    return replace(total, installed=_installed(results))


def _installed(results: Collection[FileResult]) -> dict[str, tuple[str, ...]]:
    """Return the headers that were read from folders on this machine, by folder."""
    folders: dict[str, set[str]] = {}
    for result in results:
        for header in result.installed:
            folders.setdefault(header.folder, set()).add(header.name)
    return {folder: tuple(sorted(names)) for folder, names in sorted(folders.items())}
