"""`__shared__` objects with a constructor that nvcc takes for empty and clang does not.

clang refuses to initialize such a variable and drops every expression with it. Parsed again with another macro in place
of `__shared__`, of the same length, the variable is an ordinary one with a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from clang.cindex import CursorKind

_REFUSED = "initialization is not supported for __shared__"
_KEYWORD, _MARKED = "__shared__", "__shared_v"
_LAST = re.compile(rf"\b{_KEYWORD}\b(?=[^;{{}}]*\Z)")
_ANNOTATION = CursorKind.ANNOTATE_ATTR.value


def refused(errors: Iterable[Any], path: str, text: str) -> frozenset[int]:
    """Return where `__shared__` stands, as offsets in the text of the file, before the variables that clang refuses."""
    offsets = set()
    for error in errors:
        location = error.location
        if location.file is not None and location.file.name == path and error.spelling.startswith(_REFUSED):
            offset: int = location.offset
            if not text.isascii():
                offset = len(text.encode()[:offset].decode(errors="replace"))
            keywords = [match.start() for match in _LAST.finditer(text[:offset])]
            offsets.update(keywords[-1:])
    return frozenset(offsets)


def marked(text: str, offsets: Iterable[int]) -> str:
    """Return the text with the other macro at these places."""
    for at in offsets:
        text = f"{text[:at]}{_MARKED}{text[at + len(_KEYWORD) :]}"
    return text


def is_mark(cursor: Any) -> bool:
    """Whether a cursor is the mark of such a variable."""
    return bool(cursor._kind_id == _ANNOTATION and cursor.spelling == _KEYWORD)
