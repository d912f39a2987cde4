"""Derivations: the chain of definitions from threadIdx to an index."""

from __future__ import annotations

from enum import Enum

from coalint.core.findings import Note
from coalint.core.records import record
from coalint.core.source.spans import Span


class Step(Enum):
    """What a step of a derivation is."""

    THREAD = "thread"  # threadIdx is read
    ASSIGNED = "assigned"  # a value is assigned
    DECIDED = "decided"  # a condition decides which value is assigned
    SUPPOSED = "supposed"  # an index is taken not to count from the end of an array


_WORDS = {
    Step.THREAD: "`{}` differs from lane to lane",
    Step.ASSIGNED: "`{}`",
    Step.DECIDED: "what `{}` decides",
    Step.SUPPOSED: "`{}` is not negative",
}


@record(frozen=True, slots=True, eq=False)
class Definition:
    """One step of the chain from threadIdx to an index.

    `source` is the program's text that the step is about, at `span`.
    """

    source: str
    span: Span
    parents: tuple[Definition, ...] = ()
    step: Step = Step.ASSIGNED

    @property
    def is_thread(self) -> bool:
        """Whether it is the reading of threadIdx itself, with which the chain begins."""
        return self.step is Step.THREAD

    @property
    def is_supposed(self) -> bool:
        """Whether it is no step of the chain, but what is taken for granted of a number that was read."""
        return self.step is Step.SUPPOSED

    @property
    def note(self) -> Note:
        """The step in words."""
        quote = self.source if self.step is Step.ASSIGNED else ""
        return Note(message=_WORDS[self.step].format(self.source), span=self.span, quote=quote, source=self.source)


def _within(inner: Span, outer: Span) -> bool:
    """Whether a place is part of another: `threadIdx.x` in `int i = threadIdx.x`."""
    same = inner.file == outer.file
    return (
        same
        and (outer.line, outer.column) <= (inner.line, inner.column)
        and ((inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column))
    )


def holds_thread(trace: tuple[Definition, ...]) -> bool:
    """Whether threadIdx is among what was read, whatever the launch leaves of it."""
    seen = {id(definition) for definition in trace}
    waiting = list(trace)
    while waiting:
        definition = waiting.pop()
        if definition.is_thread:
            return True
        waiting.extend(parent for parent in definition.parents if id(parent) not in seen)
        seen.update(id(parent) for parent in definition.parents)
    return False


def suppositions(trace: tuple[Definition, ...]) -> tuple[str, ...]:
    """Return what was taken for granted of the numbers that were read."""
    messages: dict[str, None] = {}
    seen = {id(definition) for definition in trace}
    waiting = list(trace)
    while waiting:
        definition = waiting.pop()
        if definition.is_supposed:
            messages[definition.note.message] = None
        waiting.extend(parent for parent in definition.parents if id(parent) not in seen)
        seen.update(id(parent) for parent in definition.parents)
    return tuple(messages)


def provenance(trace: tuple[Definition, ...], limit: int = 8) -> tuple[Note, ...]:
    """Return the chain from threadIdx to the end of the trace as notes, first cause first, each place once."""
    ordered: dict[Note, None] = {}
    for definition in trace:
        _visit(definition, 0, ordered)
    return tuple(ordered)[:limit]


def _visit(definition: Definition, depth: int, ordered: dict[Note, None]) -> None:
    if depth > 12 or definition.note in ordered:
        return
    for parent in definition.parents:
        inside = _within(parent.span, definition.span)  # part of what the definition itself shows
        for further in parent.parents if inside else (parent,):
            _visit(further, depth + 1, ordered)
    if not definition.is_supposed:
        ordered[definition.note] = None
