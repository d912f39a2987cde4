"""Texts that a program fills in before anything compiles them: what stands for a value there is no C++."""

from __future__ import annotations

import re
from collections.abc import Iterable

_PLACE = re.compile(
    r"\$\{\w+\}"  # CMake, shells, Python's string.Template
    r"|@\w+@"  # configure_file
    r"|\{%.*?%\}|<%.*?%>"  # Jinja, Mako
    r"|%\(\w+\)[sdif]"  # Python's %
    r"|\{[A-Za-z_]\w*\}(?=_\w)"  # str.format within a name
)


def placeholder(lines: Iterable[str]) -> str | None:
    """Return the first text in these lines that stands for what is filled in, as it is written; None for none."""
    return next((found.group() for line in lines if (found := _PLACE.search(line)) is not None), None)
