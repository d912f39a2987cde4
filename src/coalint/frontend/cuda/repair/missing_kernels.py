"""Kernels that the source text defines and libclang did not give: switched off, or lost to a syntax error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from coalint.core.source.spans import Span

# Comments and literals; one that is not closed ends somewhere too, lest the search begin anew at each of thousands.
# Each form begins with a character of its own, so that the search passes over all others at once.
_NOISE = re.compile(
    r'//[^\n]*|/\*.*?(?:\*/|\Z)|R(?<!\wR)"(?P<mark>[^()\\\s"]{0,16})\((?P<raw>.*?)(?:\)(?P=mark)"|\Z)'
    r'|"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n]){1,16}\'',
    re.DOTALL,
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_ENDED = re.compile(r"[;}]\s*$|^\s*#")  # a line after which a declaration begins
_TEMPLATE = re.compile(r"\s*template\b")
_KEPT, _SHORT = 16, 1 << 18
"""Sources of up to so many characters of which the code is remembered: one file is asked for it in several steps."""
_MOST_LINES = 16  # of a declaration, on either side of its `__global__`
_KERNEL = re.compile(r"__global__\b(?<!\w__global__)")
_HEAD = re.compile(r"(\w+)\s*(?:<[^;{}()]*>\s*)?\(")
_ATTRIBUTES = frozenset({"__launch_bounds__", "__attribute__", "__block_size__", "__cluster_dims__", "alignas"})


def defined_kernels(text: str, file: str) -> Iterator[tuple[str, Span]]:
    """Name and place of every `__global__ ... name(...) {` of a source, whatever the preprocessor makes of it."""
    if "__global__" not in text:
        return
    code = _DIRECTIVE.sub(_blank, without_comments(text))
    for match in _KERNEL.finditer(code):
        line = code.count("\n", 0, match.start()) + 1
        start = match.start() - (code.rfind("\n", 0, match.start()) + 1)
        name = _name(code, match.end())
        if name is not None:
            yield name, Span(file, line, start + 1, line, start + 1 + len("__global__"))


def kernels_in_strings(text: str, file: str) -> Iterator[tuple[str, Span]]:
    """Yield the `defined_kernels` of sources in the raw strings of a text, which a program compiles when it runs."""
    for match in _NOISE.finditer(text) if 'R"' in text else ():
        if match["raw"] and "__global__" in match["raw"]:
            lines = text.count("\n", 0, match.start("raw"))
            column = match.start("raw") - (text.rfind("\n", 0, match.start("raw")) + 1)
            for name, span in defined_kernels(" " * column + match["raw"], file):
                yield name, replace(span, line=span.line + lines, end_line=span.end_line + lines)


def head_lines(text: str, line: int) -> range:
    """Return the lines of the declaration whose `__global__` stands in a line, from its beginning up to its body."""
    lines = without_comments(text).split("\n")
    first = last = line - 1
    before = takewhile(lambda at: not _ENDED.search(lines[at]), range(first - 1, max(first - _MOST_LINES, -1), -1))
    first = next((at for at in before if _TEMPLATE.match(lines[at])), first)
    while last + 1 < len(lines) and last < line + _MOST_LINES and "{" not in lines[last]:
        last += 1
    return range(first + 1, last + 2)


def without_comments(text: str) -> str:
    """Return the text with spaces in place of comments, strings and characters."""
    return _kept_code(text) if len(text) <= _SHORT else _kept_code.__wrapped__(text)


@lru_cache(maxsize=_KEPT)
def _kept_code(text: str) -> str:
    return _NOISE.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    """Return spaces in place of the text, line for line."""
    text = match.group()
    return " " * len(text) if "\n" not in text else "\n".join(" " * len(line) for line in text.split("\n"))


def _name(code: str, position: int) -> str | None:
    """Return the function's name, when a body follows its parameters."""
    while True:
        head = _HEAD.search(code, position, position + 2000)
        if head is None or ";" in code[position : head.start()] or "{" in code[position : head.start()]:
            return None
        end = _closing(code, head.end())
        if end is None:
            return None if head.group(1) in _ATTRIBUTES else head.group(1)
        if head.group(1) not in _ATTRIBUTES:
            return head.group(1) if code[end : end + 200].lstrip()[:1] == "{" else None
        position = end


def _closing(code: str, position: int) -> int | None:
    """Return the offset after the parenthesis that closes the one before `position`; None where none does."""
    depth = 1
    for index in range(position, min(len(code), position + 20_000)):
        if code[index] in "({":
            depth += 1
        elif code[index] in ")}":
            depth -= 1
            if depth == 0:
                return index + 1
        elif code[index] == ";":
            return None
    return None
