"""Finds the CUDA source that a Python file hands to CuPy, PyCUDA or PyTorch, without running anything of it."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from coalint.core.records import record
from coalint.frontend.python.cells import parse_cells
from coalint.frontend.python.notebooks import Notebook
from coalint.frontend.python.raw_launches import RawLaunch, raw_launch
from coalint.frontend.python.string_literals import LiteralError, Placed, Text

TOO_DEEP = "it is too deeply nested"


@record(frozen=True, slots=True)
class _Taker:
    """A function that compiles CUDA source: which argument holds it, and which the compiler's options."""

    label: str
    position: int
    keyword: str
    options: str
    options_position: int | None = None
    includes: tuple[str, ...] = ()


_TORCH = ("torch/types.h", "cuda.h", "cuda_runtime.h")
_TAKERS = {
    "cupy.RawKernel": _Taker("CuPy's RawKernel", 0, "code", "options", 2),
    "cupy.RawModule": _Taker("CuPy's RawModule", 0, "code", "options"),
    "pycuda.compiler.SourceModule": _Taker("PyCUDA's SourceModule", 0, "source", "options", 2),
    "pycuda.compiler.DynamicSourceModule": _Taker("PyCUDA's DynamicSourceModule", 0, "source", "options", 2),
    "torch.utils.cpp_extension.load_inline": _Taker(
        "PyTorch's load_inline", 2, "cuda_sources", "extra_cuda_cflags", includes=_TORCH
    ),
}
_WORDS = re.compile(rb"\b(?:RawKernel|RawModule|SourceModule|DynamicSourceModule|load_inline)\b")
_SAME_TOKENS = {"textwrap.dedent", "inspect.cleandoc"}
"""Functions that change nothing but white space at the begin of lines and at the ends of a text."""
_SAME_METHODS = {"strip", "lstrip", "rstrip"}


@record(frozen=True, slots=True)
class CudaSource:
    """CUDA source as one call takes it: the parts that are joined, the lines before it, its launches in the file."""

    parts: tuple[Placed, ...]
    prelude: tuple[str, ...]
    launches: tuple[RawLaunch, ...] = ()


@record(frozen=True, slots=True)
class Gap:
    """What could not be followed, between two offsets of the Python source."""

    message: str
    begin: int
    end: int


@record(frozen=True, slots=True)
class PythonFile:
    """What a Python file holds; `error` says at which line it cannot be parsed, and why."""

    text: str
    sources: tuple[CudaSource, ...] = ()
    gaps: tuple[Gap, ...] = ()
    error: tuple[int, str] | None = None


class _NotFollowed(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)


@record
class _Scope:
    """The names that one function, class or module binds, each with the values that it is given; None: unknown ones."""

    parent: _Scope | None
    is_class: bool = False
    bound: dict[str, list[ast.expr | str | None]] = field(default_factory=dict)
    outer: set[str] = field(default_factory=set)

    def bind(self, name: str, value: ast.expr | str | None) -> None:
        if name in self.outer and self.parent is not None:
            self.parent.bind(name, None)
            return
        self.bound.setdefault(name, []).append(value)

    def values(self, name: str) -> tuple[Sequence[ast.expr | str | None], _Scope]:
        """Return what a name may stand for, seen from here, and the scope that binds it."""
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.bound and (scope is self or not scope.is_class):
                return scope.bound[name], scope
            scope = scope.parent
        return (), self


def may_hold_cuda(data: bytes) -> bool:
    """Whether a file names one of the functions that take CUDA source."""
    return _WORDS.search(data) is not None


