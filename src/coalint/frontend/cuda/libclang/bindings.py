"""libclang: translation units, fast cursor trees, and the few functions that its Python module does not wrap."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import (
    POINTER,
    Structure,
    c_double,
    c_int,
    c_longlong,
    c_size_t,
    c_uint,
    c_ulong,
    c_ulonglong,
    c_void_p,
    py_object,
)
from functools import cache
from typing import Any

from clang.cindex import (
    Cursor,
    Index,
    SourceLocation,
    TemplateArgumentKind,
    TranslationUnit,
    _CXString,
    c_object_p,
    conf,
)

from coalint.frontend.cuda.build.include_folders import INCLUDE
from coalint.frontend.cuda.libclang.compiled import HELPER, use_helper
from coalint.frontend.cuda.libclang.results import file_names, of_cursor, quicken

KEEP_GOING = 0x200
DETAILED_PREPROCESSING_RECORD = 0x1
OPTIONS = KEEP_GOING | DETAILED_PREPROCESSING_RECORD

_FLAGS = (
    "-x",
    "cuda",
    "--cuda-device-only",
    "-nocudainc",
    "-nocudalib",
    "-nostdinc",
    "-nostdinc++",
    "-std=c++17",
    "--cuda-gpu-arch=sm_80",
    "-ferror-limit=0",
    "-fno-spell-checking",  # else an unknown name is taken for one that looks like it
    "-fsyntax-only",
    "-Wno-everything",
    "-fno-access-control",  # a probe for a template may name what is private
    "-Xclang",
    "-fcuda-allow-variadic-functions",  # clang adds this only where it finds a CUDA toolkit
)
BASE = (*_FLAGS, f"-I{INCLUDE}")
"""coalint's own part of the command line, the forced header excepted."""

# The operators in libclang's order, from 1 (clang-c/Index.h, CXBinaryOperatorKind and CXUnaryOperatorKind).
BINARY = tuple("? .* ->* * / % + - << >> <=> < > <= >= == != & ^ | && || = *= /= %= += -= <<= >>= &= ^= |= ,".split())
UNARY = tuple("? p++ p-- ++p --p & * + - ~ !".split())


@cache
def index() -> Index:
    """Return the index that every translation unit of the process shares.

    It leaves out what a precompiled header declares.
    """
    return Index.create(excludeDecls=True)


def version() -> str:
    """Return libclang's own name for its version."""
    return str(library().clang_getClangVersion())


@cache
def library() -> Any:
    """Return libclang, with prototypes for what the Python module leaves out."""
    lib = conf.lib
    for name, parameters, result in _PROTOTYPES:
        function = getattr(lib, name)
        function.argtypes = parameters
        function.restype = result
    lib.clang_Cursor_getVarDeclInitializer.errcheck = of_cursor
    lib.clang_getClangVersion.errcheck = _CXString.from_result
    quicken(lib)
    if HELPER is not None:
        use_helper(lib)
    return lib


@cache
def file_name() -> Callable[[int], str | None]:
    """Return the function that gives the name of a file by what libclang knows it by."""
    return file_names(library())


class _Used(Structure):
    """CXTUResourceUsageEntry: bytes of a kind."""

    _fields_ = (("kind", c_int), ("amount", c_ulong))


class _Usage(Structure):
    """CXTUResourceUsage."""

    _fields_ = (("data", c_void_p), ("count", c_uint), ("entries", POINTER(_Used)))


_AST = 1  # CXTUResourceUsage_AST

_OUT = POINTER(c_uint)
_PROTOTYPES: tuple[tuple[str, list[Any], Any], ...] = (
    ("clang_getCursorBinaryOperatorKind", [Cursor], c_int),
    ("clang_getCursorUnaryOperatorKind", [Cursor], c_int),
    ("clang_Location_isFromMainFile", [SourceLocation], c_int),
    ("clang_getExpansionLocation", [SourceLocation, POINTER(c_void_p), _OUT, _OUT, _OUT], None),
    ("clang_getFileLocation", [SourceLocation, POINTER(c_void_p), _OUT, _OUT, _OUT], None),
    ("clang_Cursor_getVarDeclInitializer", [Cursor], Cursor),
    ("clang_Cursor_Evaluate", [Cursor], c_void_p),
    ("clang_Cursor_isDynamicCall", [Cursor], c_int),
    ("clang_EvalResult_getKind", [c_void_p], c_int),
    ("clang_EvalResult_getAsInt", [c_void_p], c_int),
    ("clang_EvalResult_getAsLongLong", [c_void_p], c_longlong),
    ("clang_EvalResult_getAsDouble", [c_void_p], c_double),
    ("clang_EvalResult_isUnsignedInt", [c_void_p], c_uint),
    ("clang_EvalResult_getAsUnsigned", [c_void_p], c_ulonglong),
    ("clang_EvalResult_dispose", [c_void_p], None),
    ("clang_getInclusions", [TranslationUnit, c_void_p, py_object], None),
    ("clang_getFileContents", [c_object_p, c_void_p, POINTER(c_size_t)], c_void_p),
    ("clang_getClangVersion", [], _CXString),
    ("clang_getCXTUResourceUsage", [TranslationUnit], _Usage),
    ("clang_disposeCXTUResourceUsage", [_Usage], None),
)


def ast_bytes(unit: TranslationUnit) -> int:
    """Return bytes that the syntax tree of a translation unit takes."""
    usage = library().clang_getCXTUResourceUsage(unit)
    try:
        return sum(usage.entries[i].amount for i in range(usage.count) if usage.entries[i].kind == _AST)
    finally:
        library().clang_disposeCXTUResourceUsage(usage)


NEXT, INTO = 1, 2  # what CXChildVisitResult says: on with what stands beside a cursor, or with what is below it


def template_argument_kind(cursor: Any, position: int) -> TemplateArgumentKind | None:
    """Return what a template argument of a function is.

    None for a pack, which libclang's Python module does not know.
    """
    try:
        kind = cursor.get_template_argument_kind(position)
    except ValueError:
        return None
    return kind if isinstance(kind, TemplateArgumentKind) else None
