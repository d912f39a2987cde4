"""libclang's cursors as trees of nodes, read in one walk."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int, py_object
from typing import Any

from clang.cindex import Cursor, conf

from coalint.core.records import record
from coalint.frontend.cuda.libclang.bindings import INTO, NEXT
from coalint.frontend.cuda.libclang.compiled import HELPER
from coalint.frontend.cuda.libclang.cursor_kinds import LAMBDA_EXPR


@record(slots=True, eq=False)
class CursorNode:
    """A cursor with its children, as one recursive visit found them."""

    cursor: Any
    kind: int
    children: list[CursorNode]


Visitor = CFUNCTYPE(c_int, Cursor, Cursor, py_object)


class _Building:
    """A tree under construction: the nodes from its root to where the visit is, and what their cursors are known by."""

    __slots__ = ("keys", "stack", "unit")

    def __init__(self, root: CursorNode) -> None:
        self.stack: list[CursorNode] = [root]
        self.keys = [_key(root.cursor)]
        self.unit = root.cursor._tu


_NO_STATEMENT = 1


def _key(cursor: Any) -> tuple[int, int | None, int | None]:
    """Return what two cursors share that are one: kind and statement or, where there is none, kind and declaration.

    A statement's first datum is the declaration around it, which a lambda among its siblings confuses.
    """
    data = cursor.data
    statement = data[1]
    return cursor._kind_id, statement, data[0] if statement is None or statement == _NO_STATEMENT else None


def _collect(cursor: Any, parent: Any, building: _Building) -> int:
    stack, keys = building.stack, building.keys
    wanted = _key(parent)
    depth = len(keys) - 1
    while depth >= 0 and keys[depth] != wanted:
        depth -= 1
    if depth >= 0:  # else a child whose parent was not visited (what a lambda captures): it stays where it was met
        del stack[depth + 1 :], keys[depth + 1 :]
    cursor._tu = building.unit
    node = CursorNode(cursor, cursor._kind_id, [])
    stack[-1].children.append(node)
    if node.kind == LAMBDA_EXPR:
        return NEXT
    stack.append(node)
    keys.append(_key(cursor))
    return INTO


def _list(cursor: Any, _parent: Any, cursors: list[Any]) -> int:
    cursors.append(cursor)
    return NEXT


def _search(cursor: Any, _parent: Any, wanted: tuple[frozenset[int], list[Any]]) -> int:
    kinds, found = wanted
    if cursor._kind_id in kinds:
        found.append(cursor)
    return INTO


_collector = Visitor(_collect)
_lister = Visitor(_list)
_searcher = Visitor(_search)


def _tree(cursor: Any) -> CursorNode:
    root = CursorNode(cursor, cursor._kind_id, [])
    conf.lib.clang_visitChildren(cursor, _collector, _Building(root))
    return root


def _direct_children(cursor: Any) -> list[Any]:
    children: list[Any] = []
    conf.lib.clang_visitChildren(cursor, _lister, children)
    for child in children:
        child._tu = cursor._tu
    return children


def _descendants(cursor: Any, kinds: frozenset[int]) -> list[Any]:
    found: list[Any] = []
    conf.lib.clang_visitChildren(cursor, _searcher, (kinds, found))
    for one in found:
        one._tu = cursor._tu
    return found


def _quick_tree(cursor: Any) -> CursorNode:
    root: CursorNode = HELPER.tree(cursor, CursorNode)
    return root


tree: Callable[[Any], CursorNode] = _tree if HELPER is None else _quick_tree
"""Return the cursor with all that is below it, in one visit; what lambdas below it hold is left to their own trees."""

direct_children: Callable[[Any], list[Any]] = _direct_children if HELPER is None else HELPER.direct_children
"""Return the cursor's children, without theirs."""

descendants: Callable[[Any, frozenset[int]], list[Any]] = _descendants if HELPER is None else HELPER.descendants
"""Return the cursors of these kinds below a cursor, in the order of the source."""


def with_unit(cursor: Any, unit: Any | None) -> Any:
    """Return a copy of a cursor that holds another translation unit, or none, which lets go of it."""
    if not isinstance(cursor, Cursor):
        return cursor.with_unit(unit)
    copy = Cursor.from_buffer_copy(cursor)
    if unit is not None:
        copy._tu = unit
    return copy
