"""Names that are put together from pieces: by `##` in macros, by strings that a program joins."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import field

from coalint.core.records import record

_HEAD_OF_PASTE = re.compile(rb"(\w*)[ \t]*\Z")
_TAIL_OF_PASTE = re.compile(rb"[ \t]*(\w*)")
_CALL = re.compile(rb"\b(\w+)\s*\(([^()]*)\)")
_LONGEST = 80  # signs of a name
_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)\(((?:[^\\\n]|\\\r?\n|\\.)*)", re.MULTILINE)
_END_OF_HEAD = re.compile(rb"_[\"'{%$@]")
_WORD_BEFORE = re.compile(rb"\w*\Z")
_TAIL = re.compile(rb"[\"'}@](_\w+)")
_TAIL_OF_FORMAT = re.compile(rb"%\w(_\w+)")


@record
class Pieces:
    """Words that stand at the beginning or at the end of names, and all words that are `known`.

    What macros paste are words that stand beside `##`, and what such macros are called with.
    """

    heads: set[bytes] = field(default_factory=set)
    tails: set[bytes] = field(default_factory=set)
    known: frozenset[bytes] = frozenset()
    _macros: set[bytes] = field(default_factory=set)
    _sources: list[bytes] = field(default_factory=list)
    _is_closed: bool = False

    def add(self, data: bytes) -> None:
        """Add the pieces of a text."""
        if b"##" in data:
            for mark in re.finditer(rb"##", data):
                head = _HEAD_OF_PASTE.search(data[max(0, mark.start() - _LONGEST) : mark.start()])
                tail = _TAIL_OF_PASTE.match(data, mark.end())
                self.heads.update(() if head is None else (head[1],))
                self.tails.update(() if tail is None else (tail[1],))
        for mark in _END_OF_HEAD.finditer(data):
            self.heads.update(_WORD_BEFORE.findall(data[max(0, mark.start() - _LONGEST) : mark.start() + 1]))
        self.tails.update(_TAIL.findall(data))
        self.tails.update(_TAIL_OF_FORMAT.findall(data))
        for macro in _macros_in(data):
            if b"##" in macro[2]:
                self._macros.add(macro[1])
            else:
                self._sources.append(macro[0])

    def take_arguments(self, data: bytes, words: Collection[bytes]) -> None:
        """Add what macros that paste are called with in a text of these words, where letters of all languages count."""
        for name in self._macros.intersection(words if data.isascii() else re.findall(rb"\w+", data)):
            for call in _calls_of(name, data):
                arguments = re.findall(rb"\w+", call[2])
                self.heads.update(arguments)
                self.tails.update(arguments)

    @property
    def pasting(self) -> set[bytes]:
        """The macros that paste, and those that call them."""
        if not self._is_closed:
            self._is_closed = True
            for _ in range(2):
                for source in self._sources:
                    words = set(re.findall(rb"\w+", source))
                    if words & self._macros:
                        match = _DEFINE.match(source)
                        self._macros.update([] if match is None else [match[1]])
            self._sources.clear()
        return self._macros

    def make(self, name: str) -> bool:
        """Whether a name may be two or three pieces one after another, the rest of which are known words."""
        return self._make(name.encode("latin-1"), 2)

    def _make(self, name: bytes, joints: int) -> bool:
        for at in range(1, len(name)):
            head, tail = name[:at], name[at:]
            known = head in self.known and (head in self.heads or tail in self.tails)
            if known and (tail in self.known or (joints > 1 and self._make(tail, joints - 1))):
                return True
        return False


def _macros_in(data: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the definitions of macros with parameters: what `_DEFINE` finds, looked for where the word stands only."""
    end, at = 0, data.find(b"define")
    while at >= 0:
        line = data.rfind(b"\n", 0, at) + 1
        match = _DEFINE.match(data, line) if line >= end else None
        if match is not None:
            yield match
            end = match.end()
        at = data.find(b"define", max(at + 1, end))


def _calls_of(name: bytes, data: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the calls of one name whose arguments hold no brackets."""
    at = data.find(name)
    while at >= 0:
        match = _CALL.match(data, at)
        if match is not None and match[1] == name:
            yield match
        at = data.find(name, at + 1)
