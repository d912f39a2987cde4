"""Places: libclang's locations to spans, and the source texts that they refer to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from ctypes import byref, c_uint, c_void_p, cast
from itertools import accumulate
from typing import Any

from clang.cindex import Cursor, File, SourceLocation, c_object_p, conf

from coalint.core.source.boundary import is_shown, roots
from coalint.core.source.overlay import text_of
from coalint.core.source.reading import FileKind, read_text
from coalint.core.source.real_paths import RealPaths
from coalint.core.source.spans import Span
from coalint.frontend.cuda.build.include_folders import INCLUDE
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.bindings import file_name, library
from coalint.frontend.cuda.libclang.cursor_numbers import (
    extent_numbers,
    file_handle,
    file_place,
    is_in_main_file,
    location_number,
)
from coalint.frontend.cuda.libclang.inclusions import contents, names_of
from coalint.frontend.cuda.libclang.pieces import Piece, Pieces, line_begins

_BUNDLED = os.path.join(INCLUDE, "")
_MACRO = 1 << 31  # clang's SourceLocation::MacroIDBit
_BRACKET = re.compile(r'"(?:[^"\\\n]|\\.)*"|[();]')
_LONGEST_USE = 50_000  # characters
_BODY = re.compile(r"(?:[^\n\\]|\\\r?\n|\\.)*")  # to the end of a line that does not go on


def is_bundled(file: str) -> bool:
    """Whether a file is one of coalint's own headers."""
    return file.startswith(_BUNDLED)


_bundled_lines: dict[str, tuple[int, list[int]]] = {}
"""The sizes of coalint's own headers, and where their lines begin: these do not change while it runs."""
_bundled_texts: dict[str, str] = {}
"""The texts of coalint's own headers."""


