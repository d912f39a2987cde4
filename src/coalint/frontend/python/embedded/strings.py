"""The strings that expressions of Python are, as far as literals, names and `+` tell."""

from __future__ import annotations

import ast

from coalint.frontend.python.embedded.scopes import Scope, dotted
from coalint.frontend.python.embedded.string_literals import LiteralError, Placed, Text

TOO_DEEP = "it is too deeply nested"
_SAME_TOKENS = {"textwrap.dedent", "inspect.cleandoc"}
"""Functions that change nothing but white space at the begin of lines and at the ends of a text."""
_SAME_METHODS = {"strip", "lstrip", "rstrip"}


class NotFollowed(Exception):
    """A string that is made in another way, which the argument says."""


class Strings:
    """The strings of one Python file."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def parts(self, node: ast.expr, scope: Scope) -> tuple[Placed, ...]:
        """Return the strings of a list, or the one string; NotFollowed where one is made in another way."""
        if isinstance(node, ast.Name):
            node, scope = self._bound(node, scope)
        if isinstance(node, ast.List | ast.Tuple):
            return tuple(self._string(element, scope) for element in node.elts)
        return (self._string(node, scope),)

    def _string(self, node: ast.expr, scope: Scope, depth: int = 0) -> Placed:
        if depth > 50:
            raise NotFollowed(TOO_DEEP)
        if isinstance(node, ast.Name):
            return self._string(*self._bound(node, scope), depth + 1)
        if isinstance(node, ast.JoinedStr) and any(isinstance(part, ast.FormattedValue) for part in node.values):
            raise NotFollowed("it is an f-string whose values are known at run time")
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            try:
                return self.text.literal(node)
            except LiteralError:
                raise NotFollowed("the literal could not be read") from None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._string(node.left, scope, depth + 1) + self._string(node.right, scope, depth + 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            raise NotFollowed("it is assembled with % at run time")
        if isinstance(node, ast.Call):
            return self._made(node, scope, depth)
        if isinstance(node, ast.Attribute):
            raise NotFollowed(f"attributes, as `{node.attr}`, are not followed")
        raise NotFollowed("it is computed at run time")

    def _made(self, call: ast.Call, scope: Scope, depth: int) -> Placed:
        function = call.func
        if isinstance(function, ast.Attribute) and function.attr in _SAME_METHODS and not call.args:
            return self._string(function.value, scope, depth + 1)
        if len(call.args) == 1 and not _SAME_TOKENS.isdisjoint(dotted(function, scope)):
            return self._string(call.args[0], scope, depth + 1)
        if isinstance(function, ast.Attribute) and function.attr == "format":
            raise NotFollowed("it is assembled with .format() at run time")
        raise NotFollowed("it is made by a call at run time")

    def _bound(self, name: ast.Name, scope: Scope) -> tuple[ast.expr, Scope]:
        values, home = scope.values(name.id)
        if len(values) > 1:
            raise NotFollowed(f"`{name.id}` is assigned in {len(values)} places")
        value = values[0] if values else None
        if not isinstance(value, ast.expr):
            raise NotFollowed(f"`{name.id}` is not assigned a string that coalint can see")
        return value, home
