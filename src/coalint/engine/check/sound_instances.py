"""Instances of a template that one launch has beside sound ones: an access that would end the kernel is no error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from coalint.core import ir
from coalint.core.findings import Finding, Note, Severity
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, RankedFinding


def without_beside_sound(checked: Sequence[CheckedKernel], module: ir.Module) -> list[CheckedKernel]:
    """Return the kernels of a file, with errors at accesses as infos where the same launch has a sound instance too.

    A host function that is a template launches an instance for each of its types, and may do so only where a number
    that it is given says which type that is (`if (bytes == 4) k<T><<<...>>>(...)`): which of them ever run is not
    known then. A launch without such a condition makes all of them.
    """
    if not any(_ends_it(item.finding) for one in checked for item in one.findings):
        return list(checked)
    functions = (*module.hosts, *module.functions.values())
    chosen = frozenset(line for function in functions for line in _chosen(function.body, is_chosen=False))
    return [
        replace(one, findings=tuple(_judged(item, one, checked) for item in one.findings))
        if one.specialization.file is None and one.specialization.line in chosen
        else one
        for one in checked
    ]


def _chosen(node: ir.Expression | ir.Statement, is_chosen: bool) -> Iterator[int]:
    """Yield the lines of the launches below a node that stand in a branch which is taken for one number."""
    if isinstance(node, ir.Launch) and is_chosen:
        yield node.span.line
    is_chosen |= isinstance(node, ir.Switch) or (isinstance(node, ir.If) and _asks_for_a_number(node.condition))
    for child in ir.children(node):
        yield from _chosen(child, is_chosen)


def _asks_for_a_number(condition: ir.Expression | ir.Statement) -> bool:
    """Whether a condition compares something with a number: `bytes == 4 && n > 0`."""
    if isinstance(condition, ir.Binary) and condition.operator in ("==", "!="):
        return any(isinstance(_plain(side), ir.Literal) for side in (condition.left, condition.right))
    return any(_asks_for_a_number(child) for child in ir.children(condition))


def _plain(value: ir.Expression) -> ir.Expression:
    while isinstance(value, ir.Cast):
        value = value.operand
    return value


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
