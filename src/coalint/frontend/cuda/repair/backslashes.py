r"""Includes with backslashes, as compilers of Windows take them: `#include "geometry\mesh.cuh"`.

clang finds no such file elsewhere. Parsed again, slashes stand in their places: nothing moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from coalint.core.source.boundary import boundary
from coalint.frontend.cuda.build.includes import IncludeGraph, search_path
from coalint.frontend.cuda.libclang.errors import Error

_MISSING = re.compile(r"'[^']*\\[^']*' file not found")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*(?:\"[^\"\n]*\\[^\"\n]*\"|<[^>\n]*\\[^>\n]*>)", re.MULTILINE)


def are_missed(errors: Iterable[Error]) -> bool:
    """Whether a file is not found whose name has a backslash."""
    return any(_MISSING.match(error.spelling) for error in errors)


def includers(path: str, flags: Sequence[str], text_of: Callable[[str], str]) -> frozenset[str]:
    """Return the files with such includes among those that a file reads with these flags, and itself."""
    files = IncludeGraph().closure(path, search_path(flags), None, boundary()).files
    return frozenset(file for file in files if _INCLUDE.search(text_of(file)))


def with_slashes(text: str) -> str:
    """Return the text with slashes in these includes."""
    return _INCLUDE.sub(lambda match: match.group().replace("\\", "/"), text)
