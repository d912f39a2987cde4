"""Narrow blocks of a kernel that has wide ones too, as for numbers that no wide block divides: no warnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coalint.core.facts.causes import CauseKind
from coalint.core.facts.launch import LaunchSource
from coalint.core.findings import Finding, Note, Severity
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, RankedFinding


def without_fallbacks(checked: Sequence[CheckedKernel]) -> list[CheckedKernel]:
    """Return the kernels of a file, with what a narrow block costs as infos where a wider one does without."""
    return [
        replace(one, findings=tuple(_judged(item, one, checked) for item in one.findings))
        if any(_is_of_width(item.finding, one) for item in one.findings)
        else one
        for one in checked
    ]


def _judged(item: RankedFinding, kernel: CheckedKernel, checked: Sequence[CheckedKernel]) -> RankedFinding:
    if not _is_of_width(item.finding, kernel):
        return item
    width = max((_width(other) for other in checked if _does_without(other, kernel, item.finding.span)), default=0)
    if not width:
        return item
    note = Note(f"the kernel is launched with blocks of {width} threads in x too, which cost less here")
    return item.as_info(note)


def _is_of_width(finding: Finding, kernel: CheckedKernel) -> bool:
    """Whether a finding is a warning that may be due to the width of the block.

    In a block of one thread in x the lanes of a warp are neighbours in y, so that each is on a row of its own.
    """
    if finding.severity is not Severity.WARNING or finding.cause is None:
        return False
    kind = finding.cause.kind
    return kind is CauseKind.NARROW_BLOCK or (kind is CauseKind.STRIDE and _width(kernel) == 1)


def _does_without(other: CheckedKernel, kernel: CheckedKernel, at: Span) -> bool:
    """Whether another launch of the same kernel has a wider block, with which nothing is found there."""
    return (
        other.span == kernel.span
        and other.specialization.source is LaunchSource.LAUNCH
        and _width(other) > _width(kernel)
        and not any(item.finding.span == at and item.finding.severity >= Severity.WARNING for item in other.findings)
    )


def _width(checked: CheckedKernel) -> int:
    return checked.specialization.block[0]
