"""Keeps the findings in kernels and functions that a branch changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from coalint.core.findings import Finding
from coalint.core.source.spans import Span
from coalint.engine.check.records import FileResult
from coalint.engine.findings.filters.changes.changed_lines import Changes
from coalint.engine.report import Diagnostic


def in_changed_kernels(
    diagnostics: Sequence[Diagnostic], results: Sequence[FileResult], changes: Changes | None
) -> list[Diagnostic]:
    """Return the findings in kernels and functions that the changes touch, and those outside of any on changed lines.

    Without `changes` all findings are returned. Raises ChangesError.
    """
    if changes is None:
        return list(diagnostics)
    kernels: dict[tuple[str, str | None], set[Span]] = defaultdict(set)
    kernels_anywhere: dict[str | None, set[Span]] = defaultdict(set)
    functions: dict[str, set[Span]] = defaultdict(set)
    for result in results:
        for name, span in result.kernels:
            kernels[span.file, name].add(span)
            kernels_anywhere[name].add(span)
            functions[span.file].add(span)
        for span in result.functions:
            functions[span.file].add(span)

    def is_touched(finding: Finding) -> bool:
        span = finding.span
        enclosing = [f for f in functions[span.file] if f.line <= span.line <= f.end_line]
        enclosing += kernels.get((span.file, finding.kernel)) or kernels_anywhere[finding.kernel]
        return any(changes.in_file(place.file).touches(place.line, place.end_line) for place in (span, *enclosing))

    return [diagnostic for diagnostic in diagnostics if is_touched(diagnostic.finding)]
