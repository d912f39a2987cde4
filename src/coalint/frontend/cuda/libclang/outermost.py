"""The declarations outside of all scopes in a unit's own files: a unit has hundreds more of headers and macros."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from clang.cindex import Cursor, CursorKind, TranslationUnit, conf

from coalint.frontend.cuda.libclang.bindings import NEXT
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.libclang.trees import Visitor

_PREPROCESSING = frozenset(
    kind.value
    for kind in (
        CursorKind.PREPROCESSING_DIRECTIVE,
        CursorKind.MACRO_DEFINITION,
        CursorKind.MACRO_INSTANTIATION,
        CursorKind.INCLUSION_DIRECTIVE,
    )
)

# Cursors that do not hold their unit, which would never be dropped then.
_known: WeakKeyDictionary[TranslationUnit, dict[tuple[str, ...], list[Any]]] = WeakKeyDictionary()


def own_declarations(unit: TranslationUnit, locations: Locations) -> list[Any]:
    """Return the outermost declarations in `locations.own`, in their order; found once for a unit and these files."""
    by_files = _known.setdefault(unit, {})
    files = tuple(locations.own)
    if files not in by_files:
        by_files[files] = [Cursor.from_buffer_copy(cursor) for cursor in _found(unit, locations)]
    return [_copy(cursor, unit) for cursor in by_files[files]]


def _found(unit: TranslationUnit, locations: Locations) -> list[Any]:
    declared: list[Any] = []
    conf.lib.clang_visitChildren(unit.cursor, _collector, declared)
    for cursor in declared:
        cursor._tu = unit
    return [cursor for cursor in declared if locations.is_own(cursor)]


def _copy(cursor: Any, unit: TranslationUnit) -> Any:
    copy = Cursor.from_buffer_copy(cursor)
    copy._tu = unit
    return copy


def _collect(cursor: Any, _parent: Any, declared: list[Any]) -> int:
    if cursor._kind_id not in _PREPROCESSING:
        declared.append(cursor)
    return NEXT


_collector = Visitor(_collect)
