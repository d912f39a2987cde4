"""libclang: translation units, fast cursor trees, and the few functions that its Python module does not wrap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_int,
    c_longlong,
    c_size_t,
    c_uint,
    c_ulong,
    c_ulonglong,
    c_void_p,
    py_object,
)
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from clang.cindex import (
    Cursor,
    CursorKind,
    Diagnostic,
    Index,
    SourceLocation,
    TemplateArgumentKind,
    TranslationUnit,
    _CXString,
    c_object_p,
    conf,
)

from coalint.frontend.cuda.build.include_folders import INCLUDE

FORCED = "coalint_cuda.h"

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
)
BASE = (*_FLAGS, f"-I{INCLUDE}")
"""coalint's own part of the command line, the forced header excepted."""

# The operators in libclang's order, from 1 (clang-c/Index.h, CXBinaryOperatorKind and CXUnaryOperatorKind).
BINARY = tuple("? .* ->* * / % + - << >> <=> < > <= >= == != & ^ | && || = *= /= %= += -= <<= >>= &= ^= |= ,".split())
UNARY = tuple("? p++ p-- ++p --p & * + - ~ !".split())


@dataclass(slots=True, eq=False)
class Node:
    """A cursor with its children, as one recursive visit found them."""

    cursor: Any
    kind: int
    children: list[Node]


@cache
def index() -> Index:
    """The index that every translation unit of the process shares; it leaves out what a precompiled header declares."""
    return Index.create(excludeDecls=True)


def version() -> str:
    """libclang's own name for its version."""
    return str(library().clang_getClangVersion())


@cache
def library() -> Any:
    """libclang, with prototypes for what the Python module leaves out."""
    lib = conf.lib
    for name, parameters, result in _PROTOTYPES:
        function = getattr(lib, name)
        function.argtypes = parameters
        function.restype = result
    lib.clang_Cursor_getVarDeclInitializer.errcheck = Cursor.from_cursor_result
    lib.clang_getClangVersion.errcheck = _CXString.from_result
    return lib


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
    ("clang_getDiagnosticSetFromTU", [TranslationUnit], c_object_p),
    ("clang_getFileLocation", [SourceLocation, POINTER(c_void_p), _OUT, _OUT, _OUT], None),
    ("clang_Cursor_getVarDeclInitializer", [Cursor], Cursor),
    ("clang_Cursor_Evaluate", [Cursor], c_void_p),
    ("clang_Cursor_isDynamicCall", [Cursor], c_int),
    ("clang_EvalResult_getKind", [c_void_p], c_int),
    ("clang_EvalResult_getAsInt", [c_void_p], c_int),
    ("clang_EvalResult_getAsLongLong", [c_void_p], c_longlong),
    ("clang_EvalResult_isUnsignedInt", [c_void_p], c_uint),
    ("clang_EvalResult_getAsUnsigned", [c_void_p], c_ulonglong),
    ("clang_EvalResult_dispose", [c_void_p], None),
    ("clang_getFileContents", [c_object_p, c_void_p, POINTER(c_size_t)], c_void_p),
    ("clang_getClangVersion", [], _CXString),
    ("clang_getCXTUResourceUsage", [TranslationUnit], _Usage),
    ("clang_disposeCXTUResourceUsage", [_Usage], None),
)


def ast_bytes(unit: TranslationUnit) -> int:
    """Bytes that the syntax tree of a translation unit takes."""
    usage = library().clang_getCXTUResourceUsage(unit)
    try:
        return sum(usage.entries[i].amount for i in range(usage.count) if usage.entries[i].kind == _AST)
    finally:
        library().clang_disposeCXTUResourceUsage(usage)


Visitor = CFUNCTYPE(c_int, Cursor, Cursor, py_object)


class _Building:
    """A tree under construction: the nodes from its root to where the visit is, and what their cursors are known by."""

    __slots__ = ("keys", "stack", "unit")

    def __init__(self, root: Node) -> None:
        self.stack: list[Node] = [root]
        self.keys = [_key(root.cursor)]
        self.unit = root.cursor._tu


_NO_STATEMENT = 1
_LAMBDA = CursorKind.LAMBDA_EXPR.value
_NEXT, _INTO = 1, 2  # what CXChildVisitResult says: on with what stands beside a cursor, or with what is below it


