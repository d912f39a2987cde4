"""`__shared__` objects with a constructor that nvcc takes for empty and clang does not, or with one of the host alone.

clang refuses to initialize such a variable and drops every expression with it. Parsed again with another macro in place
of `__shared__`, of the same length, the variable is an ordinary one with a mark. nvcc never runs a constructor of the
host there, so that such a variable is one that is defined elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from coalint.frontend.cuda.libclang import cursor_kinds as kinds

_REFUSED = "initialization is not supported for __shared__"
_OF_HOST = "no matching constructor for initialization of "
_KEYWORD, _MARKED, _MARKED_OF_HOST = "__shared__", "__shared_v", "__shared_h"
_LAST = re.compile(rf"\b{_KEYWORD}\b(?=[^;{{}}]*\Z)")
_STATIC = re.compile(r"\bstatic\b[^;{}]*\Z")
_ANNOTATION = kinds.ANNOTATE_ATTR


Marks = frozenset[tuple[int, str]]
"""Where `__shared__` stands, as offsets in the text of the file, and the macro that takes its place."""


def refused(errors: Iterable[Any], path: str, text: str) -> Marks:
    """Return the marks for the variables that clang refuses."""
    marks = set()
    for error in errors:
        location = error.location
        of_host = error.spelling.startswith(_OF_HOST)
        if not (of_host or error.spelling.startswith(_REFUSED)) or location.file is None or location.file.name != path:
            continue
        offset: int = location.offset
        if not text.isascii():
            offset = len(text.encode()[:offset].decode(errors="replace"))
        before = text[:offset]
        for match in list(_LAST.finditer(before))[-1:]:
            if not (of_host and _STATIC.search(before)):
                marks.add((match.start(), _MARKED_OF_HOST if of_host else _MARKED))
    return frozenset(marks)


def marked(text: str, marks: Marks) -> str:
    """Return the text with the other macros at these places."""
    for at, macro in marks:
        text = f"{text[:at]}{macro}{text[at + len(_KEYWORD) :]}"
    return text


def is_mark(cursor: Any) -> bool:
    """Whether a cursor is the mark of such a variable."""
    return bool(cursor._kind_id == _ANNOTATION and cursor.spelling == _KEYWORD)
