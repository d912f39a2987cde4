"""What one block does beside kernels of many: the last step of a sum, the set-up of a few values; no warnings of cost.

Where all kernels of a file are launched with one block, as in examples, nothing is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from coalint.core.facts.causes import CauseKind
from coalint.core.findings import Finding, Note, Severity
from coalint.engine.check.records import CheckedKernel, RankedFinding

MOST = 64
"""Times that a thread makes an access, as far as loops tell, up to which it is little for one block."""
_NOTE = Note("the launch has one block, beside kernels of many: what it moves is little")


def without_single_blocks(checked: Sequence[CheckedKernel]) -> list[CheckedKernel]:
    """Return the kernels of a file, with warnings of what one block moves as infos where others have more blocks."""
    if all(map(_is_single, checked)):
        return list(checked)
    return [replace(one, findings=tuple(_little(one.findings))) if _is_single(one) else one for one in checked]


def _is_single(checked: CheckedKernel) -> bool:
    return checked.specialization.grid == (1, 1, 1)


def _little(items: Iterable[RankedFinding]) -> Iterable[RankedFinding]:
    for item in items:
        if _is_of_cost(item.finding) and item.finding.weight <= MOST:
            moved = None if item.moved is None else _as_info(item.moved)
            yield replace(item, finding=_as_info(item.finding), moved=moved)
        else:
            yield item


def _is_of_cost(finding: Finding) -> bool:
    """Whether a finding is a warning of sectors or wavefronts; lanes that meet at one address wait for each other."""
    waits = finding.cause is not None and finding.cause.kind is CauseKind.MEETING_LANES
    return finding.severity is Severity.WARNING and finding.cost is not None and finding.cost.excess > 0 and not waits


def _as_info(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.INFO, notes=(*finding.notes, _NOTE))
