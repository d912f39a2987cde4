"""Texts that are no C++ yet: a program fills values in before anything compiles them, or a reader fills in code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from coalint.frontend.cuda.repair.missing_kernels import without_comments

_PLACE = re.compile(
    r"\$\{\w+\}"  # CMake, shells, Python's string.Template
    r"|@\w+@"  # configure_file
    r"|\{%.*?%\}|\{#(?:[-\s]|$)|\{\{\s*[A-Za-z_]\w*(?:[.|(][^{}]*)?\s*\}\}|<%.*?%>"  # Jinja, Mako
    r"|%\(\w+\)[sdif]"  # Python's %
    r"|\{[A-Za-z_]\w*\}(?=_\w)"  # str.format within a name
)
_GAP = re.compile(
    r"(?<![\w.])(?:FIX_?ME|TODO|TBD|FILL(?:_?ME)?(?:_?IN)?(?:_?HERE)?|(?:ADD_|INSERT_)?YOUR_CODE(?:_HERE)?"
    r"|(?:INSERT_|ADD_)CODE(?:_HERE)?|REPLACE_?ME|_{3,}|\?{3,})(?!\w)"
)
_BEFORE = 3
"""Lines with code in front of an error in which a gap may be what it is about: `int i = FIXME`, and the next line."""


def placeholder(lines: Iterable[str]) -> str | None:
    """Return the first text in these lines that stands for what is filled in, as it is written; None for none."""
    return next((found.group() for line in lines if (found := _PLACE.search(line)) is not None), None)


def gap(lines: Sequence[str], at: int) -> str | None:
    """Return what marks code to be filled in on a line, or just before it, as in an exercise; None for none.

    Marks in comments do not count. `at` counts lines from 1.
    """
    code = without_comments("\n".join(lines[:at])).split("\n")
    near = [line for line in reversed(code) if line.strip()][:_BEFORE]
    return next((found.group() for line in near if (found := _GAP.search(line)) is not None), None)