class Locations:
    """Spans of one translation unit. Columns count characters, although libclang counts bytes.

    `own` are the files whose kernels are the unit's: the one that is parsed and the fragments that it includes.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.own = [path]
        self._lib = library()
        self.texts: dict[str, str] = {path: text}
        self._lines: dict[str, list[str]] = {path: text.split("\n")}
        self._text_begins: dict[str, list[int]] = {}  # of the lines, in characters
        self._wide: dict[str, bool] = {path: not text.isascii()}
        self._files: dict[int | None, str] = {}
        self._names: dict[int | None, str] = {}  # of files, read or not
        self._elsewhere: dict[str, bool] = {}
        self._spans: dict[tuple[int, int], Span] = {}
        self.macro_uses: set[Span] = set()  # the spans of what comes out of macros
        self._pieces = Pieces()
        self._main = range(0)  # clang's numbers of the places in the main file
        self._irregular: set[int | None] = set()  # files with lines that end in a carriage return alone

    def span(self, cursor: Any) -> Span:
        """Return where a cursor is written; for what comes out of a macro's body, the place that uses the macro."""
        key = extent_numbers(cursor)
        span = self._spans.get(key)
        if span is None:
            begin = self._known_place(key[0]) or self._place(cursor, at_end=False)
            end = self._known_place(key[1]) or self._place(cursor, at_end=True)
            (file, line, column), (_, end_line, end_column) = begin, end
            if end_line < line or (end_line == line and end_column <= column):
                end_line, end_column = line, column + 1
            span = self._spans[key] = Span(file, line, column, end_line, end_column, self.is_elsewhere(file))
            if key[0] & _MACRO:
                self.macro_uses.add(span)
        return span

    def is_elsewhere(self, file: str) -> bool:
        """Whether a file is none of the user's: coalint's own, or a header whose text may not be shown."""
        known = self._elsewhere.get(file)
        if known is None:
            known = self._elsewhere[file] = is_bundled(file) or not is_shown(file)
        return known

    def take(self, fragments: Iterable[str], unit: Any) -> None:
        """Count those of the files (real paths) that the unit includes as its own, under the names that it uses."""
        wanted = set(fragments)
        names = set(names_of(unit)) if wanted else set[str]()
        for name in sorted(names - {self.path}):
            if os.path.realpath(name) in wanted:
                self.own.append(name)
                if name not in self.texts:
                    self._read(name)

    def is_own(self, cursor: Any) -> bool:
        """Whether a declaration stands in one of the unit's own files, be it through a macro."""
        number = location_number(cursor)
        if not number & _MACRO:
            if number in self._main:
                return True
            if not self._main and is_in_main_file(cursor):
                self._main = self._numbers(conf.lib.clang_getCursorLocation(cursor), cursor._tu)
                return True
            if len(self.own) == 1:
                return False
        return self.file(cursor) in self.own

    def _numbers(self, location: SourceLocation, unit: Any) -> range:
        """Return clang's numbers of the places in the file of a location."""
        handle, offset = c_void_p(), c_uint()
        self._lib.clang_getFileLocation(location, byref(handle), None, None, byref(offset))
        begin = location.int_data - offset.value
        return range(begin, begin + len(contents(unit, handle)) + 1)

    def file(self, cursor: Any) -> str:
        """Return the name of the file in which a declaration stands, be it through a macro, without reading it."""
        handle = file_handle(cursor)
        name = self._names.get(handle)
        if name is None:
            name = str(file_name()(handle)) if handle else self.path
            self._names[handle] = name
        return name

    def _known_place(self, number: int) -> tuple[str, int, int] | None:
        """Return file, line and column of one of clang's numbers of places; None where its file is not remembered."""
        piece = self._pieces.around(number)
        if piece is None:
            return None
        line, column = piece.place(number)
        return piece.file, line, self._character(piece.file, line, column) if piece.wide else column

    def _place(self, cursor: Any, *, at_end: bool) -> tuple[str, int, int]:
        handle, line, column, offset, number = file_place(cursor, at_end)
        file = self._name(handle)
        if handle and not number & _MACRO and handle not in self._irregular:
            self._remember(cursor._tu, handle, file, number - offset)
        at = self._character(file, line, column) if self._wide.get(file) else column
        return file, max(1, line), max(1, at)

    def _character(self, file: str, line: int, column: int) -> int:
        """Return a column in characters; `column` counts bytes."""
        lines = self._lines[file]
        if line > len(lines):
            return column
        text = lines[line - 1]
        if text.isascii():
            return min(column, len(text) + 1)
        return len(text.encode()[: column - 1].decode(errors="replace")) + 1

    def _remember(self, unit: Any, handle: int, file: str, begin: int) -> None:
        """Keep where the lines of a file begin: clang's numbers of places run on with its bytes."""
        known = _bundled_lines.get(file)
        if known is None:
            text = contents(unit, c_void_p(handle))
            if b"\r" in text.replace(b"\r\n", b""):  # which ends a line for clang
                self._irregular.add(handle)
                return
            known = len(text), line_begins(text)
            if is_bundled(file):
                _bundled_lines[file] = known
        size, lines = known
        self._pieces.add(Piece(file, begin, begin + size, lines, bool(self._wide.get(file))))

    def _name(self, handle: int | None) -> str:
        name = self._files.get(handle)
        if name is None:
            name = str(file_name()(handle)) if handle else self.path
            self._files[handle] = name
            if name not in self.texts:
                self._read(name)
        return name

    def _read(self, file: str) -> None:
        text = _bundled_texts.get(file)
        if text is None:
            try:
                changed = text_of(file)
                text = read_text(file, FileKind.HEADER, roots()) if changed is None else changed
            except OSError:
                text = ""
            if is_bundled(file) and text:
                _bundled_texts[file] = text
        self.texts[file] = text
        self._lines[file] = text.split("\n")
        self._wide[file] = not text.isascii()

    def in_macro(self, cursor: Any) -> bool:
        """Whether a cursor begins with what a macro makes."""
        start = conf.lib.clang_getRangeStart(conf.lib.clang_getCursorExtent(cursor))
        return bool(start.int_data & _MACRO)

    def spelled(self, cursor: Any) -> str:
        """Return the text from where a cursor is written to the end of its file, or the macro that it comes out of.

        libclang 18 gives the place of the use for what a macro's body spells, so the macro itself is asked for.
        """
        start = conf.lib.clang_getRangeStart(conf.lib.clang_getCursorExtent(cursor))
        if not start.int_data & _MACRO:
            return self._text_from(start)
        handle, line, column = c_void_p(), c_uint(), c_uint()
        self._lib.clang_getFileLocation(start, byref(handle), byref(line), byref(column), None)
        file = File(cast(handle, c_object_p))
        place = SourceLocation.from_position(cursor._tu, file, line.value, column.value)
        macro = Cursor.from_location(cursor._tu, place).referenced
        if macro is None or macro._kind_id != kinds.MACRO_DEFINITION:
            return ""
        extent = conf.lib.clang_getCursorExtent(macro)
        body = _BODY.match(self._text_from(conf.lib.clang_getRangeStart(extent)))
        return body[0] if body else ""

    def macro_use(self, cursor: Any) -> str:
        """Return the use of the macro that a cursor comes out of, with its arguments; empty where it is in none."""
        start = conf.lib.clang_getRangeStart(conf.lib.clang_getCursorExtent(cursor))
        text, depth = self._text_from(start) if start.int_data & _MACRO else "", 0
        for token in _BRACKET.finditer(text, 0, _LONGEST_USE):
            depth += {"(": 1, ")": -1}.get(token[0], 0)
            if depth <= 0 and token[0] in "();":
                return text[: token.end()]
        return ""

    def _text_from(self, start: SourceLocation) -> str:
        """Return the text of a file from a place on, by its line: an offset counts bytes that the text may not have."""
        handle, line, column = c_void_p(), c_uint(), c_uint()
        self._lib.clang_getFileLocation(start, byref(handle), byref(line), byref(column), None)
        name = self._name(handle.value)
        lines = self._lines[name]
        if not 0 < line.value <= len(lines):
            return ""
        begins = self._text_begins.get(name)
        if begins is None:
            begins = self._text_begins[name] = [0, *accumulate(len(text) + 1 for text in lines)]
        before = lines[line.value - 1].encode()[: column.value - 1].decode(errors="replace")
        return self.texts[name][begins[line.value - 1] + len(before) :]

    def shown(self) -> dict[str, str]:
        """Return the texts for reports: empty for headers outside of the repository that its build names."""
        real = RealPaths()
        return {file: text if is_shown(file, real) else "" for file, text in self.texts.items()}

    def lines(self, file: str) -> list[str]:
        """Return the source lines of a file that a span has named."""
        return self._lines.get(file, [])

    def text(self, span: Span) -> str:
        """Return the source text of a span."""
        lines = self.lines(span.file)[span.line - 1 : span.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return "\n".join(lines)
