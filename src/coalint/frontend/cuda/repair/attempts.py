"""Parses a file, declares the names that it lacks where a kernel or a launch needs them, and parses it again."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from clang.cindex import CursorKind as K
from clang.cindex import TranslationUnit

from coalint.core.source.overlay import text_of
from coalint.core.source.spans import Span
from coalint.frontend.cuda.build.include_folders import INCLUDE
from coalint.frontend.cuda.libclang.bindings import direct_children, errors, library
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.libclang.parse import parse
from coalint.frontend.cuda.repair import shared_constructors, template_keyword
from coalint.frontend.cuda.repair.declarations import Undeclared
from coalint.frontend.cuda.repair.missing_kernels import without_comments
from coalint.frontend.cuda.repair.stubs import ROUNDS, Complaint, read_complaints, refuse_redefined
from coalint.frontend.cuda.repair.switches import REFUSAL, is_option, switches_of_names, switches_of_refusal
from coalint.frontend.cuda.templates.representative_arguments import number_named
from coalint.frontend.interface import FrontendError

_SCOPES = frozenset(
    kind.value
    for kind in (K.NAMESPACE, K.LINKAGE_SPEC, K.UNEXPOSED_DECL, K.STRUCT_DECL, K.CLASS_DECL, K.CLASS_TEMPLATE)
)
_FUNCTIONS = frozenset(
    kind.value
    for kind in (K.FUNCTION_DECL, K.FUNCTION_TEMPLATE, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION)
)
_DEVICE = frozenset({K.CUDAGLOBAL_ATTR.value, K.CUDADEVICE_ATTR.value})
_LAUNCHES = re.compile(r"<<<|\bcudaLaunch")
_HEAD_MACRO = re.compile(r"\b_*[A-Z][A-Z0-9_]+\b")
_TYPE = re.compile(r"unknown type name|no type named|no template named|use of undeclared identifier|no member named")
_ALIAS = re.compile(r"\btypedef\b.*?(\w+)\s*;|\busing\s+(\w+)\s*=")
_UNDECLARED = re.compile(
    r"(?:unknown (?:type|class) name|use of undeclared (?:identifier|template name)|no (?:type|template|member) named)"
    r" '([A-Za-z_]\w*)'"
)
_CUDA = re.compile(r"__global__|__device__|<<<|\b[A-Z_]*(?:GLOBAL|KERNEL|DEVICE)\b")
_NO_NUMBER = re.compile(
    r"variable[- ]length array|must be initialized by a constant expression|is not a constant expression"
    r"|variably modified|not an integral constant"
)
SUPPOSED = 2  # rounds of macros
CONSTANTS = 16  # that are supposed for want of a declaration
REFUSALS = 8  # places of an `#error` that are looked at
PROBED = 2  # rounds more for what the instances of templates need
LATER = "-std=c++20"
_BEFORE = "before C++20"
_LATER = re.compile(r"^\s*(?:template\b.*)?(?:concept\s+\w+\s*=|requires\b\s*[\w(!]|consteval\b|constinit\b)")

_QUOTED = re.compile(r"'([^']*)'")
_WORD = re.compile(r"[A-Za-z_]\w*")

Extents = Sequence[tuple[str, int, int]]
"""Files with first and last lines."""
Places = dict[str, tuple[str, int, int]]
"""File, line and column by name; that of the empty name is for names of which nothing else is known."""


@dataclass
class Attempts:
    """The parses of one file and the fragments that count as its own.

    `known` is what has been declared for it so far, `places` where names were complained of first, `rounds` how often
    something was declared. `supposing` allows to suppose options of the build: `supposed` are the
    macros that were defined so, among the flags then. `ranges` is source behind everything, for loops over objects.
    """

    path: str
    flags: Sequence[str]
    text: str
    headers: str | None
    fragments: Sequence[str] = ()
    supposing: bool = False
    supposed: tuple[str, ...] = ()
    known: Undeclared = field(default_factory=Undeclared)
    places: Places = field(default_factory=dict)
    rounds: int = 0
    ranges: str = ""
    _constructed: frozenset[int] = frozenset()
    _templated: dict[str, frozenset[str]] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)
    _code: dict[str, str] = field(default_factory=dict)
    _device: dict[str, bool] = field(default_factory=dict)
    _lines: dict[str, list[str]] = field(default_factory=dict)

    def unit(self, behind: str = "") -> TranslationUnit:
        """The file with all declarations so far; `behind` is source behind its end."""
        unit = self._parsed(behind)
        again = shared_constructors.refused(errors(unit), self.path, self.text) - self._constructed
        if again:
            self._constructed |= again
            unit = self._parsed(behind)
        return self._told(unit, behind)

    def _told(self, unit: TranslationUnit, behind: str) -> TranslationUnit:
        """The file with the word `template` where nvcc does without, if that leaves fewer errors."""
        found = template_keyword.untold(errors(unit), self.path, self._text)
        known, self._templated = self._templated, template_keyword.together(self._templated, found)
        if self._templated == known:
            return unit
        again = self._parsed(behind)
        misread = {_key(error) for error in errors(again) if error.grammar and error.location.file is not None}
        if len(errors(again)) < len(errors(unit)) and misread <= set(map(_key, self._written(unit))):
            return again
        self._templated = known
        return unit

    def _parsed(self, behind: str) -> TranslationUnit:
        own = shared_constructors.marked(self.text, self._constructed)
        text = "\n".join((own, *filter(None, (behind, self.ranges))))
        others = {file: template_keyword.told(self._text(file), names) for file, names in self._templated.items()}
        return parse(self.path, self.flags, text, self.headers, self.known.text(), others)

    def best(self) -> TranslationUnit:
        """The file, with what its own lines need declared."""
        unit = self.unit()
        if not any(flag.startswith("-std=") for flag in self.flags) and any(map(self._is_later, self._written(unit))):
            self.flags = (*self.flags, LATER)
            unit = self.unit()
        if not self.fragments and not _CUDA.search(self.text):
            return unit
        if self.supposing:
            unit = self._switched_on(unit)
        unit = self.improve(unit, self._own)
        return self._sized(self._switched_on_late(unit)) if self.supposing else unit

    def _switched_on(self, unit: TranslationUnit) -> TranslationUnit:
        """The file with the macros with which its headers declare what it lacks, if that leaves fewer errors.

        And with those without which it comes to an `#error`.
        """
        found = self._at_all(unit)
        for _ in range(SUPPOSED):
            names = {match[1] for error in found if (match := _UNDECLARED.match(error.spelling)) is not None}
            macros = self._switches(unit, names, self._refused(found))
            if not macros:
                break
            flags, self.flags = self.flags, (*self.flags, *(f"-D{macro}" for macro in macros))
            again = self.unit()
            left = self._at_all(again)
            if _lines(left) >= _lines(found):
                self.flags = flags
                break
            unit, found, self.supposed = again, left, (*self.supposed, *macros)
        return unit

    def _switched_on_late(self, unit: TranslationUnit) -> TranslationUnit:
        """The file with the macros with which its headers declare what only errors before it kept from being missed."""
        names = {name.rpartition("::")[2] for name in self.known.names()}
        macros = self._switches(unit, names)
        if not macros:
            return unit
        flags, known = self.flags, deepcopy(self.known)
        self.flags = (*flags, *(f"-D{macro}" for macro in macros))
        for name in names:
            if set(macros) & set(switches_of_names({name}, self._read_by(unit))):
                self.known.refuse(name)
        again = self.improve(self.unit(), self._own)
        if _lines(self._at_all(again)) > _lines(self._at_all(unit)):
            self.flags, self.known = flags, known
            return unit
        self.supposed = (*self.supposed, *macros)
        return again

    def _sized(self, unit: TranslationUnit) -> TranslationUnit:
        """The file with numbers for the constants that nothing declares where C++ cannot do without their numbers.

        Such are the extents of arrays: libclang drops the statements that use one without. Where there are such, the
        other constants that the file computes with are given numbers too, since these go together.
        """
        found = [error for error in (*self._own(unit), *self._around(unit)) if _NO_NUMBER.search(error.spelling)]
        written = {word for error in found for word in _WORD.findall(self._line(error))}
        given = {flag[2:].partition("=")[0] for flag in self.flags if flag.startswith(("-D", "-U"))}
        undeclared = set(self.known.constants()) - given
        if not written & undeclared:
            return unit
        computed = {word for word in undeclared if re.search(rf"[-+*/%]=?\s*{word}\b|\b{word}\s*[-+*/%]", self.text)}
        names = sorted(undeclared & (written | computed))[:CONSTANTS]
        macros = tuple(f"{name}={number_named(name)}" for name in names)
        flags, known = self.flags, deepcopy(self.known)
        self.flags = (*flags, *(f"-D{macro}" for macro in macros))
        for name in names:
            self.known.refuse(name)
        again = self.improve(self.unit(), self._own)
        if _lines(self._at_all(again)) >= _lines(self._at_all(unit)):
            self.flags, self.known = flags, known
            return unit
        self.supposed = (*self.supposed, *macros)
        return again

    def _line(self, error: Any) -> str:
        lines = self._lines_of(error)
        return lines[error.location.line - 1] if error.location.line <= len(lines) else ""

    def _switches(self, unit: TranslationUnit, names: Collection[str], asked: Iterable[str] = ()) -> tuple[str, ...]:
        """The macros that are asked for, and those with which headers declare the names, where they are options."""
        given = {flag[2:].partition("=")[0] for flag in self.flags if flag.startswith(("-D", "-U"))}
        found = (*asked, *(switches_of_names(names, self._read_by(unit)) if names else ()))
        return tuple(m for m in dict.fromkeys(found) if m not in given and is_option(m, self._read_by(unit)))

    def _at_all(self, unit: TranslationUnit) -> list[Any]:
        """The errors of the file itself, those in host functions that launch nothing included, and each `#error`."""
        own, written = self._own(unit), self._written(unit)
        return [*own, *(e for e in written if e.location.file.name == self.path or self._is_refusal(e))]

    def _is_refusal(self, error: Any) -> bool:
        return any(map(REFUSAL.match, self._lines_of(error)[error.location.line - 1 : error.location.line]))

    def _lines_of(self, error: Any) -> list[str]:
        file = error.location.file.name
        lines = self._lines.get(file)
        if lines is None:
            lines = self._lines[file] = self._text(file).split("\n")
        return lines

    def _refused(self, found: Iterable[Any]) -> Iterator[str]:
        """The macros without which the file comes to an `#error`."""
        for error in islice(filter(self._is_refusal, found), REFUSALS):
            yield from switches_of_refusal(self._text(error.location.file.name), error.location.line)

    def _read_by(self, unit: TranslationUnit) -> Iterator[str]:
        """The texts of the file and of the user's headers that it includes."""
        yield self.text
        for name in dict.fromkeys(inclusion.include.name for inclusion in unit.get_includes()):
            if not name.startswith(str(INCLUDE)):
                yield self._text(name)

    def improve(
        self, unit: TranslationUnit, relevant: Callable[[TranslationUnit], list[Any]], behind: str = ""
    ) -> TranslationUnit:
        """Parse again while that leaves no more of the relevant errors, a bounded number of times for one file."""
        found = relevant(unit)
        most = ROUNDS + PROBED if behind else ROUNDS
        while self.rounds < most:
            self.rounds += 1
            kept = deepcopy(self.known)
            around = self._around(unit)
            if not found or not self._learn([*found, *around]):
                break
            self._learn(self._mistaken(unit))
            try:
                again = self.unit(behind)
                if refuse_redefined((error.spelling for error in errors(again)), self.known):
                    again = self.unit(behind)
                left = relevant(again)
            except FrontendError:  # the declarations are more than libclang can take
                self.known = kept
                break
            if _lines(left) > _lines(found):
                self.known = kept
                break
            self._place([*found, *around])
            unit, found = again, left
        return unit

    def _place(self, found: Iterable[Any]) -> None:
        """Note where the names that errors quote are complained of first."""
        for error in found:
            location = error.location
            place = (location.file.name if location.file else self.path, location.line, location.column)
            for quoted in _QUOTED.findall(error.spelling):
                for name in _WORD.findall(quoted):
                    self.places.setdefault(name, place)
            self.places.setdefault("", place)

    def inside(self, unit: TranslationUnit, extents: Extents) -> list[Any]:
        """The errors at these places and in the file's own lines that matter."""
        own = self._own(unit)
        places: dict[str, list[tuple[int, int]]] = {}
        for file, first, last in extents:
            places.setdefault(file, []).append((first, last))
        seen = {_key(error) for error in own}
        return own + [
            error
            for error in self._written(unit)
            if _key(error) not in seen
            and any(a <= error.location.line <= b for a, b in places.get(error.location.file.name, ()))
        ]

    def _around(self, unit: TranslationUnit) -> list[Any]:
        """The errors in the user's headers that hold device code."""
        return [
            error
            for error in self._written(unit)
            if error.location.file.name != self.path and self._holds_device_code(error.location.file.name)
        ]

    def _mistaken(self, unit: TranslationUnit) -> list[Any]:
        """The errors that say of what was taken for a namespace that it is a type."""
        said = {f"unknown type name '{name}'" for name in self.known.top.inner}
        return [error for error in self._written(unit) if error.spelling in said]

    def _holds_device_code(self, file: str) -> bool:
        found = self._device.get(file)
        if found is None:
            found = self._device[file] = _CUDA.search(self._text(file)) is not None
        return found

    def _written(self, unit: TranslationUnit) -> list[Any]:
        """The errors in the user's files."""
        return [
            e for e in errors(unit) if e.location.file is not None and not e.location.file.name.startswith(str(INCLUDE))
        ]

    def _own(self, unit: TranslationUnit) -> list[Any]:
        """The errors of the file itself that are not inside of a host function that launches nothing."""
        written = self._written(unit)
        if not written:
            return []
        locations = Locations(self.path, self.text)
        locations.take(self.fragments, unit)
        own = [e for e in written if e.location.file.name in locations.own]
        aliases = [e for e in written if e.location.file.name not in locations.own and self._names_alias(e)]
        hosts = self._hosts(unit, locations) if own else []
        return [e for e in own if not any(_holds(span, e) for span in hosts)] + aliases

    def _is_later(self, error: Any) -> bool:
        """Whether an error stands where the source is written in C++20, or says so."""
        if _BEFORE in error.spelling:
            return True
        line = error.location.line
        return any(map(_LATER.search, self._lines_of(error)[max(0, line - 2) : line + 1]))

    def _names_alias(self, error: Any) -> bool:
        """Whether an error in a header spoils a type name that the file itself uses."""
        if not _TYPE.match(error.spelling):
            return False
        alias = _ALIAS.search(self._line(error))
        return alias is not None and re.search(rf"\b{alias.group(1) or alias.group(2)}\b", self.text) is not None

    def _hosts(self, unit: TranslationUnit, locations: Locations) -> list[Span]:
        """Where host functions that launch nothing stand; their bodies alone where the head holds a macro."""
        is_definition = library().clang_isCursorDefinition
        found = []
        scopes = [unit.cursor]
        while scopes:
            for cursor in direct_children(scopes.pop()):
                if not locations.is_own(cursor):
                    continue
                if cursor._kind_id in _SCOPES:
                    scopes.append(cursor)
                elif cursor._kind_id in _FUNCTIONS and is_definition(cursor):
                    if _DEVICE & {child._kind_id for child in direct_children(cursor)}:
                        continue
                    span = locations.span(cursor)
                    text = locations.text(span)
                    if not _LAUNCHES.search(text):
                        head = _HEAD_MACRO.search(text.partition("{")[0])
                        start = text.find("{") if head is not None else 0
                        line = span.line + text.count("\n", 0, start)
                        column = span.column + start if line == span.line else start - text.rfind("\n", 0, start)
                        found.append(replace(span, line=line, column=column))
        return found

    def _learn(self, found: Iterable[Any]) -> bool:
        return read_complaints([self._complaint(error) for error in found], self.known)

    def _complaint(self, error: Any) -> Complaint:
        location = error.location
        text = self._text(location.file.name)
        offset: int = location.offset
        if not text.isascii():
            offset = len(text.encode()[:offset].decode(errors="replace"))
        code = self._code.get(location.file.name)
        if code is None:
            code = self._code[location.file.name] = without_comments(text)
        return Complaint(error.spelling, code, offset if offset <= len(code) else None, error.instance)

    def _text(self, file: str) -> str:
        if file == self.path:
            return self.text
        if file not in self._texts:
            try:
                changed = text_of(file)
                self._texts[file] = Path(file).read_text("utf-8", "replace") if changed is None else changed
            except OSError:
                self._texts[file] = ""
        return self._texts[file]


def _holds(span: Span, error: Any) -> bool:
    place = (error.location.line, error.location.column)
    inside = (span.line, span.column) <= place < (span.end_line, span.end_column)
    return inside and error.location.file.name == span.file


def _key(error: Any) -> tuple[str, int, str]:
    return error.location.file.name, error.location.offset, error.spelling


def _lines(found: Iterable[Any]) -> int:
    return len({(error.location.file.name, error.location.line) for error in found})
