"""The source lines of a report, and quoted lines with their numbers in a gutter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from coalint.reporters.shared.source_frames import FrameLine


class SourceLines:
    """The lines of each file, split at line feeds only, as the compiler counts them."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources
        self._split: dict[str, list[str]] = {}

    def of(self, file: str) -> list[str]:
        """Return the lines of a file; none where its text is not at hand."""
        if file not in self._split:
            self._split[file] = self._sources.get(file, "").split("\n")
        return self._split[file]


def frame(lines: Sequence[FrameLine], gutter: int, mark: str) -> Iterator[Text]:
    """Yield quoted lines behind a gutter of this many digits; source keeps the terminal's own colour."""
    for line in lines:
        number = "" if line.number is None else str(line.number)
        text = Text()
        text.append(f" {number:>{gutter}} | ", "coalint.gutter")
        text.append(line.text, mark if line.number is None else "")
        text.rstrip()
        yield text
