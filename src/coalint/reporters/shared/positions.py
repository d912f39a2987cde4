"""Converts places for other programs: paths from the repository's root, columns in UTF-16 units or UTF-8 bytes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath

from coalint.core.source.reading import lies_in
from coalint.core.source.repositories import repository_of
from coalint.core.source.spans import Span


class Positions:
    """Converts the spans of one report. Spans and results count from 1, and their ends are exclusive."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources
        self._lines: dict[str, list[str]] = {}
        self.root = Path(_root(os.getcwd(), list(sources)))

    def path(self, file: str) -> str:
        """Return a file's path relative to `root`, with `/`; the absolute path of a file that is not below it.

        The root is the repository around the working directory. Where there is none, or it holds none of the files, it
        is the one that holds them, so that a report is the same wherever it is made; else the working directory.
        """
        for path in (os.path.abspath(file), os.path.realpath(file)):
            if PurePath(path).is_relative_to(self.root):
                return PurePath(path).relative_to(self.root).as_posix()
        return PurePath(os.path.abspath(file)).as_posix()

    def line(self, file: str, number: int) -> str:
        """Return the text of a line without its end; empty where the source is not available."""
        if file not in self._lines:
            self._lines[file] = self._sources.get(file, "").split("\n")
        lines = self._lines[file]
        return lines[number - 1].removesuffix("\r") if 1 <= number <= len(lines) else ""

    def first_line(self, span: Span) -> Span:
        """Return the part of a span on its first line."""
        if span.end_line == span.line:
            return span
        end = max(span.column + 1, len(self.line(span.file, span.line)) + 1)
        return Span(span.file, span.line, span.column, span.line, end)

    def utf16(self, file: str, line: int, column: int) -> int:
        """Return a column in UTF-16 code units, from 1."""
        return self._column(file, line, column, "utf-16-le") // 2 + 1

    def utf8(self, file: str, line: int, column: int) -> int:
        """Return a column in bytes of UTF-8, from 1."""
        return self._column(file, line, column, "utf-8") + 1

    def _column(self, file: str, line: int, column: int, encoding: str) -> int:
        text = self.line(file, line)
        before = text[: column - 1].ljust(column - 1)  # columns past the end of the line count as one each
        return len(before.encode(encoding, "surrogatepass"))

    def text(self, span: Span) -> str:
        """Return the source text of a span, its lines joined by line feeds."""
        lines = [self.line(span.file, number) for number in range(span.line, span.end_line + 1)]
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return "\n".join(lines)


def _root(here: str, files: Sequence[str]) -> str:
    around = repository_of(here)
    reals = [os.path.realpath(file) for file in files]
    if _is_repository(around) and any(lies_in(real, (around,)) for real in reals):
        return around
    roots = {repository_of(folder) for folder in {os.path.dirname(real) for real in reals}}
    root = roots.pop() if len(roots) == 1 else around
    return root if _is_repository(root) else around


def _is_repository(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, ".git"))
