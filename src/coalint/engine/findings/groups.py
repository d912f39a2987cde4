"""Groups findings by their cause: one finding for people, with the list of places that it concerns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from coalint.core.facts.causes import Cause, CauseKind
from coalint.core.findings import Finding, Severity
from coalint.core.records import record
from coalint.engine.findings.copies import copies, sorted_into
from coalint.engine.findings.order import badness, report_order
from coalint.engine.findings.root_causes import beside, rank, roots
from coalint.engine.report import Diagnostic

_OF_THE_LAYOUT = {CauseKind.FIELD, CauseKind.PARTIAL_COPY, CauseKind.PIECES}
"""Causes that lie in how a type is laid out, for each array of it."""
_OF_THE_KERNEL = {CauseKind.SWAPPED_AXES, CauseKind.NARROW_BLOCK, CauseKind.IDLE_LANES, CauseKind.CHUNK}
"""Causes that lie in how a kernel's threads are numbered, for each of its arrays."""
_OF_THE_ARRAY = {CauseKind.BANKS, CauseKind.TURNS, CauseKind.COLUMN, CauseKind.PADDING, CauseKind.OFFSET}
"""Causes that lie in where an array's rows begin, for each access of it."""


@record(frozen=True, slots=True)
class Group:
    """Findings of one cause.

    Attributes:
        shown: The worst of them, which is reported with its source.
        others: The rest, by place.
    """

    shown: Diagnostic
    others: tuple[Diagnostic, ...] = ()

    @property
    def members(self) -> tuple[Diagnostic, ...]:
        """All findings, the worst first."""
        return (self.shown, *self.others)

    @property
    def severity(self) -> Severity:
        """The severity of the worst."""
        return self.shown.finding.severity

    @property
    def cost(self) -> float:
        """The cost beyond the ideal of all places together."""
        return sum(member.cost for member in self.members)


def groups(diagnostics: Iterable[Diagnostic]) -> list[Group]:
    """Return what `grouped` does, with messages that name what only the other places lack."""
    return [_complete(group) for group in grouped(diagnostics)]


def _complete(group: Group) -> Group:
    shown = group.shown.finding
    more = beside(shown, [other.finding for other in group.others])
    if not more:
        return group
    return replace(group, shown=replace(group.shown, finding=replace(shown, message=shown.message + more)))


def grouped(diagnostics: Iterable[Diagnostic]) -> list[Group]:
    """Return the findings by cause, in the order in which the worst of each comes among the diagnostics."""
    diagnostics = list(diagnostics)
    chunks, causes = _chunks(diagnostics), roots(diagnostics)
    by_cause: dict[object, list[tuple[int, Diagnostic]]] = {}
    for number, diagnostic in enumerate(diagnostics):
        shared = causes.get(number) or chunks.get(_of_chunk(diagnostic)) or _shared(diagnostic)
        by_cause.setdefault(shared or number, []).append((number, diagnostic))
    numbered = [_group(members) for members in by_cause.values()]
    return _without_copies([group for _, group in sorted(numbered, key=lambda item: item[0])])


def _without_copies(found: list[Group]) -> list[Group]:
    """Return the groups, those of copies of one kernel as one: what is done about one is done about all."""
    together = sorted_into(copies(group.shown for group in found))
    if len(together) == len(found):
        return found
    return [_joined([found[position] for position in positions]) for positions in together]


def _joined(parts: list[Group]) -> Group:
    first, *others = parts
    more = [member for group in others for member in group.members]
    return replace(first, others=tuple(sorted((*first.others, *more), key=report_order))) if more else first


def _chunks(diagnostics: Iterable[Diagnostic]) -> dict[object, tuple[object, ...]]:
    """Return, for what accesses at a chunk's distance between lanes have in common, what the chunks of its kernel have.

    That a thread reads the first element of its chunk outside of the loop has the cause that the loop has.
    """
    chunks: dict[object, tuple[object, ...]] = {}
    for diagnostic in diagnostics:
        cause, shared = diagnostic.finding.cause, _shared(diagnostic)
        if cause is not None and cause.kind is CauseKind.CHUNK and shared is not None:
            chunks.setdefault(_distance(diagnostic, cause), shared)
    return chunks


