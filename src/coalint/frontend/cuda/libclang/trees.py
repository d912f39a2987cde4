"""libclang's cursors as trees of nodes, read in one walk."""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    c_int,
    py_object,
)
from typing import Any

from clang.cindex import (
    Cursor,
    CursorKind,
    conf,
)

from coalint.core.records import record
from coalint.frontend.cuda.libclang.bindings import INTO, NEXT


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
_LAMBDA = CursorKind.LAMBDA_EXPR.value


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
    if node.kind == _LAMBDA:
        return NEXT
    stack.append(node)
    keys.append(_key(cursor))
    return INTO


def _list(cursor: Any, _parent: Any, cursors: list[Any]) -> int:
    cursors.append(cursor)
    return NEXT


_collector = Visitor(_collect)
_lister = Visitor(_list)


def tree(cursor: Any) -> CursorNode:
    """Return the cursor with all that is below it, in one visit.

    What lambdas below it hold is left to their own trees.
    """
    root = CursorNode(cursor, cursor._kind_id, [])
    conf.lib.clang_visitChildren(cursor, _collector, _Building(root))
    return root


def direct_children(cursor: Any) -> list[Any]:
    """Return the cursor's children, without theirs."""
    children: list[Any] = []
    conf.lib.clang_visitChildren(cursor, _lister, children)
    for child in children:
        child._tu = cursor._tu
    return children