def python_file(data: bytes) -> PythonFile:
    """Return the CUDA source in a Python file."""
    text = data.decode("utf-8", errors="replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not may_hold_cuda(data):
        return PythonFile(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python does not know
            tree = ast.parse(text)
        finder = _Finder(Text(text))
        finder.read(tree)
        return finder.content()
    except SyntaxError as error:
        return PythonFile(text, error=(error.lineno or 1, error.msg))
    except ValueError as error:  # null bytes
        return PythonFile(text, error=(1, str(error)))
    except (RecursionError, MemoryError):
        return PythonFile(text, error=(1, TOO_DEEP))


def cells_with_cuda(notebook: Notebook) -> PythonFile:
    """Return the CUDA source in the Python of a notebook, with offsets in its JSON; `text` and `error` are left out."""
    if not may_hold_cuda(notebook.text.encode(errors="replace")):
        return PythonFile("")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cells = parse_cells(notebook.text)
        finder = _Finder(Text(cells.text))
        finder.read(cells.tree)
        content = finder.content()
    except (RecursionError, MemoryError):
        return PythonFile("", gaps=(Gap(f"the notebook was not analysed: {TOO_DEEP}", 0, 1),))
    gaps = tuple(
        Gap(gap.message, notebook.begins[gap.begin], notebook.ends[max(gap.begin, gap.end - 1)]) for gap in content.gaps
    )
    sources = (
        replace(
            source,
            parts=tuple(part.within(notebook.begins, notebook.ends) for part in source.parts),
            launches=tuple(
                replace(launch, begin=notebook.begins[launch.begin], end=notebook.ends[launch.end - 1])
                for launch in source.launches
            ),
        )
        for source in content.sources
    )
    return PythonFile("", tuple(sources), gaps)


class _Finder:
    def __init__(self, text: Text) -> None:
        self.text = text
        self.calls: list[tuple[ast.Call, _Scope]] = []
        self.gaps: list[Gap] = []

    def read(self, tree: ast.Module) -> None:
        module = _Scope(None)
        for node in tree.body:
            self._visit(node, module)

    # --- names

    def _visit(self, node: ast.AST, scope: _Scope) -> None:
        inner = scope
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            if not isinstance(node, ast.Lambda):
                scope.bind(node.name, None)
            inner = _Scope(scope, isinstance(node, ast.ClassDef))
        elif isinstance(node, ast.arg):
            scope.bind(node.arg, None)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            scope.outer.update(node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                scope.bind(alias.asname or alias.name.partition(".")[0], alias.name if alias.asname else "")
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                scope.bind(alias.asname or alias.name, f"{node.module}.{alias.name}" if not node.level else None)
        elif isinstance(node, ast.Call):
            self.calls.append((node, scope))
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if node.value is None:
                return
            for target in targets:
                if isinstance(target, ast.Name):
                    scope.bind(target.id, node.value)
                else:
                    self._visit(target, scope)
            self._visit(node.value, scope)
            return
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            scope.bind(node.id, None)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            scope.bind(node.name, None)
        for child in ast.iter_child_nodes(node):
            self._visit(child, inner)

    def _dotted(self, node: ast.expr, scope: _Scope, depth: int = 0) -> Iterator[str]:
        """Yield what a callee may be called by its module."""
        if isinstance(node, ast.Attribute):
            yield from (f"{base}.{node.attr}" for base in self._dotted(node.value, scope, depth))
        elif isinstance(node, ast.Name) and depth < 8:
            values, home = scope.values(node.id)
            for value in values:
                if isinstance(value, str):
                    yield value or node.id
                elif isinstance(value, ast.Name | ast.Attribute):
                    yield from self._dotted(value, home, depth + 1)

    # --- sources

    def content(self) -> PythonFile:
        sources: dict[CudaSource, None] = {}
        for call, scope in self.calls:
            taker = next((_TAKERS[name] for name in self._dotted(call.func, scope) if name in _TAKERS), None)
            if taker is None:
                continue
            argument = _argument(call, taker.position, taker.keyword)
            if argument is None or (isinstance(argument, ast.Constant) and argument.value is None):
                if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
                    self._gap(call, f"the CUDA source given to {taker.label}", "the arguments are unpacked")
                continue
            try:
                parts = self._parts(argument, scope)
            except _NotFollowed as reason:
                self._gap(argument, f"the CUDA source given to {taker.label}", str(reason))
                continue
            prelude = (*self._macros(call, taker, scope), *(f"#include <{name}>" for name in taker.includes))
            sources[CudaSource(parts, prelude, tuple(self._launches(call, taker)))] = None
        return PythonFile(self.text.text, tuple(sources), tuple(self.gaps))

    def _launches(self, made: ast.Call, taker: _Taker) -> Iterator[RawLaunch]:
        """Yield the launches of the kernels that a call gives, of its own or of those taken from its module."""
        for call, scope in self.calls:
            kernel = self._kernel(call.func, scope, made, taker)
            if kernel is None:
                continue
            begin = self.text.offset(call.lineno, call.col_offset)
            end = self.text.offset(call.end_lineno or call.lineno, call.end_col_offset or 0)

            def lookup(name: str, scope: _Scope = scope) -> ast.expr | None:
                values, _ = scope.values(name)
                return values[0] if len(values) == 1 and isinstance(values[0], ast.expr) else None

            launch = raw_launch(call, kernel, lookup, begin, end)
            if launch is not None:
                yield launch

    def _kernel(self, node: ast.expr, scope: _Scope, made: ast.Call, taker: _Taker, depth: int = 0) -> str | None:
        """Return the name of the kernel of a module that an expression stands for; None where it is none of it."""
        if isinstance(node, ast.Name) and depth < 8:
            values, home = scope.values(node.id)
            value = values[0] if len(values) == 1 else None
            return self._kernel(value, home, made, taker, depth + 1) if isinstance(value, ast.expr) else None
        if not isinstance(node, ast.Call):
            return None
        if node is made:
            return _literal(_argument(made, 1, "name")) if taker.label.endswith("RawKernel") else None
        function = node.func
        if not (isinstance(function, ast.Attribute) and function.attr == "get_function"):
            return None
        module, home = function.value, scope
        while isinstance(module, ast.Name) and depth < 8:
            values, home = home.values(module.id)
            if len(values) != 1 or not isinstance(values[0], ast.expr):
                return None
            module, depth = values[0], depth + 1
        return _literal(_argument(node, 0, "name")) if module is made else None

    def _gap(self, node: ast.expr, what: str, reason: str) -> None:
        begin = self.text.offset(node.lineno, node.col_offset)
        end = self.text.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        self.gaps.append(Gap(f"{what} was not analysed: {reason}", begin, end))

    def _macros(self, call: ast.Call, taker: _Taker, scope: _Scope) -> Iterator[str]:
        """Yield the macros that the compiler's options define, as lines of the preprocessor."""
        argument = _argument(call, taker.options_position, taker.options)
        if argument is None or (isinstance(argument, ast.Constant) and argument.value is None):
            return
        try:
            words = iter([part.text for part in self._parts(argument, scope)])
        except _NotFollowed as reason:
            self._gap(argument, "what the compiler's options define", str(reason))
            return
        for word in words:
            if word in ("-D", "--define-macro"):
                word = "-D" + next(words, "")
            if word.startswith("-D"):
                name, _, value = word[2:].partition("=")
                yield f"#define {name} {value if '=' in word else '1'}"

    def _parts(self, node: ast.expr, scope: _Scope) -> tuple[Placed, ...]:
        """Return the strings of a list, or the one string."""
        if isinstance(node, ast.Name):
            node, scope = self._bound(node, scope)
        if isinstance(node, ast.List | ast.Tuple):
            return tuple(self._string(element, scope) for element in node.elts)
        return (self._string(node, scope),)

    def _string(self, node: ast.expr, scope: _Scope, depth: int = 0) -> Placed:
        if depth > 50:
            raise _NotFollowed(TOO_DEEP)
        if isinstance(node, ast.Name):
            return self._string(*self._bound(node, scope), depth + 1)
        if isinstance(node, ast.JoinedStr) and any(isinstance(part, ast.FormattedValue) for part in node.values):
            raise _NotFollowed("it is an f-string whose values are known at run time")
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            try:
                return self.text.literal(node)
            except LiteralError:
                raise _NotFollowed("the literal could not be read") from None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._string(node.left, scope, depth + 1) + self._string(node.right, scope, depth + 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            raise _NotFollowed("it is assembled with % at run time")
        if isinstance(node, ast.Call):
            return self._made(node, scope, depth)
        if isinstance(node, ast.Attribute):
            raise _NotFollowed(f"attributes, as `{node.attr}`, are not followed")
        raise _NotFollowed("it is computed at run time")

    def _made(self, call: ast.Call, scope: _Scope, depth: int) -> Placed:
        function = call.func
        if isinstance(function, ast.Attribute) and function.attr in _SAME_METHODS and not call.args:
            return self._string(function.value, scope, depth + 1)
        if len(call.args) == 1 and not _SAME_TOKENS.isdisjoint(self._dotted(function, scope)):
            return self._string(call.args[0], scope, depth + 1)
        if isinstance(function, ast.Attribute) and function.attr == "format":
            raise _NotFollowed("it is assembled with .format() at run time")
        raise _NotFollowed("it is made by a call at run time")

    def _bound(self, name: ast.Name, scope: _Scope) -> tuple[ast.expr, _Scope]:
        values, home = scope.values(name.id)
        if len(values) > 1:
            raise _NotFollowed(f"`{name.id}` is assigned in {len(values)} places")
        value = values[0] if values else None
        if not isinstance(value, ast.expr):
            raise _NotFollowed(f"`{name.id}` is not assigned a string that coalint can see")
        return value, home


def _literal(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _argument(call: ast.Call, position: int | None, keyword: str) -> ast.expr | None:
    named = next((k.value for k in call.keywords if k.arg == keyword), None)
    if named is not None or position is None or any(isinstance(a, ast.Starred) for a in call.args[: position + 1]):
        return named
    return call.args[position] if position < len(call.args) else None
