"""Which of a parse's errors matter: those of the file's own lines and of the headers that hold device code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from clang.cindex import CursorKind as K
from clang.cindex import TranslationUnit

from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.libclang.outermost import own_declarations
from coalint.frontend.cuda.libclang.trees import direct_children
from coalint.frontend.cuda.repair.repaired_file import RepairedFile, key, written
from coalint.frontend.cuda.repair.switches import REFUSAL
from coalint.frontend.cuda.templates.instances import lines_behind

_SCOPES = frozenset(
    kind.value
    for kind in (K.NAMESPACE, K.LINKAGE_SPEC, K.UNEXPOSED_DECL, K.STRUCT_DECL, K.CLASS_DECL, K.CLASS_TEMPLATE)
)
_FUNCTIONS = frozenset(
    kind.value
    for kind in (K.FUNCTION_DECL, K.FUNCTION_TEMPLATE, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION)
)
_DEVICE = frozenset({kinds.CUDAGLOBAL_ATTR, kinds.CUDADEVICE_ATTR})
_LAUNCHES = re.compile(r"<<<|\bcudaLaunch")
_HEAD_MACRO = re.compile(r"\b_*[A-Z][A-Z0-9_]+\b")
_TYPE = re.compile(r"unknown type name|no type named|no template named|use of undeclared identifier|no member named")
_ALIAS = re.compile(r"\btypedef\b.*?(\w+)\s*;|\busing\s+(\w+)\s*=")

_WORD = re.compile(r"\w+")

_Place = tuple[int, int]
_Hosts = dict[str, list[tuple[_Place, _Place]]]
"""Where functions begin and end, by file, each once."""

_known_hosts: WeakKeyDictionary[TranslationUnit, dict[tuple[str, ...], _Hosts]] = WeakKeyDictionary()

Extents = Sequence[tuple[str, int, int]]
"""Files with first and last lines."""


def inside(file: RepairedFile, unit: TranslationUnit, extents: Extents) -> list[Any]:
    """Return the errors at these places and in the file's own lines that matter."""
    own = own_errors(file, unit)
    places: dict[str, list[tuple[int, int]]] = {}
    for name, first, last in extents:
        places.setdefault(name, []).append((first, last))
    seen = {key(error) for error in own}
    return own + [
        error
        for error in written(unit)
        if key(error) not in seen
        and any(a <= error.location.line <= b for a, b in places.get(error.location.file.name, ()))
    ]


def own_errors(file: RepairedFile, unit: TranslationUnit) -> list[Any]:
    """Return the errors of the file itself that are not inside of a host function that launches nothing."""
    everywhere = written(unit)
    if not everywhere:
        return []
    locations = Locations(file.path, file.text)
    locations.take(file.fragments, unit)
    own = [e for e in everywhere if e.location.file.name in locations.own]
    aliases = [e for e in everywhere if e.location.file.name not in locations.own and _names_alias(file, e)]
    hosts = idle_hosts(file, unit) if own else {}
    return [e for e in own if not _is_inside(hosts, e)] + aliases


def errors_of_text(file: RepairedFile, unit: TranslationUnit) -> list[Any]:
    """Return the `own_errors` that the text has without the instances that a probe names."""
    return _without_probes(file, unit, own_errors(file, unit))


def _without_probes(file: RepairedFile, unit: TranslationUnit, errors: list[Any]) -> list[Any]:
    """Return those of the errors that no line after the text asks for."""
    if not file.probe_of(unit).lines:
        return errors
    last = file.text.count("\n") + 1
    return [error for error in errors if all(line <= last for line in lines_behind(error, file.path))]


def around(file: RepairedFile, unit: TranslationUnit) -> list[Any]:
    """Return the errors in the user's headers that hold device code."""
    return [
        error
        for error in written(unit)
        if error.location.file.name != file.path and file.holds_device_code(error.location.file.name)
    ]


def at_all(file: RepairedFile, unit: TranslationUnit) -> list[Any]:
    """Return the errors of the file itself, those in host functions that launch nothing included, and each `#error`."""
    own, everywhere = own_errors(file, unit), written(unit)
    whole = [*own, *(e for e in everywhere if e.location.file.name == file.path or is_refusal(file, e))]
    return _without_probes(file, unit, whole)


def is_refusal(file: RepairedFile, error: Any) -> bool:
    """Whether an error is one that an `#error` asks for."""
    return any(map(REFUSAL.match, file.lines_of(error)[error.location.line - 1 : error.location.line]))


def _names_alias(file: RepairedFile, error: Any) -> bool:
    """Whether an error in a header spoils a type name that the file itself uses."""
    if not _TYPE.match(error.spelling):
        return False
    alias = _alias(file.line_of(error))
    return alias is not None and alias in _words(file.text)


@lru_cache(maxsize=256)
def _alias(line: str) -> str | None:
    """Return the name that a line gives to a type, for the many errors of a long line at once."""
    alias = _ALIAS.search(line)
    return None if alias is None else alias.group(1) or alias.group(2)


@lru_cache(maxsize=4)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def idle_hosts(file: RepairedFile, unit: TranslationUnit) -> _Hosts:
    """Return where host functions that launch nothing begin and end, by line and column, in the file's own text."""
    locations = Locations(file.path, file.text)
    locations.take(file.fragments, unit)
    return _hosts_of(unit, locations)


def _hosts_of(unit: TranslationUnit, locations: Locations) -> _Hosts:
    """Return the same as `_hosts`, from one walk over the unit's declarations however often it is asked."""
    key = tuple(locations.own)
    known = _known_hosts.setdefault(unit, {})
    if key not in known:
        known[key] = _hosts(unit, locations)
    return known[key]


def _hosts(unit: TranslationUnit, locations: Locations) -> _Hosts:
    """Return where host functions that launch nothing stand; their bodies alone where the head holds a macro.

    The instances of a template, of which there may be thousands, stand where it does.
    """
    is_definition = library().clang_isCursorDefinition
    hosts: _Hosts = {}
    met: set[Span] = set()
    inside = [own_declarations(unit, locations)]
    while inside:
        for cursor in filter(locations.is_own, inside.pop()):
            if cursor._kind_id in _SCOPES:
                inside.append(direct_children(cursor))
            elif cursor._kind_id in _FUNCTIONS and is_definition(cursor):
                span = locations.span(cursor)
                if span in met or _DEVICE & {child._kind_id for child in direct_children(cursor)}:
                    continue
                met.add(span)
                text = locations.text(span)
                if not _LAUNCHES.search(text):
                    hosts.setdefault(span.file, []).append((_begin(span, text), (span.end_line, span.end_column)))
    return hosts


def _begin(span: Span, text: str) -> _Place:
    """Return where the part of a host function begins in which errors do not matter: all of it, or its body."""
    head = _HEAD_MACRO.search(text.partition("{")[0])
    start = text.find("{") if head is not None else 0
    line = span.line + text.count("\n", 0, start)
    return line, span.column + start if line == span.line else start - text.rfind("\n", 0, start)


def _is_inside(hosts: _Hosts, error: Any) -> bool:
    place = (error.location.line, error.location.column)
    return any(begin <= place < end for begin, end in hosts.get(error.location.file.name, ()))


def count_lines(errors: Iterable[Any]) -> int:
    """Return on how many lines the errors stand."""
    return len({(error.location.file.name, error.location.line) for error in errors})
