"""Source texts by lines, split when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from coalint.core.source.spans import Span


class SourceLines(Mapping[str, list[str]]):
    """The lines of each file, split at line feeds only, as the compiler counts them.

    Args:
        texts: The files' texts by their names.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._lines: dict[str, list[str]] = {}

    def __getitem__(self, file: str) -> list[str]:
        """Return the lines of a file. Raises KeyError where its text is not at hand."""
        lines = self._lines.get(file)
        if lines is None:
            lines = self._lines[file] = self._texts[file].split("\n")
        return lines

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the files."""
        return iter(self._texts)

    def __len__(self) -> int:
        """Return the number of files."""
        return len(self._texts)

    def of_file(self, file: str) -> list[str]:
        """Return the lines of a file; none where its text is not at hand."""
        return self[file] if file in self._texts else []

    def whole(self, span: Span) -> str:
        """Return the lines that a place is on."""
        return "\n".join(self.of_file(span.file)[span.line - 1 : span.end_line])

    def text(self, span: Span) -> str:
        """Return the text of a place, of its first line where it has several."""
        lines = self.of_file(span.file)[span.line - 1 : span.line]
        end = span.end_column - 1 if span.end_line == span.line else None
        return lines[0][span.column - 1 : end] if lines else ""