def _of_chunk(diagnostic: Diagnostic) -> tuple[object, ...] | None:
    """Return what an access at an even distance between lanes has in common with chunks that are as long."""
    cause = diagnostic.finding.cause
    if cause is None or cause.kind is not CauseKind.STRIDE or not diagnostic.finding.subjects:
        return None
    return _distance(diagnostic, cause)


def _group(members: list[tuple[int, Diagnostic]]) -> tuple[int, Group]:
    """Return a group with the number of the finding that is shown."""
    number, shown = min(members, key=lambda item: (badness(item[1]), rank(item[1].finding), item[0]))
    others = sorted((member for other, member in members if other != number), key=report_order)
    return number, Group(shown, tuple(others))


def _shared(diagnostic: Diagnostic) -> tuple[object, ...] | None:
    """Return what findings of one cause have in common; None for one that stands for itself."""
    finding = diagnostic.finding
    cause = finding.cause
    if cause is None:
        return None
    if cause.kind is CauseKind.PARTING:
        return finding.code, cause.declared
    if cause.kind in (CauseKind.LOCKSTEP, CauseKind.UNNAMED):
        return finding.code, *_kernel(diagnostic), cause.kind
    if cause.kind is CauseKind.IN_PLACE:
        return finding.code, *_kernel(diagnostic), cause.kind, _name(cause, "array")
    if not finding.subjects:
        return None
    array, kernel = finding.subjects[0].array, _kernel(diagnostic)
    if cause.kind in _OF_THE_LAYOUT and _name(cause, "record"):
        return finding.code, *_layout(finding, cause, array)
    if cause.kind in _OF_THE_KERNEL:
        return finding.code, *kernel, cause.kind
    if cause.kind is CauseKind.DATA:
        return finding.code, *kernel, _name(cause, "index")
    if not array:
        return None
    if cause.kind in _OF_THE_ARRAY:
        return finding.code, *kernel, array
    if cause.kind is CauseKind.STRIDE:
        return _strided(diagnostic, cause)
    return finding.code, *kernel, array, cause.kind, finding.subjects[0].strides, _name(cause, "stride")


def _strided(diagnostic: Diagnostic, cause: Cause) -> tuple[object, ...]:
    """Return what accesses have in common whose lanes are at even distances from each other.

    A distance that the program computes, as `4*width`, is that of rows: it lies in how the kernel's threads are
    numbered, whatever the array and its rows. A constant distance lies in the array's layout.
    """
    if _is_computed(cause):
        return *_kernel(diagnostic), CauseKind.STRIDE, _name(cause, "axis")
    return _distance(diagnostic, cause)


def _distance(diagnostic: Diagnostic, cause: Cause) -> tuple[object, ...]:
    """Return the distance between lanes with the kernel; with the array, too, where the program does not compute it."""
    subject = diagnostic.finding.subjects[0]
    layout = "" if _is_computed(cause) else (subject.array, subject.strides)
    return *_kernel(diagnostic), CauseKind.STRIDE, _name(cause, "stride"), layout


def _is_computed(cause: Cause) -> bool:
    return any(character.isalpha() for character in _name(cause, "stride"))


def _kernel(diagnostic: Diagnostic) -> tuple[str | None, str]:
    """Return the kernel of a finding, with the file that it stands in."""
    at, finding = diagnostic.kernel_span, diagnostic.finding
    return finding.kernel, finding.span.file if at is None else at.file


def _layout(finding: Finding, cause: Cause, array: str) -> tuple[object, ...]:
    """Return what tells a layout from others: the struct's declaration, else its name, with the array in its file."""
    record = _name(cause, "record")
    return (record, cause.declared) if cause.declared else (record, finding.span.file, array)


def _name(cause: Cause, name: str) -> str:
    return dict(cause.names).get(name, "")
