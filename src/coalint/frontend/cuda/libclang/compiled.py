"""The compiled helper, where the package was built with it: libclang's cursors and types without ctypes.

Its objects have the attributes of those of `clang.cindex`, and functions take both, so that nothing else knows which
of them it is given. Without the helper all is done by `clang.cindex`, with the same results.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import c_void_p, cast
from typing import Any

from clang.cindex import Cursor, CursorKind, Type, TypeKind, functionList

try:
    from coalint.frontend.cuda.libclang import helper as _built
except ImportError:  # built without it, or COALINT_PURE is set
    HELPER: Any = None
else:
    HELPER = _built


def use_helper(lib: Any) -> None:
    """Have libclang's functions that the helper offers be the helper's, and the others give its objects."""
    addresses = {name: cast(getattr(lib, name), c_void_p).value for name in HELPER.names()}
    HELPER.bind(addresses, Cursor, Type, CursorKind.from_id, TypeKind.from_id)
    for name, _, result, *_ in (entry for entry in functionList if len(entry) == 4):
        if result in (Cursor, Type):
            function = getattr(lib, name)
            function.errcheck = _taken_over(function.errcheck)
    for name in addresses:
        if hasattr(HELPER, name):
            setattr(lib, name, getattr(HELPER, name))


def _taken_over(check: Callable[[Any, Any, Any], Any]) -> Callable[[Any, Any, Any], Any]:
    def checked(result: Any, function: Any, arguments: Any) -> Any:
        found = check(result, function, arguments)
        return None if found is None else HELPER.of_plain(found)

    return checked
