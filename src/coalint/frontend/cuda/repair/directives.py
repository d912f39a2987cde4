"""What is read off a source's text: its conditions, its words and what it includes, each once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from coalint.frontend.cuda.repair.missing_kernels import without_comments

KEPT, SHORT = 128, 1 << 18
"""Sources of up to so many characters of which it is remembered what is read off them: headers that files share."""

Directive = tuple[int, str, str]
"""A condition: its line, its word (`ifdef`) and what follows it."""

_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(?P<word>if|ifdef|ifndef|elif|elifdef|else|endif)\b(?P<rest>(?:[^\n]*\\\r?\n)*[^\n]*)", re.MULTILINE
)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]", re.MULTILINE)
_SAID = re.compile(r"^[ \t]*#[ \t]*(?:error|warning|pragma[ \t]+message)\b[^\n]*", re.MULTILINE)
_WORD = re.compile(r"\w+")


def has_conditions(text: str) -> bool:
    """Whether there is any condition in a source."""
    return _DIRECTIVE.search(text) is not None


@lru_cache(maxsize=KEPT)
def _kept_words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def words(text: str) -> frozenset[str]:
    """Return the words of a source, of comments and strings too."""
    return _kept_words(text) if len(text) <= SHORT else _kept_words.__wrapped__(text)


@lru_cache(maxsize=KEPT)
def _kept_includes(text: str) -> tuple[tuple[int, str], ...]:
    return tuple((match.start(), match[1]) for match in _INCLUDE.finditer(text))


def includes(text: str) -> tuple[tuple[int, str], ...]:
    """Return where a source includes files, and their names as it has them."""
    return _kept_includes(text) if len(text) <= SHORT else _kept_includes.__wrapped__(text)


@lru_cache(maxsize=KEPT)
def _kept_scan(text: str) -> tuple[str, tuple[Directive, ...]]:
    code = without_comments(text)
    return code, tuple(_directives(code))


def scanned(text: str) -> tuple[str, tuple[Directive, ...]]:
    """Return a source without its comments, and its conditions: line, word and what follows it."""
    return _kept_scan(text) if len(text) <= SHORT else _kept_scan.__wrapped__(text)


def _directives(code: str) -> Iterator[Directive]:
    line, position = 1, 0
    for match in _DIRECTIVE.finditer(code):
        line += code.count("\n", position, match.start())
        position = match.start()
        yield line, match["word"], match["rest"].replace("\\\n", " ").strip()


def without_conditions(text: str) -> str:
    """Return a source without its comments, its conditions and what it says of these."""
    return _SAID.sub("", _DIRECTIVE.sub("", scanned(text)[0]))
