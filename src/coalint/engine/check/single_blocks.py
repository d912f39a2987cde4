"""What one block does beside kernels of many: the last step of a sum, the set-up of a few values; no warnings of cost.

So is what a kernel that tells no blocks apart does. Where all kernels of a file are launched with one block, as in
examples, nothing is left out but what a handful of threads does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from math import prod

from coalint.core.facts.causes import CauseKind
from coalint.core.facts.launch import LaunchSource
from coalint.core.findings import Finding, Note, Severity
from coalint.core.records import record
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, RankedFinding

MOST = 64
"""Times that a thread makes an access, as far as loops tell, up to which it is little for one block."""
HANDFUL = 16
"""Threads of a whole launch that nothing is gained by bringing closer together."""
_NOTE = Note("the launch has one block, beside kernels of many: what it moves is little")
_ALIKE = Note("the kernel tells no blocks apart, so that one block runs it: what it moves is little")


@record(frozen=True, slots=True)
class LoneKernels:
    """The kernels that tell no blocks apart, by their places.

    `open_grid` says that one of them is launched with a grid that is no constant, as no example is.
    """

    spans: frozenset[Span]
    open_grid: bool


def without_single_blocks(checked: Sequence[CheckedKernel], lone: LoneKernels) -> list[CheckedKernel]:
    """Return the kernels of a file, with warnings of what one block moves as infos where others have more blocks."""
    judged = [_without_handful(one) for one in checked]
    notes = [_note(one, lone.spans) for one in judged]
    if all(notes) and not lone.open_grid:
        return judged
    return [
        one if note is None else replace(one, findings=tuple(_little(one.findings, note)))
        for one, note in zip(judged, notes, strict=True)
    ]


def _without_handful(checked: CheckedKernel) -> CheckedKernel:
    """Return a kernel with warnings of cost as infos where the launch has a handful of threads in all."""
    launch = checked.specialization
    if launch.source is not LaunchSource.LAUNCH or launch.grid is None:
        return checked
    threads = prod(launch.block) * prod(launch.grid)
    if threads > HANDFUL or not any(_is_costly(item.finding) for item in checked.findings):
        return checked
    note = Note(f"the whole launch has {threads} thread{'s' if threads > 1 else ''}: what they cost is little")
    findings = (item.as_info(note) if _is_costly(item.finding) else item for item in checked.findings)
    return replace(checked, findings=tuple(findings))


def _is_costly(finding: Finding) -> bool:
    """Whether a finding is a warning of what accesses or meeting lanes cost."""
    return finding.is_of_cost or (finding.is_of_meeting_lanes and finding.severity is Severity.WARNING)


def _note(checked: CheckedKernel, lone: Collection[Span]) -> Note | None:
    """Return what says that a kernel runs as one block; None where it may be more of them."""
    if checked.specialization.grid is not None:
        return _NOTE if checked.specialization.grid == (1, 1, 1) else None
    return _ALIKE if checked.span in lone else None


def _little(items: Iterable[RankedFinding], note: Note) -> Iterable[RankedFinding]:
    for item in items:
        if _is_little(item.finding) and not (note is _ALIKE and _is_chunk(item.finding)):
            yield item.as_info(note)
        else:
            yield item


def _is_little(finding: Finding) -> bool:
    """Whether a finding is a warning of what one block moves in vain, a few times."""
    return finding.is_of_excess and not finding.is_of_meeting_lanes and finding.weight <= MOST


def _is_chunk(finding: Finding) -> bool:
    """Whether each thread walks elements of its own: those of a matrix, which are no little even for one block."""
    return finding.cause is not None and finding.cause.kind is CauseKind.CHUNK
