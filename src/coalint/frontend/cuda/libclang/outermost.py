"""The declarations outside of all scopes in a unit's own files: a unit has hundreds more of headers and macros."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from clang.cindex import CursorKind, TranslationUnit

from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.libclang.trees import direct_children, with_unit

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
        by_files[files] = [with_unit(cursor, None) for cursor in _found(unit, locations)]
    return [with_unit(cursor, unit) for cursor in by_files[files]]


def _found(unit: TranslationUnit, locations: Locations) -> list[Any]:
    declared = (cursor for cursor in direct_children(unit.cursor) if cursor._kind_id not in _PREPROCESSING)
    return [cursor for cursor in declared if locations.is_own(cursor)]
