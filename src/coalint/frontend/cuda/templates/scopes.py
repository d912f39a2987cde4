"""What names in an attribute of a function stand for: constants and functions of the scopes around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.trees import direct_children

_SCOPES = frozenset({kinds.NAMESPACE, kinds.STRUCT_DECL, kinds.CLASS_DECL, kinds.ENUM_DECL})
_CONSTANTS = frozenset({kinds.VAR_DECL, kinds.ENUM_CONSTANT_DECL})
_FUNCTIONS = frozenset({kinds.FUNCTION_DECL, kinds.CXX_METHOD})


class Scopes:
    """The declarations of one translation unit; they are listed once, when the first name is asked for."""

    def __init__(self, unit: Any) -> None:
        self._unit = unit

    @cached_property
    def top(self) -> dict[str, list[Any]]:
        """The outermost declarations by their names; under an empty one what holds names without one of its own."""
        declared: dict[str, list[Any]] = {}
        for cursor in direct_children(self._unit.cursor):
            unnamed = cursor._kind_id in _SCOPES and cursor.is_anonymous()
            enumerates = cursor._kind_id == kinds.ENUM_DECL
            declared.setdefault("" if unnamed or enumerates else cursor.spelling, []).append(cursor)
        return declared

    def constant(self, path: list[str], cursor: Any) -> Any:
        """Return the constant that a qualified name stands for in a declaration of the function `cursor`, or None."""
        for declared in self._around(path, cursor):
            found = member(declared, path)
            if found is not None:
                return found
        return None

    def function(self, path: list[str], count: int, cursor: Any) -> Any:
        """Return the one function of so many parameters that a qualified name stands for there.

        None where there is none, or several that only the arguments' types tell apart.
        """
        for declared in self._around(path, cursor):
            found = {
                function.canonical.hash: function
                for function in _functions(declared, path)
                if sum(1 for _ in function.get_arguments()) == count
            }
            if found:
                return next(iter(found.values())) if len(found) == 1 else None
        return None

    def _around(self, path: list[str], cursor: Any) -> Iterator[list[Any]]:
        """Yield the declarations of each scope around a function, the innermost first."""
        scope = cursor.semantic_parent
        while scope is not None and scope._kind_id != kinds.TRANSLATION_UNIT:
            yield direct_children(scope)
            scope = scope.semantic_parent
        yield [*self.top.get(path[0], ()), *self.top.get("", ())]


def member(declared: Iterable[Any], path: list[str]) -> Any:
    """Return the constant that a qualified name stands for; enumerations and unnamed scopes are looked into."""
    for child in declared:
        if len(path) == 1 and child._kind_id in _CONSTANTS and child.spelling == path[0]:
            return child
        inside = child._kind_id in _SCOPES
        if inside and len(path) > 1 and child.spelling == path[0]:
            found = member(direct_children(child), path[1:])
        elif child._kind_id == kinds.ENUM_DECL or (inside and child.is_anonymous()):
            found = member(direct_children(child), path)
        else:
            continue
        if found is not None:
            return found
    return None


def _functions(declared: Iterable[Any], path: list[str]) -> Iterator[Any]:
    """Yield the functions that a qualified name may stand for, each of their declarations."""
    for child in declared:
        if child._kind_id in _SCOPES and child._kind_id != kinds.ENUM_DECL:
            if len(path) > 1 and child.spelling == path[0]:
                yield from _functions(direct_children(child), path[1:])
            elif child.is_anonymous():
                yield from _functions(direct_children(child), path)
        elif len(path) == 1 and child.spelling == path[0] and child._kind_id in _FUNCTIONS:
            yield child
