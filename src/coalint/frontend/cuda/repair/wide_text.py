"""Offsets in bytes, as libclang counts, to offsets in characters: for the many errors of one text at once."""

from __future__ import annotations

import re
from bisect import bisect_left

_INNER = re.compile(rb"[\x80-\xbf]")
"""A byte of a character in UTF-8 that is not its first."""


class WideText:
    """A text that may have characters of several bytes: where these are is found once."""

    def __init__(self, text: str) -> None:
        self._inner: list[int] = []
        self._size: int | None = None
        if not text.isascii():
            data = text.encode()
            self._size = len(data)
            self._inner = [at.start() for at in _INNER.finditer(data)]

    def characters(self, offset: int) -> int:
        """Return how many characters stand before an offset in bytes; one that the offset parts counts.

        An offset behind the end is that of the end, but where all characters have one byte it stays as it is.
        """
        if self._size is None:
            return offset
        return min(offset, self._size) - bisect_left(self._inner, offset)
