"""Patterns of ignore files, matched in time that no pattern of a stranger's can make long.

pathspec makes a regular expression of each, and `*a*a*a*a*b` would try all ways to share a name among its stars:
seconds for four of them, years for twelve. Of pieces between stars the leftmost match is as good as any, so each piece
but the last is matched once and for all (an atomic group), in a name between slashes as in folders that `**` spans.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from coalint.core.records import record

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec
    from pathspec.pattern import RegexPattern
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

MOST = 5000
"""Lines of an ignore file that count."""
QUOTED = 40
"""Characters of a pattern that messages quote."""
HARMLESS = 2
"""Wildcards that may be in a pattern which stays as pathspec makes it."""

_STAR = "[^/]*"
_SPANS = {"(?:.+/)?": "(?:.+?/)??", "(?:/.+)?": "(?:/.+?)??"}
_TOKEN = re.compile(
    r"\(\?:\.\+/\)\?|\(\?:/\.\+\)\?|\[\^/\][*+]?|\[\^?(?:\\.|[^\]\\])+\]|\\.|[^\\\[\](){}*+?|^$.]", re.DOTALL
)
_TAIL = re.compile(r"\(\?:\(\?P<|\(\?P<|/\.\*|\(\?:/\.\*\)\?\$|\$$")


@record(frozen=True)
class IgnorePatterns:
    """The patterns of an ignore file.

    Attributes:
        spec: Those that are applied.
        problems: What is not, as sentences.
    """

    spec: GitIgnoreSpec
    problems: tuple[str, ...] = ()


def ignore_patterns(lines: Sequence[str]) -> IgnorePatterns:
    """Return the patterns of an ignore file's lines; what is no pattern matches nothing, as in git."""
    from pathspec import GitIgnoreSpec

    applied: list[GitIgnoreSpecPattern] = []
    unread: list[int] = []
    unbounded: list[int] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # a bracket in brackets is not one for git
        for number, line in enumerate(lines[:MOST], 1):
            try:
                patterns = GitIgnoreSpec.from_lines([line]).patterns
            except (ValueError, re.error):
                unread.append(number)
                continue
            bounded = [pattern for pattern in patterns if not _is_costly(pattern) or _bounded(pattern)]
            if len(bounded) < len(patterns):
                unbounded.append(number)
            applied += bounded
    problems = [f"{count} lines, of which the first {MOST} are applied"] if (count := len(lines)) > MOST else []
    problems += _listed(unread, lines, "not a pattern, and matches nothing")
    problems += _listed(unbounded, lines, "too complex a pattern, and is not applied")
    return IgnorePatterns(GitIgnoreSpec(applied), tuple(problems))


def _listed(numbers: Sequence[int], lines: Sequence[str], what: str) -> list[str]:
    """Name the first of the lines, and count the others."""
    if not numbers:
        return []
    line = lines[numbers[0] - 1].strip()
    quoted = line if len(line) <= QUOTED else f"{line[:QUOTED]}..."
    more = f" (and {len(numbers) - 1} more)" if len(numbers) > 1 else ""
    return [f"line {numbers[0]}{more}: `{quoted}` is {what}"]


def _is_costly(pattern: RegexPattern) -> bool:
    text = _text(pattern)
    return text.count("*") + text.count("+") > HARMLESS + text.count("/.*")


def _text(pattern: RegexPattern) -> str:
    return "" if pattern.regex is None else str(pattern.regex.pattern)


def _bounded(pattern: RegexPattern) -> bool:
    """Put the expression that takes bounded time in the place of pathspec's; whether that is known."""
    text = atomic(_text(pattern))
    if text is not None:
        pattern.regex = re.compile(text)
    return text is not None


def atomic(text: str) -> str | None:
    """Return a regular expression of pathspec's with atomic groups; None for one of another form than is known."""
    if not text.startswith("^"):
        return None
    match = _TAIL.search(text)
    tail = len(text) if match is None else match.start()
    body = text[1:tail]
    tokens = _TOKEN.findall(body)
    if "".join(tokens) != body:
        return None
    starts = [0, *(i for i, token in enumerate(tokens) if token in _SPANS and i), len(tokens)]
    pieces = [tokens[i:j] for i, j in pairwise(starts) if i < j]
    whole = "".join(_piece(piece, number == len(pieces)) for number, piece in enumerate(pieces, 1))
    return f"^{whole}{text[tail:]}"


def _piece(tokens: Sequence[str], is_last: bool) -> str:
    """Return what stands from one span of folders to the next."""
    span = _SPANS.get(tokens[0])
    inside = "".join("/".join(map(_name, _names(tokens if span is None else tokens[1:]))))
    if span is None:
        return inside
    return f"{tokens[0]}{inside}" if is_last else f"(?>{span}{inside}(?=/|$))"


def _names(tokens: Iterable[str]) -> Iterator[list[str]]:
    """Divide at slashes."""
    name: list[str] = []
    for token in tokens:
        if token == "/":
            yield name
            name = []
        else:
            name.append(token)
    yield name


def _name(tokens: Sequence[str]) -> str:
    """Return what stands between two slashes: all stars but the last take as little as they can, for good."""
    stars = [i for i, token in enumerate(tokens) if token == _STAR]
    if len(stars) < 2:
        return "".join(tokens)
    parts = ["".join(tokens[: stars[0]])]
    parts += [f"(?>[^/]*?{''.join(tokens[i + 1 : j])})" for i, j in pairwise(stars) if j > i + 1]
    return "".join((*parts, *tokens[stars[-1] :]))
