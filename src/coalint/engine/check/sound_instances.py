"""Instances of a template that one launch has beside sound ones: an access that would end the kernel is no error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coalint.core.findings import Finding, Note, Severity
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, RankedFinding


def without_beside_sound(checked: Sequence[CheckedKernel]) -> list[CheckedKernel]:
    """Return the kernels of a file, with errors at accesses as infos where the same launch has a sound instance too.

    A host function that is a template launches an instance for each of its types, and may do so only where a number
    that it is given says which type that is (`if (bytes == 4) k<T><<<...>>>(...)`): which of them ever run is not
    known then.
    """
    return [
        replace(one, findings=tuple(_judged(item, one, checked) for item in one.findings))
        if any(_ends_it(item.finding) for item in one.findings)
        else one
        for one in checked
    ]


def _ends_it(finding: Finding) -> bool:
    """Whether a finding is an access that ends the kernel."""
    return finding.severity is Severity.ERROR and bool(finding.subjects)


def _judged(item: RankedFinding, kernel: CheckedKernel, checked: Sequence[CheckedKernel]) -> RankedFinding:
    other = next((other for other in checked if _is_sound(other, kernel, item.finding.span)), None)
    if not _ends_it(item.finding) or other is None:
        return item
    sound, own = (", ".join(one.specialization.template_arguments) for one in (other, kernel))
    note = Note(
        f"the same launch has `{other.kernel}<{sound}>` too, which is sound here: an error only if the host takes "
        f"`{kernel.kernel}<{own}>`"
    )
    return item.as_info(note)


def _is_sound(other: CheckedKernel, kernel: CheckedKernel, at: Span) -> bool:
    """Whether it is another instance of the kernel, of the same launch, for which nothing is found at a place."""
    one, two = kernel.specialization, other.specialization
    return (
        other.span == kernel.span
        and one.line is not None
        and (one.file, one.line) == (two.file, two.line)
        and one.template_arguments != two.template_arguments
        and not any(item.finding.span == at and _ends_it(item.finding) for item in other.findings)
    )
