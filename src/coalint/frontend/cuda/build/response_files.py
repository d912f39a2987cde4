"""How nvcc and its kin spell words within words: response files and lists with commas."""

from __future__ import annotations

import shlex

from coalint.core.source.reading import FileKind, read_text


def response_text(path: str) -> str | None:
    """Return the text of a response file; None where it cannot be read."""
    try:
        return read_text(path, FileKind.RESPONSE_FILE)
    except OSError:
        return None


def response_words(text: str, nvcc: bool) -> list[str] | None:
    """Return the arguments in the text of a response file; None where it cannot be split."""
    try:
        return nvcc_words(text) if nvcc else shlex.split(text)
    except ValueError:
        return None


def nvcc_words(text: str) -> list[str]:
    """Return the words of a response file as nvcc 13.0 reads it.

    It unescapes twice, and drops quotes the second time.
    """
    return [_bare(word) for word in _words(text)]


def nvcc_list(value: str) -> list[str]:
    """Return the items of an nvcc option's value.

    Commas separate outside of double quotes, a backslash takes the next.
    """
    return _cut(value, ",")


def _words(text: str) -> list[str]:
    return [word for word in _cut(text, " \t\r\n\f\v") if word]


def _cut(text: str, separators: str) -> list[str]:
    """Cut at separators outside of double quotes, which stay; a backslash before any character is dropped."""
    words, quoted, escaped = [""], False, False
    for character in text:
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
            continue
        elif character == '"':
            quoted = not quoted
        elif character in separators and not quoted:
            words.append("")
            continue
        words[-1] += character
    return words


def _bare(word: str) -> str:
    """Return the word without its quotes, and unescaped."""
    bare, escaped = "", False
    for character in word:
        if escaped:
            escaped = False
        elif character in '\\"':
            escaped = character == "\\"
            continue
        bare += character
    return bare
