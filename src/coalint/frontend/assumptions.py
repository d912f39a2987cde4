"""What the user's comments say of a kernel."""

from __future__ import annotations

import re

from coalint.diagnostics import Span
from coalint.frontend.locations import Locations

_ASSUME = re.compile(r"//\s*coalint:\s*assume\((.*)\)\s*$")


def assumptions(locations: Locations, span: Span) -> tuple[str, ...]:
    """`// coalint: assume(...)` inside the kernel or in the comment lines directly above it."""
    lines = locations.lines(span.file)
    first = span.line - 1
    while first > 0 and _belongs_to_head(lines[first - 1]):
        first -= 1
    found = []
    for line in lines[first : span.end_line]:
        match = _ASSUME.search(line)
        if match is not None:
            found.append(match.group(1))
    return tuple(found)


def _belongs_to_head(line: str) -> bool:
    """Whether a line above a kernel is a comment on it, or the beginning of its declaration."""
    text = line.strip()
    if text.startswith("//"):
        return True
    return text.startswith(("template", "__global__", "extern", "static")) and not text.endswith((";", "}", "{"))
