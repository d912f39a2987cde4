"""Places in source text."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of source text: lines and columns count from 1, the end is exclusive.

    `bundled` says that it lies in a front end's own headers, which explain nothing to a user.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    bundled: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of one span."""

    span: Span
    replacement: str
