"""Instances of a template that the host takes by the size that their cost rests on, beside good ones: no warnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coalint.core.facts.launch import LaunchSource
from coalint.core.findings import Note, Severity
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, RankedFinding


def without_chosen(checked: Sequence[CheckedKernel]) -> list[CheckedKernel]:
    """Return the kernels of a file, with what an instance costs for a size that it is chosen by as infos.

    That is where another instance, chosen by it too, makes the same access at no such cost: how long a row is and how
    many threads take it then belong together, and the number for any size says nothing of the sizes it is chosen for.
    """
    return [
        replace(one, findings=tuple(_judged(item, one, checked) for item in one.findings))
        if one.specialization.chosen_by and any(item.finding.is_of_excess for item in one.findings)
        else one
        for one in checked
    ]


def _judged(item: RankedFinding, kernel: CheckedKernel, checked: Sequence[CheckedKernel]) -> RankedFinding:
    names = _deciding(kernel, item.finding.span)
    if not names or not item.finding.is_of_excess:
        return item
    other = next((other for other in checked if _does_without(other, kernel, item.finding.span, names)), None)
    if other is None:
        return item
    quantities = " and ".join(f"`{name}`" for name in names)
    instance = ", ".join(other.specialization.template_arguments)
    note = Note(
        f"the launch takes this instance by {quantities}: another, `{other.kernel}<{instance}>`, costs less here"
    )
    return item.as_info(note)


def _deciding(kernel: CheckedKernel, at: Span) -> tuple[str, ...]:
    """Return the quantities, among those that the launch is chosen by, that lanes are multiples of at a place."""
    return tuple(name for name in dict(kernel.moves).get(at, ()) if name in kernel.specialization.chosen_by)


def _does_without(other: CheckedKernel, kernel: CheckedKernel, at: Span, names: Sequence[str]) -> bool:
    """Whether another instance, chosen by the same quantities, makes the access and nothing is found there."""
    return (
        other.span == kernel.span
        and other.specialization.template_arguments != kernel.specialization.template_arguments
        and other.specialization.source is LaunchSource.LAUNCH
        and set(names) <= set(other.specialization.chosen_by)
        and at in dict(other.moves)
        and not any(item.finding.span == at and item.finding.severity >= Severity.WARNING for item in other.findings)
    )
