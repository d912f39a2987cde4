"""Applies edits to the bytes of a file: what they do not name stays as it was, encoding and line ends included."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Sequence

from coalint.core.source.spans import Edit, Span

_HANDLER = "coalint-lengths"


def apply_edits(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Return the file's contents with each edit made, given that none of them overlap; equal ones are made once.

    Lines end at line feeds; columns count characters as the analysis sees them, with undecodable bytes replaced. A line
    end in a replacement becomes the file's own.
    """
    starts = _starts(data)
    placed = sorted((offset(data, starts, e.span.line, e.span.column), *_end(data, starts, e)) for e in set(edits))
    newline = b"\r\n" if b"\r\n" in data[: starts[1] if len(starts) > 1 else 0] else b"\n"
    parts: list[bytes] = []
    done = 0
    for begin, end, replacement in placed:
        parts += (data[done:begin], replacement.encode("utf-8", "surrogatepass").replace(b"\n", newline))
        done = end
    return b"".join((*parts, data[done:]))


def overlap(edit: Edit, other: Edit) -> bool:
    """Whether two edits cannot both be made: they share text, or begin at the same place. Equal ones do not overlap."""
    if edit == other or edit.span.file != other.span.file:
        return False
    first, second = sorted((edit.span, other.span), key=lambda span: (_begin(span), _last(span)))
    return _begin(second) < _last(first) or _begin(first) == _begin(second)


def chosen(groups: Iterable[Sequence[Edit]]) -> list[int]:
    """Return which of some changes can be made together: each in turn that overlaps with none before; their numbers."""
    taken: list[Edit] = []
    kept: list[int] = []
    for number, edits in enumerate(groups):
        if not any(overlap(edit, other) for edit in edits for other in taken):
            taken.extend(edits)
            kept.append(number)
    return kept


def _begin(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _last(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column


def _end(data: bytes, starts: Sequence[int], edit: Edit) -> tuple[int, str]:
    return offset(data, starts, edit.span.end_line, edit.span.end_column), edit.replacement


def _starts(data: bytes) -> list[int]:
    starts = [0]
    while True:
        at = data.find(b"\n", starts[-1])
        if at < 0:
            return starts
        starts.append(at + 1)


def offset(data: bytes, starts: Sequence[int], line: int, column: int) -> int:
    """Return where a place lies in bytes, in the last line at most its end."""
    if line > len(starts):
        return len(data)
    begin = starts[line - 1]
    end = starts[line] if line < len(starts) else len(data)
    raw = data[begin:end]
    if raw.isascii():
        return begin + min(column - 1, len(raw))
    return begin + sum(_lengths(raw)[: column - 1])


def _lengths(raw: bytes) -> list[int]:
    """Return how many bytes each character takes.

    An undecodable stretch counts as the one character that replaces it.
    """
    bad: list[tuple[int, int]] = []

    def note(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        bad.append((error.start, error.end))
        return "\ufffd", error.end

    codecs.register_error(_HANDLER, note)
    raw.decode("utf-8", _HANDLER)
    lengths: list[int] = []
    done = 0
    for begin, end in (*bad, (len(raw), len(raw))):
        lengths += [len(character.encode()) for character in raw[done:begin].decode()]
        if end > begin:
            lengths.append(end - begin)
        done = end
    return lengths
