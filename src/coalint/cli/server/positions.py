"""Converts places in source texts, from 1, to the editor's positions, from 0 in its own units, and back."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from coalint.core.source.spans import Span


def to_range(span: Span, lines: Sequence[str], codec: PositionCodec) -> lsp.Range:
    """Return the range of a span in a text of these lines."""
    return lsp.Range(
        _to_position(span.line, span.column, lines, codec), _to_position(span.end_line, span.end_column, lines, codec)
    )


def _to_position(line: int, column: int, lines: Sequence[str], codec: PositionCodec) -> lsp.Position:
    before = lines[line - 1][: column - 1] if line <= len(lines) else ""
    return lsp.Position(line - 1, codec.client_num_units(before))


def from_position(position: lsp.Position, lines: Sequence[str], codec: PositionCodec) -> tuple[int, int]:
    """Return line and column, from 1, of a position in a text of these lines."""
    line = lines[position.line] if position.line < len(lines) else ""
    column = next(
        (n for n in range(len(line)) if codec.client_num_units(line[: n + 1]) > position.character), len(line)
    )
    return position.line + 1, column + 1


def overlap_in_lines(one: lsp.Range, other: lsp.Range) -> bool:
    """Whether two ranges have a line in common."""
    return one.start.line <= other.end.line and other.start.line <= one.end.line
