"""Walks over JSON and keeps the offsets of what stands in it; builds no values, and does not recur."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

MOST_BRACKETS = 2_000_000
"""The most brackets that are passed over in one file: this takes about a second."""
_SPACE = re.compile(r"[ \t\r\n]*+")
_STRING = re.compile(r'"((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_PLAIN = re.compile(r"[-+.\w]++")
_TO_BRACKET = re.compile(r'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+([\[\]{}])', re.DOTALL)


class JsonError(Exception):
    """The text is not the JSON that was asked for: from `offset` on, for this `reason`."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(reason)
        self.offset = offset
        self.reason = reason


class JsonScanner:
    """A text with the `position` that was reached in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.brackets = 0

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def line(self, offset: int) -> int:
        """Return the line of an offset, from 1."""
        return bisect_right(self._starts, offset)

    def members(self) -> Iterator[str]:
        """Yield the keys of the object that begins here; who asks passes over the value of each."""
        self._take("{", "an object")
        if self._takes("}"):
            return
        while True:
            key = self.text[slice(*self.string())]
            self._take(":", "a colon")
            self._pass_space()
            yield key
            if self._takes("}"):
                return
            self._take(",", "a comma or the end of the object")

    def items(self) -> Iterator[None]:
        """Advance to each item of the list that begins here; the caller reads past it."""
        self._take("[", "a list")
        if self._takes("]"):
            return
        while True:
            yield
            if self._takes("]"):
                return
            self._take(",", "a comma or the end of the list")

    @property
    def is_string(self) -> bool:
        """Whether a string begins here."""
        self._pass_space()
        return self.text.startswith('"', self.position)

    def string(self) -> tuple[int, int]:
        """Pass over a string; return the offsets of what stands between its quotes."""
        self._pass_space()
        match = _STRING.match(self.text, self.position)
        if match is None and self.text.startswith('"', self.position):
            raise JsonError(self.position, "the file ends within the string that begins here")
        if match is None:
            raise self._error("a string")
        self.position = match.end()
        return match.span(1)

    def skip(self) -> None:
        """Pass over a value, whatever it is."""
        self._pass_space()
        if self.is_string:
            self.string()
            return
        if self.text[self.position : self.position + 1] not in ("[", "{"):
            match = _PLAIN.match(self.text, self.position)
            if match is None:
                raise self._error("a value")
            self.position = match.end()
            return
        begin, depth = self.position, 0
        while True:
            match = _TO_BRACKET.match(self.text, self.position)
            if match is None:
                raise JsonError(begin, "the file ends within what begins here")
            self.brackets += 1
            if self.brackets > MOST_BRACKETS:
                raise JsonError(begin, f"it holds more than {MOST_BRACKETS:,} brackets")
            self.position = match.end()
            depth += 1 if match[1] in "[{" else -1
            if not depth:
                return

    def finish(self) -> None:
        """Assert that nothing follows."""
        self._pass_space()
        if self.position < len(self.text):
            raise self._error("the end of the file")

    def _pass_space(self) -> None:
        match = _SPACE.match(self.text, self.position)
        self.position = match.end() if match is not None else self.position

    def _takes(self, sign: str) -> bool:
        self._pass_space()
        if not self.text.startswith(sign, self.position):
            return False
        self.position += 1
        return True

    def _take(self, sign: str, what: str) -> None:
        if not self._takes(sign):
            raise self._error(what)

    def _error(self, wanted: str) -> JsonError:
        if self.position >= len(self.text):
            return JsonError(max(0, len(self.text) - 1), f"the file ends where {wanted} was expected")
        return JsonError(self.position, f"{wanted} was expected here")
