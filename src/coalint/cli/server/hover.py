"""Describes the access or barrier at a place, in Markdown, for an editor to show."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from coalint.core.facts.access import Access, Space
from coalint.core.facts.costs import Cost
from coalint.core.facts.lanes import Service
from coalint.core.facts.synchronization import Barrier
from coalint.core.findings import Note
from coalint.core.ir.spelling import Spelling
from coalint.core.records import record
from coalint.core.source.spans import Span
from coalint.engine.report import Inspection
from coalint.machine.architecture import architecture
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.machine.traffic import takes_turns, ways
from coalint.reporters.shared.escape_controls import without_controls
from coalint.reporters.shared.markdown import code, editor_text
from coalint.rules.support.wording import because, conflict, cost, merged, stride_in, thread_index

MOST = 6
"""How many instances and launches of one place are described."""


@record(frozen=True, slots=True)
class Hover:
    """A description of a place.

    Attributes:
        markdown: The description.
        span: The place.
    """

    markdown: str
    span: Span


_Item = tuple[MachineInstruction, Spelling, str] | Barrier


class Descriptions:
    """The accesses and barriers of one file, by their places; each is described when it is asked for."""

    def __init__(self, inspection: Inspection, file: str) -> None:
        real = os.path.realpath(file)
        files: dict[str, bool] = {}
        self._items: dict[Span, list[_Item]] = {}
        for span, item in _items(inspection):
            if span.file not in files:
                files[span.file] = os.path.realpath(span.file) == real
            if files[span.file]:
                self._items.setdefault(span, []).append(item)

    def at(self, line: int, column: int) -> Hover | None:
        """Return a description of the innermost access or barrier at a place (from 1); None where there is none."""
        place = line, column
        spans = [s for s in self._items if (s.line, s.column) <= place < (s.end_line, s.end_column)]
        return self.at_span(min(spans, key=_extent)) if spans else None

    def at_span(self, span: Span) -> Hover | None:
        """Return a description of the accesses and barriers of a place; None where there are none."""
        items = self._items.get(span)
        if items is None:
            return None
        texts = list(dict.fromkeys(_barrier(i) if isinstance(i, Barrier) else _access(*i) for i in items))
        if len(texts) > MOST:
            texts[MOST:] = [f"and {len(texts) - MOST} more"]
        return Hover(without_controls("\n\n---\n\n".join(texts)), span)


def _extent(span: Span) -> tuple[int, int, Span]:
    return span.end_line - span.line, span.end_column - span.column, span


def _items(inspection: Inspection) -> Iterator[tuple[Span, _Item]]:
    for kernel in inspection.kernels:
        for made in kernel.instructions:
            yield made.written.span, (made, kernel.analysis.spelling, kernel.arch)
        for barrier in kernel.analysis.barriers:
            yield barrier.span, barrier


def _access(made: MachineInstruction, spelling: Spelling, arch: str) -> str:
    access, machine_cost = made.access, made.cost
    head = f"**{access.op.value}, {access.space.value} memory, {made.written.bytes} bytes** {code(access.expression)}"
    lines = [head, ""]
    if access.result.unknown is not None:
        lines.append(f"- unknown: {editor_text(access.result.unknown)}")
    elif machine_cost is not None:
        state = "exact" if access.result.exact else "symbolic"
        most = _ways(access, machine_cost, arch)
        text = cost(machine_cost, most) + (f": {conflict(most, machine_cost)}" if most else "")
        lines.append(f"- takes {text} ({state})")
        lines += [f"- {editor_text(note.message)}" for note in merged(made, spelling)]
    elif access.space in (Space.LOCAL, Space.CONSTANT):
        lines.append(f"- {access.space.value} memory is not counted")
    counted = access.executions
    if counted is not None and (counted.warps is not None or counted.formula):
        often = f"{counted.warps:,}" if counted.warps is not None else code(counted.formula)
        lines.append(f"- warp instructions of the launch: {often}")
    lines.append(f"- stride {editor_text(_strides(access, spelling))}")
    lines += _why(because(access) if access.result.lanes is not None else access.provenance)
    lines += [f"- under {code(condition)}" for condition in access.guard]
    lines += [f"- assuming {editor_text(text)}" for text in access.result.assumed]
    lines.append(f"- {editor_text(access.kernel)}, {editor_text(access.specialization.basis)}")
    return "\n".join(lines)


def _ways(access: Access, cost: Cost, arch: str) -> int | None:
    """Return how many ways a shared access conflicts in its worst request; None where it has no bank conflict."""
    if access.space is not Space.SHARED or not cost.excess or takes_turns(access):
        return None
    if access.served.service is Service.BYPASS:  # goes by lines, not by banks
        return None
    most = ways(access, architecture(arch))
    return most if most > 1 else None


def _strides(access: Access, spelling: Spelling) -> str:
    """Return the strides along each axis in which the block has more than one thread."""
    block = access.specialization.block
    axes = [axis for axis in range(3) if block[axis] > 1] or [0]
    return ", ".join(f"{stride_in(access, axis)} along {thread_index(axis, spelling)}" for axis in axes)


def _barrier(barrier: Barrier) -> str:
    lines = [f"**{barrier.scope} barrier** {code(barrier.function)}: {barrier.verdict.value}", ""]
    lines += [f"- {editor_text(barrier.because)}"] if barrier.because else []
    lines += _why(barrier.provenance)
    lines.append(f"- {editor_text(barrier.kernel)}, {editor_text(barrier.specialization.basis)}")
    return "\n".join(lines)


def _why(notes: Iterable[Note]) -> list[str]:
    return [
        f"- {editor_text(note.message)}" + (f" (line {note.span.line})" if note.span is not None else "")
        for note in notes
    ]
