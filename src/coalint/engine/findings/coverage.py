"""Counts how much of a run was understood."""

from __future__ import annotations

from collections.abc import Collection

from coalint.engine.check.records import CheckedKernel, FileResult
from coalint.engine.findings.deduplicate import distinct_problems
from coalint.engine.report import Coverage


def coverage_of(results: Collection[FileResult], kernels: Collection[CheckedKernel]) -> Coverage:
    """Return the coverage of a run: each kernel counts once, whether it was analysed or not."""
    defined = {(name, span.file, span.line) for result in results for name, span in result.kernels}
    by_name = {(name, file) for name, file, _ in defined}
    lost = {
        (finding.kernel, finding.span.file, 0)
        for finding in distinct_problems(results)
        if finding.kernel is not None and (finding.kernel, finding.span.file) not in by_name
    }
    analysed = {(kernel.kernel, kernel.span.file, kernel.span.line) for kernel in kernels}
    whole = {
        (kernel.kernel, kernel.span.file)
        for result in results
        for kernel in result.checked
        if (kernel.kernel, kernel.span.file) not in result.in_part
    }
    partial = {(name, file, line) for name, file, line in analysed if (name, file) not in whole}
    return Coverage.total(
        (kernel.coverage for kernel in kernels),
        kernels=len(defined | lost | analysed),
        analysed=len(analysed - partial),
        partial=len(partial),
    )
