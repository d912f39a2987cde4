"""The places of a finding in one line: `k.cu:12, k.cu:14, lib.cuh:3`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from coalint.core.source.spans import Span
from coalint.engine.findings.groups import Group
from coalint.engine.report import Diagnostic

Path = Callable[[str], str]
"""Returns a file's name as a report writes it."""


def _as_it_is(file: str) -> str:
    return file


def place(span: Span, path: Path = _as_it_is) -> str:
    """Return `k.cu:12`."""
    return f"{path(span.file)}:{span.line}"


def places(diagnostics: Iterable[Diagnostic], path: Path = _as_it_is) -> list[str]:
    """Return `path:line` of each diagnostic, once, in order."""
    return list(dict.fromkeys(place(diagnostic.finding.span, path) for diagnostic in diagnostics))


def other_places(group: Group, path: Path = _as_it_is, width: int | None = None) -> str:
    """Return the places beside the one shown, cut to `width` characters where there is one: `k.cu:12 and 3 more`.

    What stands on the line that is shown is told by its column: `k.cu:12:9`.
    """
    line = place(group.shown.finding.span, path)
    others = (diagnostic.finding.span for diagnostic in group.others)
    named = ((place(span, path), span.column) for span in others)
    listed = list(dict.fromkeys(f"{name}:{column}" if name == line else name for name, column in named))
    text = ", ".join(listed)
    if width is None or len(text) <= width:
        return text
    for kept in range(len(listed) - 1, 0, -1):
        text = f"{', '.join(listed[:kept])} and {len(listed) - kept} more"
        if len(text) <= width:
            return text
    return f"{len(listed)} more places"
