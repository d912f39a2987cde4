"""Member templates that are called without the word `template`: `tile.row<4>(i)`, where the type of `tile` is open.

nvcc takes it, clang reads `<` as a comparison. Parsed again, a macro of the member's name puts the word there: it
stands at the end of the header that declares the member, and so moves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from coalint.frontend.cuda.libclang.errors import Error

_UNCALLED = (
    "reference to overloaded function could not be resolved",
    "reference to non-static member function must be called",
)
_MEMBER = re.compile(r"(?P<access>\.|->)\s*(?P<name>[A-Za-z_]\w*)\s*<")
_LONGEST = 200  # characters of such a name with what stands around it


def untold(errors: Iterable[Error], path: str, text_of: Callable[[str], str]) -> dict[str, frozenset[str]]:
    """Return the names of such members by the header that declares them; not those of the file `path` itself."""
    names: dict[str, frozenset[str]] = {}
    for error in errors:
        file = error.location.file
        if file is None or not error.spelling.startswith(_UNCALLED):
            continue
        name = _member(text_of(file.name), error.location.line, error.location.column)
        for note in error.notes if name else ():
            declared = note.file
            if declared is None or declared.name in (path, file.name):
                continue
            lines = text_of(declared.name).split("\n")
            if note.line <= len(lines) and re.match(rf"{name}\b", lines[note.line - 1][note.column - 1 :]):
                names[declared.name] = names.get(declared.name, frozenset()) | {name}
    return names


def _member(text: str, line: int, column: int) -> str:
    """Return the name of the member at a place, if template arguments seem to follow."""
    lines = text.split("\n")
    written = lines[line - 1] if line <= len(lines) else ""
    for match in _MEMBER.finditer(written[:_LONGEST]):
        if match.start("name") == column - 1:
            return match["name"]
    return ""


def told(text: str, names: Iterable[str]) -> str:
    """Return the header with a macro at its end for each of these members."""
    return "\n".join((text, *(f"#define {name} template {name}" for name in sorted(names)), ""))


def together(one: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """Return all names of both."""
    return {file: one.get(file, frozenset()) | other.get(file, frozenset()) for file in (*one, *other)}
