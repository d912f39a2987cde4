"""Clang's numbers of places: those of an included file follow one another, byte by byte."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from coalint.core.records import record


@record(frozen=True, slots=True, eq=False)
class Piece:
    """A file as it was included: its places are numbered from `begin` to `end`.

    Attributes:
        lines: The offsets at which its lines begin.
        wide: Whether it holds characters of several bytes.
    """

    file: str
    begin: int
    end: int
    lines: list[int]
    wide: bool

    def place(self, number: int) -> tuple[int, int]:
        """Return line and column, counted in bytes, of a place in it."""
        offset = number - self.begin
        line = bisect_right(self.lines, offset)
        return line, offset - self.lines[line - 1] + 1


class Pieces:
    """The pieces that have been met, by their numbers."""

    def __init__(self) -> None:
        self._begins: list[int] = []
        self._pieces: list[Piece] = []
        self._last: Piece | None = None

    def around(self, number: int) -> Piece | None:
        """Return the piece of a place; None where its file is not remembered."""
        last = self._last
        if last is not None and last.begin <= number <= last.end:  # as of most places that are asked for in turn
            return last
        at = bisect_right(self._begins, number) - 1
        if at < 0 or number > self._pieces[at].end:
            return None
        self._last = self._pieces[at]
        return self._last

    def add(self, piece: Piece) -> None:
        """Remember a piece."""
        at = bisect_right(self._begins, piece.begin)
        self._begins.insert(at, piece.begin)
        self._pieces.insert(at, piece)


def line_begins(text: bytes) -> list[int]:
    """Return the offsets at which the lines of a text begin."""
    return [0, *accumulate(len(line) + 1 for line in text.split(b"\n")[:-1])]
