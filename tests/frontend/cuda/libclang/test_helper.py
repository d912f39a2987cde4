"""The helper in C gives what `clang.cindex` gives: each attribute, each function, and all that is found with them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from ctypes import c_void_p, cast
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest
from amounts import quarter
from checkout import ROOT
from clang.cindex import Config, Cursor, CursorKind, TranslationUnit, Type, TypeKind, conf, functionList
from compiled_helper import compiled_helper
from project import shared_headers

from coalint.frontend.cuda.libclang import cursor_numbers, trees
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.compiled import HELPER
from coalint.frontend.cuda.libclang.parse import parse

SOURCE = """
template <typename T> __device__ T twice(T value) { return value + value; }
template <int N> struct Row { float cells[N]; int width : 3; };
struct Pair { int first; volatile float second; const char *name; static int count; };
enum Size { small = 3, large = 1 << 20 };
namespace { int hidden; }
__global__ void k(float *__restrict__ a, Pair p, const Row<4> &row) {  // ünicode
    auto add = [&](float x) { return x + row.cells[1]; };
    for (int i = 0; i < large; i++) a[threadIdx.x] = twice(a[0]) + p.first * add(1.5f);
}
template <> __device__ int twice(int value) { return 2 * value; }
struct Virtual { virtual int run() { return sizeof(Pair); } };
int host(Virtual *v) { k<<<1, 32>>>(nullptr, Pair(), Row<4>()); return v->run() + -small; }
"""
CURSORS = ("kind", "_kind_id", "data", "xdata", "spelling", "hash", "displayname", "mangled_name", "storage_class")
CURSORS_OF = ("semantic_parent", "lexical_parent", "canonical", "referenced")
TYPES_OF = ("type", "result_type")
TRUTHS = ("is_definition", "is_bitfield", "is_anonymous", "is_const_method", "is_static_method", "get_usr")
TYPE = ("kind", "_kind_id", "spelling", "element_count")
TYPE_METHODS = ("is_const_qualified", "is_volatile_qualified", "is_restrict_qualified")
SIZED = frozenset({TypeKind.INT, TypeKind.FLOAT, TypeKind.POINTER, TypeKind.ENUM})  # for others libclang may crash
TYPES = ("get_canonical", "get_pointee", "get_result", "get_array_element_type", "get_named_type")


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled_helper(tmp_path_factory.mktemp("helper"))


@pytest.fixture(scope="module")
def helper(module: Path) -> Any:
    """The helper that the package is built with, whose cursors are then all around; else the one compiled here."""
    if HELPER is not None:
        return HELPER
    loader = ExtensionFileLoader("helper", str(module))
    spec = spec_from_loader("helper", loader)
    assert spec is not None
    loaded: Any = module_from_spec(spec)
    loader.exec_module(loaded)
    addresses = {name: cast(library()[name], c_void_p).value for name in loaded.names()}
    loaded.bind(addresses, Cursor, Type, CursorKind.from_id, TypeKind.from_id)
    return loaded


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> TranslationUnit:
    path = tmp_path_factory.mktemp("source") / "k.cu"
    path.write_text(SOURCE)
    return parse(str(path))


@pytest.fixture(scope="module")
def cursors(unit: TranslationUnit) -> list[Any]:
    """Each cursor of the source and the types that it names, as `clang.cindex` has them."""
    plain = [_plain(cursor) for cursor in _below(unit.cursor, unit.spelling)]
    assert len(plain) > 150
    return plain


def _below(cursor: Any, path: str) -> Iterator[Any]:
    for child in cursor.get_children():
        if child.location.file is not None and child.location.file.name == path:
            yield child
            yield from _below(child, path)


def _plain(cursor: Any) -> Any:
    copy: Any = Cursor.from_buffer_copy(getattr(cursor, "_as_parameter_", cursor))
    copy._tu = cursor._tu
    return copy


def value(of: Any, name: str) -> Any:
    """Return an attribute, or what it raises, of which all that matters is that it does."""
    try:
        found = getattr(of, name)
        return found() if callable(found) else tuple(found) if name == "data" else found
    except Exception:
        return Exception


def test_cursors_have_the_attributes_of_cindex(helper: Any, cursors: list[Any]) -> None:
    for cursor in cursors:
        quick = helper.of_plain(cursor)
        assert type(quick) is not Cursor
        assert quick == cursor
        assert cursor == quick
        assert (quick != cursor) is False
        assert hash(quick) == hash(cursor)
        assert quick.translation_unit is cursor._tu
        assert (quick.location.line, quick.extent.end.column) == (cursor.location.line, cursor.extent.end.column)
        for name in (*CURSORS, *TRUTHS):
            assert value(quick, name) == value(cursor, name), name
        for name in (*CURSORS_OF, *TYPES_OF):
            assert value(quick, name) == value(cursor, name), name
        assert list(quick.get_children()) == list(cursor.get_children())
        assert [token.spelling for token in quick.get_tokens()] == [token.spelling for token in cursor.get_tokens()]


def test_types_have_the_attributes_of_cindex(helper: Any, cursors: list[Any]) -> None:
    seen = set()
    for cursor in cursors:
        plain = _types(cursor)
        for type_ in plain:
            quick = helper.of_plain(type_)
            assert quick == type_
            assert quick._tu is cursor._tu
            assert tuple(quick.data) == tuple(type_.data)
            for name in (*TYPE, *TYPE_METHODS, *TYPES, "get_declaration"):
                assert value(quick, name) == value(type_, name), name
            for name in ("get_size", "get_align") if type_.kind in SIZED else ():
                assert value(quick, name) == value(type_, name) > 0, name
            seen.add(type_.kind)
    assert {TypeKind.POINTER, TypeKind.RECORD, TypeKind.CONSTANTARRAY, TypeKind.LVALUEREFERENCE} <= seen


def _types(cursor: Any) -> list[Any]:
    function = conf.lib["clang_getCursorType"]
    function.argtypes, function.restype = [Cursor], Type
    type_: Any = function(cursor)
    type_._tu = cursor._tu
    found = [type_]
    for name in ("clang_getCanonicalType", "clang_getPointeeType"):
        function = conf.lib[name]
        function.argtypes, function.restype = [Type], Type
        other: Any = function(type_)
        other._tu = cursor._tu
        found.append(other)
    return found


def test_functions_give_what_libclang_gives_for_cursors_of_both_kinds(helper: Any, cursors: list[Any]) -> None:
    declared = {entry[0]: (entry[1], entry[2]) for entry in functionList if len(entry) > 2}
    tried = 0
    for name in (name for name in helper.names() if hasattr(helper, name) and name in declared):
        parameters, result = declared[name]
        if parameters != [Cursor] or result in (Cursor, Type) or "String" in str(result):
            continue
        tried += 1
        function = conf.lib[name]
        function.argtypes, function.restype = parameters, result
        for cursor in cursors:
            wanted = function(cursor)
            quick = helper.of_plain(cursor)
            assert getattr(helper, name)(cursor) == wanted
            assert getattr(helper, name)(quick) == wanted
            assert function(quick) == wanted  # what ctypes is given
    assert tried >= 9


def test_places_and_visits_are_those_of_the_walk_in_python(helper: Any, cursors: list[Any]) -> None:
    kinds = frozenset({CursorKind.CALL_EXPR.value, CursorKind.DECL_REF_EXPR.value})
    lambdas = 0
    for cursor in cursors:
        assert helper.extent_numbers(cursor) == cursor_numbers._extent_numbers(cursor)
        assert helper.location_number(cursor) == cursor_numbers._location_number(cursor)
        assert helper.file_handle(cursor) == cursor_numbers._file_handle(cursor)
        assert helper.is_in_main_file(cursor) == cursor_numbers._is_in_main_file(cursor)
        assert helper.direct_children(cursor) == trees._direct_children(cursor)
        assert helper.descendants(cursor, kinds) == trees._descendants(cursor, kinds)
        quick, slow = helper.tree(cursor, trees.CursorNode), trees._tree(cursor)
        assert _as_text(quick) == _as_text(slow)
        lambdas += cursor.kind == CursorKind.LAMBDA_EXPR
    assert lambdas


def _as_text(node: trees.CursorNode) -> str:
    return f"{node.kind} {node.cursor.hash} ({' '.join(map(_as_text, node.children))})"


def test_a_copy_holds_the_unit_that_it_is_given(helper: Any, cursors: list[Any]) -> None:
    quick = helper.of_plain(cursors[0])
    bare = quick.with_unit(None)
    assert bare == quick
    assert not hasattr(bare, "_tu")
    assert bare.with_unit(quick._tu)._tu is quick._tu


@pytest.mark.parametrize("wrong", [None, 3, "cursor"])
def test_what_is_no_cursor_is_refused(helper: Any, cursors: list[Any], wrong: object) -> None:
    for call in (helper.clang_getCursorType, helper.clang_getCanonicalType, helper.direct_children):
        with pytest.raises(TypeError):
            call(wrong)
    assert helper.of_plain(cursors[0]) != wrong
    with pytest.raises(TypeError):
        type(helper.of_plain(cursors[0]))()


def result_of(run: str, *arguments: str, module: Path | None, folder: Path = ROOT) -> str:
    """What code prints in a process of its own, with the helper or without it."""
    code = "import sys, coalint.frontend.cuda.libclang as package\n"
    code += "" if module is None else f"package.__path__.append({str(module.parent)!r})\n"
    code += "from coalint.frontend.cuda.libclang.compiled import HELPER\n"
    code += f"assert (HELPER is None) is {module is None}\n{run}"
    environment = {**os.environ, "COALINT_PURE": "1", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def reported(folder: Path, *paths: str, module: Path | None = None) -> Any:
    """All that `coalint inspect` says of files."""
    run = "from coalint.cli.main import main\nsys.exit(main(sys.argv[1:]))\n"
    arguments = ["inspect", "--no-cache", "-j1", "--output-format", "json", *paths]
    report = json.loads(result_of(run, *arguments, module=module, folder=folder))
    report.pop("seconds", None)
    return report


LOADED = """
import hashlib, re
from coalint.frontend.cuda.load import load

