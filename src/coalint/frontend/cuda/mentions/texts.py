"""A source text without what is not compiled: comments, code under `#if 0`, strings and second branches apart."""

from __future__ import annotations

import re
from collections.abc import Callable

from coalint.core.records import record

_HIDING = re.compile(
    r"""//(?:[^\\\n]|\\\r?\n|\\)*|/\*.*?(?:\*/|\Z)|R"([^()\\\s"]{0,16})\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.){1,10}'""",
    re.DOTALL,
)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)((?:[^\\\n]|\\\n|\\)*)", re.MULTILINE)
_OPENING = frozenset({"if", "ifdef", "ifndef"})
_NEVER = re.compile(r"[ \t(]*(?:0|false)[ \t)]*$")


@record(frozen=True, slots=True)
class SourceText:
    """A text in parts of one length, each with spaces for what it leaves out; offsets are the same in all.

    Attributes:
        code: What is compiled: no comments, no code under `#if 0`, no names of headers.
        outline: The code without strings, directives and all branches of `#if` but the first that may be compiled.
        comments: Only comments, and code under `#if 0`.
        directives: Where directives stand, as (start, end).
    """

    code: str
    outline: str
    comments: str
    directives: tuple[tuple[int, int], ...]


def source_text(data: bytes) -> SourceText:
    """Return the parts of a text. Bytes that are no ASCII count as a letter each."""
    text = data.decode("latin-1").replace("\r\n", " \n")
    hidden: list[tuple[int, int]] = []
    strings: list[tuple[int, int]] = []
    for match in _HIDING.finditer(text):
        (hidden if match[0][0] == "/" else strings).append(match.span())
    code = _blanked(text, hidden)
    directives, never, others, included = _branches(code)
    code = _blanked(code, sorted((*never, *included)))
    kept = sorted((*hidden, *never))
    outline = _blanked(code, _disjoint(sorted((*strings, *directives, *others))))
    return SourceText(
        code=code, outline=outline, comments=_blanked(text, _between(kept, len(text))), directives=tuple(directives)
    )


_Spans = list[tuple[int, int]]


def _branches(code: str) -> tuple[_Spans, _Spans, _Spans, _Spans]:
    """Return where directives stand, what is never compiled, other branches than the first, and names of headers."""
    directives: _Spans = []
    never: _Spans = []
    others: _Spans = []
    included: _Spans = []
    open_: list[_Branch] = []
    for match in _DIRECTIVE.finditer(code):
        word = match[1]
        if word == "include":
            included.append(match.span(2))
        directives.append(match.span())
        if word in _OPENING:
            open_.append(_Branch(match.end(), word == "if" and _NEVER.match(match[2]) is not None))
        elif open_ and word in ("else", "elif", "elifdef", "elifndef"):
            open_[-1].end(match.start(), never.append, others.append)
            open_[-1] = _Branch(match.end(), False, after=open_[-1].after or not open_[-1].never)
        elif open_ and word == "endif":
            open_.pop().end(match.start(), never.append, others.append)
    return directives, _disjoint(sorted(never)), others, included


@record
class _Branch:
    """A branch of `#if` from `start` on; `after` says that one before it may be compiled."""

    start: int
    never: bool
    after: bool = False

    def end(self, at: int, never: Callable[[tuple[int, int]], None], other: Callable[[tuple[int, int]], None]) -> None:
        if self.never:
            never((self.start, at))
        elif self.after:
            other((self.start, at))


def _disjoint(spans: _Spans) -> _Spans:
    """Return spans, which are sorted, without those that lie in others."""
    left: _Spans = []
    for start, end in spans:
        if left and start < left[-1][1]:
            left[-1] = (left[-1][0], max(end, left[-1][1]))
        else:
            left.append((start, end))
    return left


def _between(spans: _Spans, length: int) -> _Spans:
    """Return the rest of a text of a length."""
    edges = [0, *(edge for span in _disjoint(spans) for edge in span), length]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _blanked(text: str, spans: _Spans) -> str:
    """Return a text with spaces in place of what stands in disjoint spans; lines stay."""
    pieces: list[str] = []
    last = 0
    for start, end in _disjoint(spans):
        pieces.append(text[last:start])
        pieces.append("\n".join(" " * len(line) for line in text[start:end].split("\n")))
        last = end
    return "".join((*pieces, text[last:]))
