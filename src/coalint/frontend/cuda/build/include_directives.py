"""The includes in a file's text, and the macros that it speaks of; conditions are not evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from coalint.core.records import record
from coalint.core.source.boundary import roots
from coalint.core.source.overlay import contents_of
from coalint.core.source.reading import FileKind, read_bytes
from coalint.frontend.cuda.build.bundled_headers import with_macros

MOST_OF_ONE = 10_000
"""Includes of one file that are read."""

_DIRECTIVE = re.compile(
    rb"""^[ \t]*\#[ \t]*(?:
        (?:include|import|include_next)[ \t]*(?:"(?P<quoted>[^"\n]+)"|<(?P<angled>[^>\n]+)>)
        | (?P<opens>if)(?:ndef|def)?\b(?P<condition>(?:\\\r?\n|.)*)
        | elif\b(?P<further>(?:\\\r?\n|.)*)
        | (?P<closes>endif)\b
        | define[ \t]+(?P<defined>\w+)
    )""",
    re.MULTILINE | re.VERBOSE,
)
_GUARD = re.compile(rb"#[ \t]*(?:ifndef[ \t]+|if[ \t]*![ \t]*defined[ \t(]*)(\w+)")
_WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")


_COMMENT = re.compile(rb'//[^\n]*|"(?:\\.|[^"\\\n])*"|(?P<block>/\*.*?(?:\*/|\Z))', re.DOTALL)


class Include(NamedTuple):
    """One `#include`: what stands in it, whether in `<>`, its line from 1, and whether in an `#if` or a comment."""

    name: str
    angled: bool
    line: int
    conditional: bool = False


@record(frozen=True, slots=True)
class IncludeText:
    """The includes of a file; `bound` are headers of coalint's whose macros it tests or defines."""

    includes: tuple[Include, ...] = ()
    bound: frozenset[str] = frozenset()


def read(file: str) -> IncludeText:
    """Return what a file says, nothing for what cannot be read."""
    data = contents_of(file)
    if data is None:
        try:
            data = read_bytes(file, FileKind.HEADER, roots())
        except OSError:
            return IncludeText()
    words: set[str] = set()
    return IncludeText(tuple(islice(_includes(data, words), MOST_OF_ONE)), with_macros(words))


def _includes(data: bytes, words: set[str]) -> Iterator[Include]:
    """Yield the includes of a text, and add the macros that it tests or defines to the words."""
    blocks, block = _blocks(data), (0, 0)
    line, position, depth = 1, 0, 0
    guard: bytes | None = None
    for match in _DIRECTIVE.finditer(data):
        if match["opens"]:
            depth += 1
            named = _GUARD.search(match[0]) if guard is None else None  # the first condition alone is one
            guard = named[1] if named else b""
            words.update(word.decode() for word in _WORD.findall(match["condition"]))
        elif match["further"] is not None:
            words.update(word.decode() for word in _WORD.findall(match["further"]))
        elif match["closes"]:
            depth = max(0, depth - 1)
        elif match["defined"]:
            depth -= depth == 1 and match["defined"] == guard
            guard = b""
            words.add(match["defined"].decode())
        else:
            line += data.count(b"\n", position, match.start())
            position = match.start()
            while block[1] <= position:
                block = next(blocks)
            name = (match["quoted"] or match["angled"]).decode(errors="replace").strip().replace("\\", "/")
            if name and "\0" not in name:
                yield Include(name, match["quoted"] is None, line, depth > 0 or block[0] < position)


def _blocks(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where each comment in `/* */` begins and ends, then what is behind everything."""
    if b"/*" in data:
        yield from (match.span() for match in _COMMENT.finditer(data) if match["block"])
    yield len(data) + 1, len(data) + 1
