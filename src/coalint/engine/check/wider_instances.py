"""Instances of a template for wider numbers than it is written for, beside sound ones: what they cost is no warning.

A dispatch over types makes an instance for each, of `double` too, with which hardly anybody runs a network; and where
the code moves fixed vectors through a cast (`*(int4 *)&in[8 * i]`), it has one type of elements in mind.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.facts.access import Space
from coalint.core.facts.launch import LaunchSource
from coalint.core.findings import Finding, Note, Severity
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, RankedFinding

if TYPE_CHECKING:
    from coalint.core import ir

WIDEST = 8
"""Bytes of the widest floating-point type, with which hardly any network runs."""

_CAST = re.compile(r"reinterpret_cast\s*<|\(\s*(?:const\s+)?\w[\w:]*\s*\*\s*\)")


def without_wider(checked: Sequence[CheckedKernel], module: ir.Module) -> list[CheckedKernel]:
    """Return the kernels of a module, with what an instance costs for its wider numbers as infos.

    That is where the same launch has an instance that differs in narrower floating-point types alone, and costs nothing
    in vain there: for `double`, and for other types where the access goes through a cast.
    """
    widths = module.spelling.float_names
    return [
        replace(one, findings=tuple(_judged(item, one, checked, widths) for item in one.findings))
        if any(_is_candidate(item.finding, one, widths) for item in one.findings)
        else one
        for one in checked
    ]


def _is_candidate(finding: Finding, kernel: CheckedKernel, widths: Mapping[str, int]) -> bool:
    types = kernel.specialization.template_arguments
    if not finding.is_of_excess or finding.is_of_meeting_lanes or not any(name in widths for name in types):
        return False
    return any(widths.get(name) == WIDEST for name in types) or any(
        _CAST.search(subject.expression) for subject in finding.subjects
    )


def _judged(
    item: RankedFinding, kernel: CheckedKernel, checked: Sequence[CheckedKernel], widths: Mapping[str, int]
) -> RankedFinding:
    if not _is_candidate(item.finding, kernel, widths):
        return item
    other = next((other for other in checked if _does_without(other, kernel, item.finding, widths)), None)
    if other is None:
        return item
    instance, own = (", ".join(one.specialization.template_arguments) for one in (other, kernel))
    note = Note(f"the same launch has `{other.kernel}<{instance}>` too, which costs less here than for `{own}`")
    return item.as_info(note)


def _does_without(other: CheckedKernel, kernel: CheckedKernel, finding: Finding, widths: Mapping[str, int]) -> bool:
    """Whether it is an instance of the same launch for narrower types, for which nothing is found at a place."""
    one, two = kernel.specialization, other.specialization
    return (
        other.span == kernel.span
        and two.source is LaunchSource.LAUNCH
        and one.line is not None
        and (one.file, one.line) == (two.file, two.line)
        and _is_narrower(two.template_arguments, one.template_arguments, widths)
        and _makes(other, finding)
        and not any(_is_at(item.finding, finding.span) for item in other.findings)
    )


def _is_narrower(these: Sequence[str], those: Sequence[str], widths: Mapping[str, int]) -> bool:
    """Whether template arguments differ from others in floating-point types alone, which are narrower."""
    if len(these) != len(those) or these == those:
        return False
    return all(
        one == other or widths.get(one, WIDEST) < widths.get(other, 0) for one, other in zip(these, those, strict=True)
    )


def _makes(checked: CheckedKernel, finding: Finding) -> bool:
    """Whether a kernel makes the accesses of a finding; those of shared memory are taken for made."""
    told = dict(checked.moves)
    return all(subject.space is not Space.GLOBAL or subject.span in told for subject in finding.subjects)


def _is_at(finding: Finding, at: Span) -> bool:
    return finding.span == at and finding.severity >= Severity.WARNING
