"""Which host functions reach a kernel launch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clang.cindex import CursorKind as K

from coalint.frontend.clang import Node, library, tree
from coalint.frontend.lower import declaration_key

if TYPE_CHECKING:
    from coalint.frontend.lower import Lowering

MAX_DEPTH = 4  # of host functions that call one another around a launch

_CALLS = K.CALL_EXPR.value
_FUNCTIONS = frozenset({K.FUNCTION_DECL.value, K.CXX_METHOD.value, K.CONSTRUCTOR.value})


class LaunchFinder:
    """Remembers for each function whether a launch is in it or in what it calls."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.lib = library()
        self._known: dict[str, bool] = {}

    def reaches_launch(self, cursor: Any, depth: int = 0) -> bool:
        """Whether a function, or one that it calls within the file, launches a kernel."""
        key = declaration_key(cursor)
        found = self._known.get(key)
        if found is None:
            self._known[key] = False
            found = self._known[key] = self._search(tree(cursor), depth)
        return found

    def _search(self, node: Node, depth: int) -> bool:
        pending = [node]
        called: dict[str, Any] = {}
        while pending:
            current = pending.pop()
            pending.extend(current.children)
            if current.kind != _CALLS:
                continue
            if any(
                child.kind == _CALLS and child.cursor.spelling == "cudaConfigureCall" for child in current.children[:2]
            ):
                return True
            target = self.lib.clang_getCursorReferenced(current.cursor)
            if target is not None and target._kind_id in _FUNCTIONS:
                called[declaration_key(target)] = target
        if depth >= MAX_DEPTH:
            return False
        for target in called.values():
            definition = self.lib.clang_getCursorDefinition(target)
            if definition is None:
                continue
            if not self.low.is_bundled(definition) and self.reaches_launch(target, depth + 1):
                return True
        return False
