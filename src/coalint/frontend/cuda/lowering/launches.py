"""Which host functions reach a kernel launch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.trees import descendants
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.cursors import declaration_key, is_kernel
from coalint.frontend.cuda.lowering.gpu.launch_calls import LAUNCHERS

MAX_DEPTH = 16  # of host functions that call one another around a launch

_CALLS = kinds.CALL_EXPR
_LAUNCHES = frozenset(LAUNCHERS) | {"cudaConfigureCall"}
_NAMES = kinds.DECL_REF_EXPR
_OVERLOADED = kinds.OVERLOADED_DECL_REF
_NAMED = frozenset({_CALLS, _OVERLOADED, _NAMES})
_FUNCTIONS = frozenset({kinds.FUNCTION_DECL, kinds.CXX_METHOD, kinds.CONSTRUCTOR, kinds.FUNCTION_TEMPLATE})


class LaunchFinder:
    """Remembers for each function whether a launch is in it or in what it calls."""

    def __init__(self, low: Context) -> None:
        self.low = low
        self.lib = library()
        self._known: dict[str, bool] = {}
        self._calls: dict[str, _Calls] = {}

    def reaches_launch(self, cursor: Any, depth: int = 0) -> bool:
        """Whether a function, or one that it calls within the file, launches a kernel."""
        key = declaration_key(cursor)
        reaches = self._known.get(key)
        if reaches is None:
            self._known[key] = False
            reaches = self._known[key] = self._search(cursor, depth)
        return reaches

    def called(self, cursor: Any) -> list[Any]:
        """Return the functions and templates that a function calls or names, by name where it is a template itself."""
        return list(self._calls_of(cursor).called.values())

    def _search(self, cursor: Any, depth: int) -> bool:
        calls = self._calls_of(cursor)
        if calls.launches or depth >= MAX_DEPTH:
            return calls.launches
        return any(
            definition is not None and self.is_host_code(definition) and self.reaches_launch(definition, depth + 1)
            for _, definition in self.definitions(cursor)
        )

    def definitions(self, cursor: Any) -> Iterator[tuple[Any, Any]]:
        """Yield the functions and templates that a function calls or names, each with its definition, or None."""
        for target in self._calls_of(cursor).called.values():
            definition = self.lib.clang_getCursorDefinition(target)
            if definition is not None:
                definition._tu = cursor._tu
            yield target, definition

    def is_host_code(self, definition: Any) -> bool:
        """Whether the host may run what a function does: a kernel, of which there may be hundreds of instances, not."""
        return not self.low.is_bundled(definition) and not is_kernel(definition)

    def _calls_of(self, cursor: Any) -> _Calls:
        key = declaration_key(cursor)
        calls = self._calls.get(key)
        if calls is None:
            calls = self._calls[key] = _Calls()
            for named in descendants(cursor, _NAMED):  # what is named may be called through a pointer
                calls.add(named)
        return calls


class _Calls:
    """What a function's body calls, and whether one of the calls is a launch."""

    def __init__(self) -> None:
        self.lib = library()
        self.launches = False
        self.called: dict[str, Any] = {}
        self._met: set[int | None] = set()

    def add(self, cursor: Any) -> None:
        """Take note of a call, or of the functions that a name in a template may mean."""
        if cursor._kind_id == _OVERLOADED:
            for position in range(self.lib.clang_getNumOverloadedDecls(cursor)):
                self._target(self.lib.clang_getOverloadedDecl(cursor, position))
            return
        target = self.lib.clang_getCursorReferenced(cursor)
        if target is None or (declaration := target.data[0]) in self._met:
            return
        self._met.add(declaration)
        self._target(target)
        if target.spelling in _LAUNCHES:
            self.launches = True

    def _target(self, target: Any) -> None:
        if target is not None and target._kind_id in _FUNCTIONS:
            self.called[declaration_key(target)] = target
