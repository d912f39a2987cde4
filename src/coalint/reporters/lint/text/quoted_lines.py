"""Quoted lines of source with their numbers in a gutter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from coalint.reporters.shared.source_frames import FrameLine


def frame(lines: Sequence[FrameLine], gutter: int, mark: str) -> Iterator[Text]:
    """Yield quoted lines after a gutter of this many digits; source keeps the terminal's own colour."""
    for line in lines:
        number = "" if line.number is None else str(line.number)
        text = Text()
        text.append(f" {number:>{gutter}} | ", "coalint.gutter")
        text.append(line.text, mark if line.number is None else "")
        text.rstrip()
        yield text
