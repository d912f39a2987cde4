"""Sources that are written in C++20 while no flag names a standard."""

from __future__ import annotations

import re
from typing import Any

from clang.cindex import TranslationUnit

from coalint.frontend.cuda.repair.repaired_file import RepairedFile, written

LATER = "-std=c++20"
_BEFORE = "before C++20"
_LATER = re.compile(r"^\s*(?:template\b.*)?(?:concept\s+\w+\s*=|requires\b\s*[\w(!]|consteval\b|constinit\b)")


def with_later_standard(file: RepairedFile, unit: TranslationUnit) -> TranslationUnit:
    """Return the file parsed as C++20, where it says so itself; `unit` where it does not."""
    if any(flag.startswith("-std=") for flag in file.flags) or not any(_is_later(file, e) for e in written(unit)):
        return unit
    file.flags = (*file.flags, LATER)
    return file.unit()


def _is_later(file: RepairedFile, error: Any) -> bool:
    """Whether an error stands where the source is written in C++20, or says so."""
    if _BEFORE in error.spelling:
        return True
    line = error.location.line
    return any(map(_LATER.search, file.lines_of(error)[max(0, line - 2) : line + 1]))
