"""String literals of Python: their values, and where in the source each character of them stands."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from coalint.core.records import record

_OPENING = re.compile(r"""(?P<prefix>[A-Za-z]{0,2})(?P<quote>'''|\"""|'|")""")
_BETWEEN = re.compile(r"(?:[ \t\f\n()]|\\\n|\#[^\n]*)+")
_ESCAPE = re.compile(r"\\(?:\n|[0-7]{1,3}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|N\{[^}]*\}|.)", re.DOTALL)


class LiteralError(ValueError):
    """The source of a literal is not what its value says."""


@record(frozen=True, slots=True)
class Piece:
    """One literal within a text: the offsets of its first character and after its last; what may be written there."""

    first: int
    last: int
    triple: bool
    formatted: bool


@record(frozen=True, slots=True)
class Placed:
    """A text, and of each character the offsets in the source where what stands for it begins and ends."""

    text: str
    begins: tuple[int, ...]
    ends: tuple[int, ...]
    pieces: tuple[Piece, ...]

    def __add__(self, other: Placed) -> Placed:
        shift = len(self.text)
        moved = (Piece(p.first + shift, p.last + shift, p.triple, p.formatted) for p in other.pieces)
        return Placed(
            self.text + other.text, self.begins + other.begins, self.ends + other.ends, (*self.pieces, *moved)
        )

    def within(self, begins: Sequence[int], ends: Sequence[int]) -> Placed:
        """Return the text with offsets in a file around the source, in which its characters begin and end there."""
        return replace(
            self, begins=tuple(begins[at] for at in self.begins), ends=tuple(ends[at - 1] for at in self.ends)
        )


NOTHING = Placed("", (), (), ())


class Text:
    """A Python source, with line ends of one line feed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.starts = list(accumulate((len(line) + 1 for line in self.lines), initial=0))

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a place as `ast` gives it: the line from 1, the column in bytes of UTF-8."""
        written = self.lines[line - 1]
        if not written.isascii():
            column = len(written.encode()[:column].decode(errors="replace"))
        return self.starts[line - 1] + column

    def literal(self, node: ast.Constant | ast.JoinedStr) -> Placed:
        """Return a string, of as many literals as stand beside one another. Raises LiteralError."""
        position = self.offset(node.lineno, node.col_offset)
        end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        placed = NOTHING
        while position < end:
            between = _BETWEEN.match(self.text, position)
            if between is not None:
                position = between.end()
                continue
            one, position = self._one(position)
            placed += one
        if placed.text != _value(node):
            raise LiteralError
        return placed

    def _one(self, position: int) -> tuple[Placed, int]:
        opening = _OPENING.match(self.text, position)
        if opening is None:
            raise LiteralError
        prefix, quote = opening["prefix"].lower(), opening["quote"]
        characters: list[tuple[str, int, int]] = []
        position = opening.end()
        while not self.text.startswith(quote, position):
            if position >= len(self.text):
                raise LiteralError
            end = position + 1
            if self.text[position] == "\\":
                escape = _ESCAPE.match(self.text, position)
                if escape is None:
                    raise LiteralError
                end = position + 2 if "r" in prefix else escape.end()
                characters += self._unescaped(position, end, raw="r" in prefix)
            else:
                if "f" in prefix and self.text[position] in "{}":
                    end += 1
                characters.append((self.text[position], position, end))
            position = end
        text, begins, ends = zip(*characters, strict=True) if characters else ((), (), ())
        piece = Piece(0, len(text), len(quote) == 3, "f" in prefix)
        return Placed("".join(text), tuple(begins), tuple(ends), (piece,)), position + len(quote)

    def _unescaped(self, begin: int, end: int, *, raw: bool) -> Iterator[tuple[str, int, int]]:
        written = self.text[begin:end]
        if raw:
            yield from ((character, begin + n, begin + n + 1) for n, character in enumerate(written))
            return
        value = _value_of(written)
        if len(value) == len(written):  # no escape that Python knows
            yield from ((character, begin + n, begin + n + 1) for n, character in enumerate(written))
            return
        yield from ((character, begin, end) for character in value)


def _value_of(escape: str) -> str:
    if escape == "\\\n":
        return ""
    if escape[1] not in "\\'\"abfnrtvxuUN01234567":
        return escape
    value = ast.literal_eval(f'"{escape}"')
    return str(value)


def _value(node: ast.Constant | ast.JoinedStr) -> object:
    if isinstance(node, ast.Constant):
        return node.value
    return "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
