"""What libclang's functions return is what `clang.cindex` makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clang.cindex import Cursor, CursorKind, TranslationUnit, Type, _CXString, conf, functionList

from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.compiled import HELPER
from coalint.frontend.cuda.libclang.parse import parse

SOURCE = """
template <typename T> __device__ T twice(T value) { return value + value; }
struct Pair { int first; float second; };
namespace { int hidden; }
__global__ void k(float *a, Pair p) { a[threadIdx.x] = twice(a[0]) + p.first; }  // ünicode
"""
ORIGINAL = {name: (result, convert) for name, _, result, convert in (e for e in functionList if len(e) == 4)}


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> TranslationUnit:
    path = tmp_path_factory.mktemp("source") / "k.cu"
    path.write_text(SOURCE)
    return parse(str(path))


def cursors(cursor: Any, path: Path) -> Iterator[Any]:
    for child in cursor.get_children():
        if child.location.file is not None and Path(child.location.file.name) == path:
            yield child
            yield from cursors(child, path)


def as_cindex_has_it(name: str, argument: Any) -> Any:
    """Call a function as libclang's own module declares it."""
    function = conf.lib[name]
    function.argtypes = next(parameters for declared, parameters, *_ in functionList if declared == name)
    function.restype, function.errcheck = ORIGINAL[name]
    return function(argument)


@pytest.mark.parametrize(
    "name",
    [
        "clang_getCursorReferenced",
        "clang_getCursorDefinition",
        "clang_getSpecializedCursorTemplate",
        "clang_getCursorSemanticParent",
        "clang_getCanonicalCursor",
    ],
)
def test_cursors_are_the_same_and_none_where_there_is_none(name: str, unit: TranslationUnit) -> None:
    found = []
    for cursor in cursors(unit.cursor, Path(unit.spelling)):
        quick, slow = getattr(library(), name)(cursor), as_cindex_has_it(name, cursor)
        assert (quick is None) == (slow is None)
        if quick is not None:
            assert quick == slow
            assert quick.translation_unit is unit
        found.append(quick)
    assert any(cursor is not None for cursor in found)
    if name == "clang_getSpecializedCursorTemplate":
        assert None in found


def test_texts_and_types_are_the_same(unit: TranslationUnit) -> None:
    seen = set()
    for cursor in cursors(unit.cursor, Path(unit.spelling)):
        for name in ("clang_getCursorSpelling", "clang_getCursorUSR"):
            assert getattr(library(), name)(cursor) == as_cindex_has_it(name, cursor)
        quick = library().clang_getCursorType(cursor)
        assert quick == as_cindex_has_it("clang_getCursorType", cursor)
        assert quick.translation_unit is unit
        assert quick.spelling == as_cindex_has_it("clang_getTypeSpelling", quick)
        seen.add((cursor.kind, cursor.spelling))
    assert {(CursorKind.FUNCTION_DECL, "k"), (CursorKind.NAMESPACE, ""), (CursorKind.STRUCT_DECL, "Pair")} <= seen


def test_each_conversion_of_cindex_has_a_quick_one() -> None:
    for name, (result, _) in ORIGINAL.items():
        first = next(parameters for function, parameters, *_ in functionList if function == name)[0]
        function = getattr(library(), name)
        if result is _CXString or (result in (Cursor, Type) and first in (Cursor, Type)):
            converted = function if HELPER is not None and hasattr(HELPER, name) else function.errcheck
            assert str(converted.__module__).startswith("coalint.frontend.cuda.libclang."), name
