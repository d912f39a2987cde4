"""Finds the calls in a Python file that compile CUDA source, and the launches of what they give."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from coalint.frontend.python.embedded.raw_launches import RawLaunch, raw_launch
from coalint.frontend.python.embedded.scopes import Names, Scope, dotted
from coalint.frontend.python.embedded.sources import CudaSource, Gap, PythonFile
from coalint.frontend.python.embedded.string_literals import Text
from coalint.frontend.python.embedded.strings import NotFollowed, Strings
from coalint.frontend.python.embedded.takers import TAKERS, Taker, argument, literal


class Finder:
    """What one Python file hands to these functions."""

    def __init__(self, text: Text, tree: ast.Module) -> None:
        self.text, self.strings = text, Strings(text)
        self.calls = Names(tree).calls
        self.gaps: list[Gap] = []

    def content(self) -> PythonFile:
        """Return the sources, and what could not be followed."""
        sources: dict[CudaSource, None] = {}
        for call, scope in self.calls:
            taker = next((TAKERS[name] for name in dotted(call.func, scope) if name in TAKERS), None)
            if taker is None:
                continue
            given = argument(call, taker.position, taker.keyword)
            if given is None or (isinstance(given, ast.Constant) and given.value is None):
                if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
                    self._gap(call, f"the CUDA source given to {taker.label}", "the arguments are unpacked")
                continue
            try:
                parts = self.strings.parts(given, scope)
            except NotFollowed as reason:
                self._gap(given, f"the CUDA source given to {taker.label}", str(reason))
                continue
            prelude = (*self._macros(call, taker, scope), *(f"#include <{name}>" for name in taker.includes))
            sources[CudaSource(parts, prelude, tuple(self._launches(call, taker)))] = None
        return PythonFile(self.text.text, tuple(sources), tuple(self.gaps))

    def _launches(self, made: ast.Call, taker: Taker) -> Iterator[RawLaunch]:
        """Yield the launches of the kernels that a call gives, of its own or of those taken from its module."""
        for call, scope in self.calls:
            kernel = self._kernel(call.func, scope, made, taker)
            if kernel is None:
                continue
            begin = self.text.offset(call.lineno, call.col_offset)
            end = self.text.offset(call.end_lineno or call.lineno, call.end_col_offset or 0)

            def lookup(name: str, scope: Scope = scope) -> ast.expr | None:
                values, _ = scope.values(name)
                return values[0] if len(values) == 1 and isinstance(values[0], ast.expr) else None

            launch = raw_launch(call, kernel, lookup, begin, end)
            if launch is not None:
                yield launch

    def _kernel(self, node: ast.expr, scope: Scope, made: ast.Call, taker: Taker, depth: int = 0) -> str | None:
        """Return the name of the kernel of a module that an expression stands for; None where it is none of it."""
        if isinstance(node, ast.Name) and depth < 8:
            values, home = scope.values(node.id)
            value = values[0] if len(values) == 1 else None
            return self._kernel(value, home, made, taker, depth + 1) if isinstance(value, ast.expr) else None
        if not isinstance(node, ast.Call):
            return None
        if node is made:
            return literal(argument(made, 1, "name")) if taker.label.endswith("RawKernel") else None
        function = node.func
        if not (isinstance(function, ast.Attribute) and function.attr == "get_function"):
            return None
        module, home = function.value, scope
        while isinstance(module, ast.Name) and depth < 8:
            values, home = home.values(module.id)
            if len(values) != 1 or not isinstance(values[0], ast.expr):
                return None
            module, depth = values[0], depth + 1
        return literal(argument(node, 0, "name")) if module is made else None

    def _gap(self, node: ast.expr, what: str, reason: str) -> None:
        begin = self.text.offset(node.lineno, node.col_offset)
        end = self.text.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        self.gaps.append(Gap(f"{what} was not analysed: {reason}", begin, end))

    def _macros(self, call: ast.Call, taker: Taker, scope: Scope) -> Iterator[str]:
        """Yield the macros that the compiler's options define, as lines of the preprocessor."""
        given = argument(call, taker.options_position, taker.options)
        if given is None or (isinstance(given, ast.Constant) and given.value is None):
            return
        try:
            words = iter([part.text for part in self.strings.parts(given, scope)])
        except NotFollowed as reason:
            self._gap(given, "what the compiler's options define", str(reason))
            return
        for word in words:
            if word in ("-D", "--define-macro"):
                word = "-D" + next(words, "")
            if word.startswith("-D"):
                name, _, value = word[2:].partition("=")
                yield f"#define {name} {value if '=' in word else '1'}"