for path in sys.argv[2:]:
    numbers = {}
    keys = lambda found: str(numbers.setdefault(found[0], len(numbers)))
    text = re.sub(r"'[0-9]{9,}'|[0-9]{12,}", keys, repr(load(path, headers=sys.argv[1])))
    print(path, len(text), hashlib.sha256(text.encode()).hexdigest())
"""
"""Prints what stands for all that is loaded of each file: keys are addresses, and numbered in their order."""


def loaded(*paths: str, module: Path | None = None) -> list[str]:
    return result_of(LOADED, shared_headers(), *paths, module=module).splitlines()


def test_a_file_with_much_of_the_language_is_analysed_the_same(module: Path, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(SOURCE)
    report = reported(tmp_path, "k.cu", module=module)
    assert report["kernels"]
    assert report == reported(tmp_path, "k.cu")


@pytest.mark.slow
def test_files_are_loaded_the_same(module: Path) -> None:
    folders = ("fixtures", "tests/frontend/cuda/vocabulary", "benchmarks")
    paths = quarter(sorted(str(path.relative_to(ROOT)) for folder in folders for path in (ROOT / folder).rglob("*.cu")))
    made = loaded(*paths, module=module)
    assert len(made) == len(paths) > 22
    assert made == loaded(*paths)


def test_no_helper_is_found_where_only_sources_are_run() -> None:
    assert Config.loaded
    code = "from coalint.frontend.cuda.libclang.compiled import HELPER; print(HELPER)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "COALINT_PURE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "None"
