"""Bounds on a block's threads that a declaration computes by calls, as `__launch_bounds__(threads(type, 8) / 2)`."""

from __future__ import annotations

import ast
import re
from typing import Any

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import pretty_printed
from coalint.frontend.cuda.lowering.unit import Lowering
from coalint.frontend.cuda.templates.constant_expressions import SUFFIXED, Constants

_INT = ir.Integer(32, signed=True)
_CAST = re.compile(r"\(\s*[A-Za-z_][\w\s:]*\)(?=\s*\(?-?\d)")  # `(ggml_type)21U`
_OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%"}
_TRUTH = {"true": 1, "false": 0}


class _NotReadError(Exception):
    """An expression that holds something else than numbers, constants, arithmetic and calls of plain functions."""


def thread_bound(low: Lowering, constants: Constants, cursor: Any) -> ir.Expression | None:
    """Return what `__launch_bounds__` of a kernel computes by calls; None where it calls nothing, or cannot be read.

    The functions that it calls are lowered with the kernel's.
    """
    threads = pretty_printed.attribute(cursor, "launch_bounds")
    if not threads or "(" not in threads[0]:
        return None
    text = SUFFIXED.sub(r"\1", _CAST.sub("", threads[0])).replace("::", ".")
    try:
        reader = _Reader(low, constants, cursor)
        bound = reader.read(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError, _NotReadError):
        return None
    low.drain()
    return bound


class _Reader:
    """Makes IR of an expression in the attribute of one kernel."""

    def __init__(self, low: Lowering, constants: Constants, cursor: Any) -> None:
        self._low, self._constants, self._cursor = low, constants, cursor
        self._span: Span = low.locations.span(cursor)

    def read(self, node: ast.expr, type_: ir.Type = _INT) -> ir.Expression:
        """Return a node as a value of an integer type. Raises _NotReadError."""
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            left, right = self.read(node.left), self.read(node.right)
            return ir.Binary(self._span, _INT, _OPERATORS[type(node.op)], left, right)
        if isinstance(node, ast.Call) and not node.keywords:
            return self._call(node)
        return ir.Literal(self._span, type_, self._number(node))

    def _number(self, node: ast.expr) -> int:
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        name = ast.unparse(node).replace(".", "::")
        number = _TRUTH.get(name)
        if number is None and isinstance(node, ast.Name | ast.Attribute):
            number = self._constants.integer(name, self._cursor)
        if number is None:
            raise _NotReadError
        return number

    def _call(self, node: ast.Call) -> ir.Expression:
        path = ast.unparse(node.func).split(".")
        function = self._constants.scopes.function(path, len(node.args), self._cursor)
        key = None if function is None else self._low.function(function)
        if function is None or key is None:
            raise _NotReadError
        types = [self._low.types.lower(parameter.type) for parameter in function.get_arguments()]
        result = self._low.types.lower(function.result_type)
        if not all(isinstance(type_, ir.Integer) for type_ in (*types, result)):
            raise _NotReadError
        arguments = tuple(self.read(given, type_) for given, type_ in zip(node.args, types, strict=True))
        return ir.Call(self._span, result, function.spelling, key, arguments)
