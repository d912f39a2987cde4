"""libclang's errors, in the context of the templates and headers that lead to them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from ctypes import byref, c_uint, c_void_p, cast
from typing import NamedTuple
from weakref import WeakKeyDictionary

from clang.cindex import Diagnostic, File, TranslationUnit, c_object_p

from coalint.core.source.boundary import hidden_names, roots
from coalint.core.source.reading import FileKind, refusal
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.diagnostics import diagnostics

MISSING = re.compile(r"'(.*)' file not found")


class ClangSource(NamedTuple):
    """A file by its name."""

    name: str


class ClangPlace(NamedTuple):
    """Where an error stands, as libclang's SourceLocation says it: line and column from 1, offset in bytes from 0."""

    file: ClangSource | None
    line: int
    column: int
    offset: int


class Error(NamedTuple):
    """A diagnostic of severity error or worse, read once; `notes` are the places that its notes name.

    `instance` says of an undeclared name that an instance of a template lacks it, `grammar` that the text is no C++,
    whatever its names mean.
    """

    spelling: str
    location: ClangPlace
    notes: tuple[ClangPlace, ...]
    instance: bool = False
    grammar: bool = False


# Errors of the parser that hinge on what a name means.
_NAMES = (
    "expected namespace name",
    "expected class name",
    "expected concept name",
    "expected '(' for function-style cast",
)
_INSTANCE = "in instantiation of"
_errors: WeakKeyDictionary[TranslationUnit, tuple[Error, ...]] = WeakKeyDictionary()


def errors(unit: TranslationUnit) -> tuple[Error, ...]:
    """Return the diagnostics of severity error and worse."""
    known = _errors.get(unit)
    if known is None:
        known = _errors[unit] = tuple(_in_context(unit))
    return known


def _in_context(unit: TranslationUnit) -> Iterator[Error]:
    """Yield the errors in the order of the parse; one without context may take that of the one before.

    What stands in the main file at or after the line that asked for an instance is not inside of that.
    """
    context: tuple[ClangPlace, ...] = ()
    said, places, main = diagnostics(), _Places(), unit.spelling
    for diagnostic in said.of_unit(unit):
        if said.severity(diagnostic) < Diagnostic.Error:
            continue
        notes = said.notes(diagnostic)
        is_inside = any(said.begins(note, _INSTANCE) for note in notes)
        error = _error(diagnostic, notes, is_inside, places)
        if is_inside:
            context = error.notes
        elif context and not _is_behind(error.location, context, main):
            error = error._replace(notes=(*error.notes, *context))
        else:
            context = ()
        yield error


def _is_behind(place: ClangPlace, context: Iterable[ClangPlace], main: str) -> bool:
    asked = [p.line for p in context if p.file is not None and p.file.name == main]
    return not asked or (place.file is not None and place.file.name == main and place.line >= max(asked))


def _error(diagnostic: int, notes: Iterable[int], is_inside: bool, places: _Places) -> Error:
    """Read a diagnostic; `is_inside` says that one of its notes names an instance that it stands in."""
    said = diagnostics()
    spelling = said.spelling(diagnostic)
    instance = is_inside and spelling.startswith("use of undeclared")
    grammar = not spelling.startswith(_NAMES) and said.category(diagnostic) == "Parse Issue"
    place = places.of(diagnostic)
    return Error(f"{spelling}{_refusal(spelling, place)}", place, tuple(map(places.of, notes)), instance, grammar)


def _refusal(spelling: str, place: ClangPlace) -> str:
    """Return why a file beside the one that includes it is none, where one of this name is there and is not read."""
    missing = MISSING.search(spelling)
    hidden = hidden_names() if missing is not None else ()
    if missing is None or not hidden or place.file is None:
        return ""
    name = os.path.join(os.path.dirname(os.path.abspath(place.file.name)), missing[1])
    known = {os.path.abspath(other) for other in hidden}
    reason = refusal(name, FileKind.HEADER, roots()) if os.path.abspath(name) in known else ""
    return f": {reason}" if reason else ""


class _Places:
    """Where diagnostics of one unit stand; a place of which many of them speak, and each file's name, is read once."""

    def __init__(self) -> None:
        self._located = diagnostics().location
        self._expanded = library().clang_getExpansionLocation
        self._known: dict[int, ClangPlace] = {}
        self._files: dict[int | None, ClangSource | None] = {None: None}
        self._out = c_void_p(), c_uint(), c_uint(), c_uint()
        self._references = tuple(map(byref, self._out))

    def of(self, diagnostic: int) -> ClangPlace:
        """Return the place of a diagnostic, of what a macro spells that of its use."""
        location = self._located(diagnostic)
        number = location.int_data  # clang's own for the place: one of each in a unit
        place = self._known.get(number)
        if place is None:
            self._expanded(location, *self._references)
            file, line, column, offset = self._out
            place = ClangPlace(self._source(file.value), line.value, column.value, offset.value)
            self._known[number] = place
        return place

    def _source(self, address: int | None) -> ClangSource | None:
        source = self._files.get(address)
        if source is None and address is not None:
            source = self._files[address] = ClangSource(str(File(cast(address, c_object_p)).name))
        return source