def _key(cursor: Any) -> tuple[int, int | None, int | None]:
    """What two cursors share that are one: kind and statement or, where there is none, kind and declaration.

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
    node = Node(cursor, cursor._kind_id, [])
    stack[-1].children.append(node)
    if node.kind == _LAMBDA:
        return _NEXT
    stack.append(node)
    keys.append(_key(cursor))
    return _INTO


def _list(cursor: Any, _parent: Any, found: list[Any]) -> int:
    found.append(cursor)
    return _NEXT


_collector = Visitor(_collect)
_lister = Visitor(_list)


def tree(cursor: Any) -> Node:
    """The cursor with all that is below it, in one visit; what lambdas below it hold is left to their own trees."""
    root = Node(cursor, cursor._kind_id, [])
    conf.lib.clang_visitChildren(cursor, _collector, _Building(root))
    return root


def direct_children(cursor: Any) -> list[Any]:
    """The cursor's children, without theirs."""
    found: list[Any] = []
    conf.lib.clang_visitChildren(cursor, _lister, found)
    for child in found:
        child._tu = cursor._tu
    return found


def template_argument_kind(cursor: Any, position: int) -> TemplateArgumentKind | None:
    """What a template argument of a function is; None for a pack, which libclang's Python module does not know."""
    try:
        kind = cursor.get_template_argument_kind(position)
    except ValueError:
        return None
    return kind if isinstance(kind, TemplateArgumentKind) else None


class Source(NamedTuple):
    """A file by its name."""

    name: str


class Place(NamedTuple):
    """Where an error stands, as libclang's SourceLocation says it: line and column from 1, offset in bytes from 0."""

    file: Source | None
    line: int
    column: int
    offset: int


class Error(NamedTuple):
    """A diagnostic of severity error or worse, read once; `notes` are the places that its notes name.

    `instance` says of an undeclared name that an instance of a template lacks it, `grammar` that the text is no C++,
    whatever its names mean.
    """

    spelling: str
    location: Place
    notes: tuple[Place, ...]
    instance: bool = False
    grammar: bool = False


# Errors of the parser that hinge on what a name means.
_NAMES = (
    "expected namespace name",
    "expected class name",
    "expected concept name",
    "expected '(' for function-style cast",
)
_INSTANCE = "in instantiation of"
_errors: WeakKeyDictionary[TranslationUnit, tuple[Error, ...]] = WeakKeyDictionary()


def errors(unit: TranslationUnit) -> tuple[Error, ...]:
    """The diagnostics of severity error and worse."""
    found = _errors.get(unit)
    if found is None:
        found = _errors[unit] = tuple(_in_context(unit))
    return found


def _in_context(unit: TranslationUnit) -> Iterator[Error]:
    """The errors in the order of the parse, with the context of the one before where they have none and may be in it.

    What stands in the main file at or behind the line that asked for an instance is not inside of that.
    """
    context: tuple[Place, ...] = ()
    for diagnostic in _diagnostics(unit):
        if diagnostic.severity < Diagnostic.Error:
            continue
        error = _error(diagnostic)
        if any(note.spelling.startswith(_INSTANCE) for note in diagnostic.children):
            context = error.notes
        elif context and not _is_behind(error.location, context, unit.spelling):
            error = error._replace(notes=(*error.notes, *context))
        else:
            context = ()
        yield error


def _diagnostics(unit: TranslationUnit) -> Iterator[Diagnostic]:
    """What `unit.diagnostics` gives, which has libclang gather them anew for each one that is asked for."""
    gathered = library().clang_getDiagnosticSetFromTU(unit)  # the unit's own
    for position in range(conf.lib.clang_getNumDiagnosticsInSet(gathered)):
        yield Diagnostic(conf.lib.clang_getDiagnosticInSet(gathered, position))


def _is_behind(place: Place, context: Iterable[Place], main: str) -> bool:
    asked = [p.line for p in context if p.file is not None and p.file.name == main]
    return not asked or (place.file is not None and place.file.name == main and place.line >= max(asked))


def _error(diagnostic: Diagnostic) -> Error:
    spelling, notes = diagnostic.spelling, list(diagnostic.children)
    undeclared = spelling.startswith("use of undeclared")
    instance = undeclared and any(note.spelling.startswith(_INSTANCE) for note in notes)
    grammar = diagnostic.category_name == "Parse Issue" and not spelling.startswith(_NAMES)
    return Error(spelling, _place(diagnostic), tuple(map(_place, notes)), instance, grammar)


def _place(diagnostic: Diagnostic) -> Place:
    location = diagnostic.location
    file = location.file
    return Place(None if file is None else Source(file.name), location.line, location.column, location.offset)
