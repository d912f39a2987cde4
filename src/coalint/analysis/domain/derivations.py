"""Derivations: the chain of definitions from threadIdx to an index."""

from __future__ import annotations

from dataclasses import dataclass

from coalint.core.findings import Note
from coalint.core.source.spans import Span


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """One step of the chain from threadIdx to an index.

    `is_thread`: the reading of threadIdx itself, with which it begins. `is_supposed`: no step of the chain, but what
    is taken for granted of a number that was read, as in `text`.
    """

    text: str
    span: Span
    parents: tuple[Definition, ...] = ()
    is_thread: bool = False
    is_supposed: bool = False


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
    found: dict[str, None] = {}
    seen = {id(definition) for definition in trace}
    waiting = list(trace)
    while waiting:
        definition = waiting.pop()
        if definition.is_supposed:
            found[definition.text] = None
        waiting.extend(parent for parent in definition.parents if id(parent) not in seen)
        seen.update(id(parent) for parent in definition.parents)
    return tuple(found)


def provenance(trace: tuple[Definition, ...], limit: int = 8) -> tuple[Note, ...]:
    """The chain from threadIdx to the end of the trace as notes, first cause first, each place once."""
    ordered: dict[tuple[str, Span], None] = {}

    def visit(definition: Definition, depth: int) -> None:
        if depth > 12 or (definition.text, definition.span) in ordered:
            return
        for parent in definition.parents:
            inside = _within(parent.span, definition.span)  # part of what the definition itself shows
            for further in parent.parents if inside else (parent,):
                visit(further, depth + 1)
        if not definition.is_supposed:
            ordered[(definition.text, definition.span)] = None

    for definition in trace:
        visit(definition, 0)
    return tuple(Note(text, span) for text, span in list(ordered)[:limit])
