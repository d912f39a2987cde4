"""The result of a file, from what was checked of its module."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.facts.launch import LaunchRecord
from coalint.core.findings import Finding
from coalint.core.source.comments import MARK
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, FileResult
from coalint.engine.report import Failure

if TYPE_CHECKING:
    from coalint.core import ir


def module_result(
    path: str,
    module: ir.Module,
    checked: Sequence[CheckedKernel],
    problems: Sequence[Finding],
    failures: Sequence[Failure],
    records: Mapping[str, Sequence[LaunchRecord]],
    *,
    facts: tuple[tuple[str, bool], ...],
    whole: bool,
    models: bool,
) -> FileResult:
    """Return the result of a file.

    `records` are the launches that it makes, by the kernels' keys; `facts` the user's assumptions, and whether each had
    an effect; `whole` is False where a limit left something out; `models` keeps the sources of all accesses.
    """
    quoted = {span.file for span in _spans(checked, problems)}
    if models:
        quoted |= {access.span.file for kernel in checked if kernel.analysis for access in kernel.analysis.accesses}
    return FileResult(
        path,
        tuple((kernel.name, kernel.span) for kernel in module.kernels),
        tuple(checked),
        tuple(problems),
        tuple(failures),
        {name: text for name, text in module.sources.items() if name in quoted or MARK in text},
        tuple(
            (_real(kernel.declaration), os.path.realpath(kernel.span.file))
            for kernel in module.kernels
            if kernel.declaration is not None
        ),
        tuple(os.path.realpath(name) for name in module.fragments),
        tuple(
            (_real(declaration), replace(record, kernel=declaration.symbol))
            for key, declaration in module.declared.items()
            for record in records.get(key, ())
        ),
        tuple((p.kernel, p.span.file, p.switches) for p in module.problems if p.kernel is not None and p.switches),
        whole,
        facts=facts,
        functions=tuple(sorted({f.span for f in module.functions.values() if not f.bundled})),
        in_part=tuple((name, p.span.file) for p in module.problems for name in p.in_part),
        installed=module.installed,
    )


def _real(declaration: ir.Declaration) -> ir.Declaration:
    return replace(declaration, file=os.path.realpath(declaration.file))


def _spans(checked: Iterable[CheckedKernel], problems: Iterable[Finding]) -> Iterable[Span]:
    items = [item for kernel in checked for item in kernel.findings]
    findings = [*problems, *(item.finding for item in items), *(item.moved for item in items if item.moved is not None)]
    for finding in findings:
        yield finding.span
        yield from (note.span for note in finding.notes if note.span is not None)
