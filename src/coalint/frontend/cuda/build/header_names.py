"""What is a header by its name, and which folders hold headers: all that a stranger's build may name elsewhere."""

from __future__ import annotations

import os
from functools import lru_cache

from coalint.core.source.boundary import Boundary

_SUFFIXES = (
    *(".h", ".hh", ".hpp", ".hxx", ".h++", ".cuh", ".inl", ".inc", ".ipp", ".tpp", ".tcc", ".txx", ".ixx", ".def"),
    *(".cu", ".cpp", ".cc", ".cxx", ".impl"),
)
_FOLDERS = frozenset({"include", "includes", "inc", "headers"})
_SYSTEM = ("/usr/", "/opt/", "/Library/Developer/", "/Applications/Xcode.app/")


def may_read(real: str, boundary: Boundary) -> bool:
    """Whether a file (a real path) may be read within a boundary: elsewhere than in what is shown, headers alone."""
    return boundary.shows(real) or (boundary.admits(real) and is_header(real))


def is_header(real: str) -> bool:
    """Whether a file (a real path) is a header by its name: by its suffix, or without one in a folder of headers."""
    name = os.path.basename(real)
    return name.endswith(_SUFFIXES) or ("." not in name and _in_headers(os.path.dirname(real)))


@lru_cache(maxsize=4096)
def holds_headers(real: str) -> bool:
    """Whether a folder (a real path) is one of headers: it is called so, or installed, or holds some itself."""
    if _in_headers(real):
        return True
    try:
        with os.scandir(real) as entries:
            return any(entry.name.endswith(_SUFFIXES) for entry in entries)
    except OSError:
        return False


def _in_headers(folder: str) -> bool:
    return (folder + os.sep).startswith(_SYSTEM) or not _FOLDERS.isdisjoint(folder.split(os.sep))
