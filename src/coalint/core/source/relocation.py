"""Moves the places that records hold, when the text above them has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from coalint.core.records import record
from coalint.core.source.spans import Span


@record(frozen=True, slots=True)
class Relocation:
    """Where pieces of text stood and where they stand now, pairwise; each has kept its lines.

    Attributes:
        before: The pieces' places when the records were made.
        after: The same pieces' places now.
    """

    before: Sequence[Span]
    after: Sequence[Span]

    @property
    def moves(self) -> bool:
        """Whether any piece stands elsewhere than before."""
        return any((a.file, a.line) != (b.file, b.line) for a, b in zip(self.before, self.after, strict=True))

    def place(self, span: Span) -> Span:
        """Return where a place is now; one outside of all pieces has stayed."""
        inside = [n for n, piece in enumerate(self.before) if _holds(piece, span)]
        if not inside:
            return span
        number = max(inside, key=lambda n: (self.before[n].line, -self.before[n].end_line))
        down = self.after[number].line - self.before[number].line
        return replace(span, file=self.after[number].file, line=span.line + down, end_line=span.end_line + down)

    def moved(self, record: Any) -> Any:
        """Return a record with every place in it moved."""
        return _with_places(record, self.place)


def texts(record: Any) -> Iterator[str]:
    """Yield every string of a record but the names of files."""
    if isinstance(record, str):
        yield record
    elif isinstance(record, tuple):
        for item in record:
            yield from texts(item)
    elif is_dataclass(record) and not isinstance(record, Span | type):
        for name in _names(type(record)):
            yield from texts(getattr(record, name))


def _with_places(value: Any, place: Callable[[Span], Span]) -> Any:
    if isinstance(value, Span):
        return place(value)
    if isinstance(value, tuple):
        return tuple(_with_places(item, place) for item in value)
    if isinstance(value, Mapping):
        return {key: _with_places(item, place) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        before = {name: getattr(value, name) for name in _names(type(value))}
        after = {name: _with_places(item, place) for name, item in before.items()}
        changed = {name: item for name, item in after.items() if item is not before[name] and item != before[name]}
        return replace(value, **changed) if changed else value
    return value


@cache
def _names(record: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(record) if field.init)


def _holds(piece: Span, span: Span) -> bool:
    return piece.file == span.file and piece.line <= span.line and span.end_line <= piece.end_line
