"""Host functions of headers that belong to the unit although none of its own functions calls them.

A function with external linkage that is not inline may be defined in one translation unit only (C++17 [basic.def.odr]),
so where a header defines one that launches kernels, the unit that includes it is where those kernels are launched.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from clang.cindex import LinkageKind, TranslationUnit

from coalint.core.source.boundary import is_shown
from coalint.frontend.cuda.build.kernel_marks import may_launch
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.inclusions import contents, inclusions
from coalint.frontend.cuda.libclang.locations import Locations, is_bundled
from coalint.frontend.cuda.libclang.trees import direct_children
from coalint.frontend.cuda.lowering.cursors import SCOPES

_FUNCTIONS = frozenset({kinds.FUNCTION_DECL, kinds.CXX_METHOD, kinds.CONSTRUCTOR})


def hosts_of_headers(unit: TranslationUnit, locations: Locations) -> Iterator[Any]:
    """Yield the definitions of such functions, of headers of the repository that may launch kernels."""
    headers = {
        name
        for name, handle in set(inclusions(unit))
        if name not in locations.own and not is_bundled(name) and may_launch(contents(unit, handle)) and is_shown(name)
    }
    if headers:
        yield from _defined(direct_children(unit.cursor), headers, locations)


def _defined(cursors: Iterable[Any], headers: Collection[str], locations: Locations) -> Iterator[Any]:
    lib = library()
    for cursor in cursors:
        kind = cursor._kind_id
        if kind in SCOPES and (locations.is_own(cursor) or locations.file(cursor) in headers):
            yield from _defined(direct_children(cursor), headers, locations)
        elif (
            kind in _FUNCTIONS
            and locations.file(cursor) in headers
            and lib.clang_isCursorDefinition(cursor)
            and not lib.clang_Cursor_isFunctionInlined(cursor)
            and cursor.linkage == LinkageKind.EXTERNAL
        ):
            yield cursor
