"""The Python of a notebook: the text of its code cells, and where in the notebook's JSON each character stands."""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import field

from coalint.core.records import record
from coalint.frontend.python.json_scanner import JsonError, JsonScanner

SUFFIX = ".ipynb"
CELLS = "cells.py"
"""The file below a notebook's name that stands for its code."""
SEPARATOR = "\f"
"""Ends the line before the text of each cell; Python takes it for white space."""
MOST_CODE = 1 << 20
"""The most characters of code that are read of a notebook."""
MOST_CELLS = 20_000
"""The most cells that are read of a notebook."""
_PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_PIECE = re.compile(rf"{_PAIR}|\\u[0-9a-fA-F]{{4}}|\\.|[^\\]+", re.DOTALL)
_ESCAPES = {"\\n": "\n", '\\"': '"', "\\t": "\t", "\\\\": "\\", "\\/": "/", "\\r": " ", "\\f": " ", "\\b": "\b"}
_LONGEST_METADATA = 1 << 20


def cells_path(notebook: str) -> str:
    """Return the name of the file that stands for the code of a notebook."""
    return os.path.join(notebook, CELLS)


def is_cells_path(path: str) -> bool:
    """Whether a file stands for the code of a notebook."""
    folder, name = os.path.split(path)
    return name == CELLS and folder.endswith(SUFFIX)


@record(frozen=True, slots=True)
class CodeCell:
    """A cell that holds code: its number among all cells, from 1, and the offsets of its text in the notebook's."""

    number: int
    begin: int
    end: int


@record(frozen=True, slots=True)
class Notebook:
    """The code of a notebook, line by line at the lines of the JSON where each of its lines has one of its own.

    For each character of `text` there are the offsets in the JSON at which what stands for it begins and ends.
    `error` says at which offset of the JSON the notebook cannot be read, and why.
    """

    text: str = ""
    begins: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    cells: tuple[CodeCell, ...] = ()
    error: tuple[int, str] | None = None

    def place(self, offset: int) -> tuple[int, int, int] | None:
        """Return the number of the cell, the line and the column of an offset in the JSON; None outside of code."""
        at = bisect_right([self.begins[cell.begin] for cell in self.cells], offset)
        if not at:
            return None
        cell = self.cells[at - 1]
        inside = bisect_left(self.begins, offset, cell.begin, cell.end)
        before = self.text[cell.begin : inside]
        return cell.number, before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def read_notebook(data: str) -> Notebook:
    """Return the code of a notebook in the formats 3 and 4; none of one whose language is another."""
    reader = _Reader(JsonScanner(data))
    try:
        return reader.read()
    except JsonError as error:
        return Notebook(error=(error.offset, error.reason))


@record
class _Reader:
    scanner: JsonScanner
    text: list[str] = field(default_factory=list)
    begins: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    cells: list[CodeCell] = field(default_factory=list)
    count: int = 0
    line: int = 1
    """The line at which the text ends."""

    def read(self) -> Notebook:
        language, is_notebook = "python", False
        for key in self.scanner.members():
            if key == "cells":
                is_notebook = True
                self._cells()
            elif key == "worksheets":
                is_notebook = True
                self._worksheets()
            elif key == "metadata":
                language = self._language() or language
            else:
                self.scanner.skip()
        self.scanner.finish()
        if not is_notebook:
            raise JsonError(0, "it has no cells")
        if language.lower() not in ("python", "ipython", "python3"):
            return Notebook()
        return Notebook("".join(self.text), tuple(self.begins), tuple(self.ends), tuple(self.cells))

    def _language(self) -> str | None:
        begin = self.scanner.position
        self.scanner.skip()
        written = self.scanner.text[begin : self.scanner.position]
        try:
            metadata = json.loads(written) if len(written) <= _LONGEST_METADATA else {}
        except (ValueError, RecursionError):
            return None
        names = (("kernelspec", "language"), ("language_info", "name"))
        known = (_string_in(metadata, *path) for path in names)
        return next((name for name in known if name), None)

    def _worksheets(self) -> None:
        for _ in self.scanner.items():
            for key in self.scanner.members():
                if key == "cells":
                    self._cells()
                else:
                    self.scanner.skip()

    def _cells(self) -> None:
        for _ in self.scanner.items():
            self.count += 1
            if self.count > MOST_CELLS:
                raise JsonError(self.scanner.position, f"it has more than {MOST_CELLS:,} cells")
            kind, source = "", None
            for key in self.scanner.members():
                if key == "cell_type" and self.scanner.is_string:
                    kind = self.scanner.text[slice(*self.scanner.string())]
                    continue
                if key in ("source", "input"):
                    source = self.scanner.position
                self.scanner.skip()
            if kind == "code" and source is not None:
                behind = self.scanner.position
                self.scanner.position = source
                self._code()
                self.scanner.position = behind

    def _code(self) -> None:
        """Add the text of a cell: one string or a list of them."""
        strings = list(self._strings())
        if not strings:
            return
        written = self.scanner.line(strings[0][0])
        ends = "" if not self.text or self.text[-1].endswith("\n") else "\n"
        gap = ends + "\n" * max(0, written - self.line - len(ends) - 1) + SEPARATOR + "\n"
        self._add(gap, [strings[0][0]] * len(gap), [strings[0][0]] * len(gap))
        begin = len(self.begins)
        for first, last in strings:
            self._decoded(first, last)
        if begin < len(self.begins):
            self.cells.append(CodeCell(self.count, begin, len(self.begins)))

    def _strings(self) -> Iterator[tuple[int, int]]:
        if self.scanner.is_string:
            yield self.scanner.string()
        else:
            for _ in self.scanner.items():
                yield self.scanner.string()

    def _add(self, text: str, begins: list[int], ends: list[int]) -> None:
        if len(self.begins) + len(begins) > MOST_CODE:
            raise JsonError(begins[0], f"it holds more than {MOST_CODE >> 20} MB of code")
        self.text.append(text)
        self.begins += begins
        self.ends += ends
        self.line += text.count("\n")

    def _decoded(self, first: int, last: int) -> None:
        """Add the text of a string between two offsets of the JSON."""
        for piece in _PIECE.finditer(self.scanner.text, first, last):
            begin, end = piece.span()
            written = piece[0]
            if not written.startswith("\\"):
                plain = written.replace(SEPARATOR, " ").replace("\r", " ")
                self._add(plain, list(range(begin, end)), list(range(begin + 1, end + 1)))
                continue
            value = _ESCAPES.get(written) or _unescaped(written, begin)
            self._add(value, [begin] * len(value), [end] * len(value))


def _unescaped(written: str, offset: int) -> str:
    try:
        value = str(json.loads(f'"{written}"'))
    except ValueError:
        raise JsonError(offset, f"`{written}` is no escape of a string") from None
    return value.replace(SEPARATOR, " ").replace("\r", " ")


def _string_in(value: object, *path: str) -> str | None:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None
