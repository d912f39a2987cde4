"""The user's text as reasons quote it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from coalint.core.source.spans import Span

Sources = Mapping[str, Sequence[str]]
"""The lines of each file."""

_BEFORE_COMMENT = re.compile(r"""(?:[^/"']|/(?!/)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)*""")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_CALLED = re.compile(r"\w+\(")


def text(sources: Sources, span: Span) -> str:
    """Return the source text of a span, on one line; comments at the ends of lines would take in what follows.

    Without the closing brackets of a macro's use, where the span begins in its argument.
    """
    quoted = _text(sources, span)
    while quoted.endswith(")") and quoted.count(")") > quoted.count("("):
        quoted = quoted[:-1].rstrip()
    return quoted


def _text(sources: Sources, span: Span) -> str:
    lines = sources.get(span.file)
    if not lines or span.end_line > len(lines):
        return "..."
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    parts = [lines[span.line - 1][span.column - 1 :], *lines[span.line : span.end_line - 1]]
    parts.append(lines[span.end_line - 1][: span.end_column - 1])
    return " ".join(filter(None, map(_without_comment, parts)))


def identifiers(text: str) -> list[str]:
    """Return the names in a program's text, in their order."""
    return _IDENTIFIER.findall(text)


def _without_comment(line: str) -> str:
    code = _BEFORE_COMMENT.match(line) if "//" in line else None
    return line.strip() if code is None else code[0].strip()


def written(sources: Sources, span: Span) -> str:
    """Return an expression as it is written, or the use of the macro that it stands in.

    Empty where a macro tears it apart.
    """
    quoted = _text(sources, span)
    if quoted.count("(") == quoted.count(")") and not quoted.endswith((",", "(")) and "..." not in quoted:
        return quoted
    return _macro(sources, span)


def _macro(sources: Sources, span: Span) -> str:
    """Return the use of a macro with arguments that a span begins in, if it is on one line."""
    lines = sources.get(span.file)
    line = lines[span.line - 1] if lines and span.line <= len(lines) else ""
    for match in _CALLED.finditer(line):
        depth = 0
        for end in range(match.end() - 1, len(line)):
            depth += (line[end] == "(") - (line[end] == ")")
            if not depth:
                if match.start() < span.column <= end + 1:
                    return line[match.start() : end + 1]
                break
    return ""
