"""Constant expressions in attributes: numbers, template parameters, macros and named constants put in and computed."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.pretty_printed import split
from coalint.frontend.cuda.libclang.trees import direct_children
from coalint.frontend.cuda.templates.instances import parameters_of
from coalint.frontend.cuda.templates.representative_arguments import PARAMETERS
from coalint.frontend.cuda.templates.scopes import Scopes, member

_MAX_DEPTH = 8  # of constants that are made of constants
_LONGEST = 200  # characters of an expression
_CAST = re.compile(r"\bstatic_cast\s*<[^<>]*>|\(\s*(?:unsigned|int|long|short|size_t|std::size_t)(?:\s+\w+)*\s*\)")
SUFFIXED = re.compile(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]+\b")
_NAME = re.compile(r"(?<![\w.])(?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")
_INSTANCE = re.compile(r"(?P<template>(?:\w+\s*::\s*)?\w+)\s*<(?P<arguments>[^<>]*)>\s*::\s*(?P<member>\w+)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    ast.Mod: lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1),
    ast.LShift: lambda a, b: a << b,
    ast.RShift: lambda a, b: a >> b,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
}


class Constants:
    """The constants of one translation unit, by the names of its `scopes`."""

    def __init__(self, unit: Any) -> None:
        self.scopes = Scopes(unit)

    def integer(self, text: str, cursor: Any) -> int | None:
        """Return the value of a constant expression in an attribute of the function `cursor`.

        None where it is not known.
        """
        return self._value(text, cursor, 0)

    def _value(self, text: str, cursor: Any, depth: int) -> int | None:
        if depth > _MAX_DEPTH or len(text) > _LONGEST:
            return None
        plain = SUFFIXED.sub(r"\1", _CAST.sub("", text))
        while (inner := _INSTANCE.search(plain)) is not None:
            number = self._of_instance(inner, cursor, depth)
            if number is None:
                return None
            plain = f"{plain[: inner.start()]}({number}){plain[inner.end() :]}"
        for match in reversed(list(_NAME.finditer(plain))):
            name = re.sub(r"\s", "", match.group()).removeprefix("::")
            constant = self._named(name, cursor, depth)
            if constant is None:
                return None
            plain = f"{plain[: match.start()]}({constant}){plain[match.end() :]}"
        try:
            return _computed(ast.parse(plain.replace("/", "//").strip(), mode="eval").body)
        except (SyntaxError, ValueError, ZeroDivisionError, OverflowError, RecursionError, MemoryError):
            return None

    def _named(self, name: str, cursor: Any, depth: int) -> int | None:
        """Return a template parameter of the function, a constant that it can see, or a macro."""
        for parameter, argument in parameters_of(cursor):
            if parameter == name:
                return int(argument) if re.fullmatch(r"-?\d+", argument) else None
        constant = self.scopes.constant(name.split("::"), cursor)
        if constant is not None:
            return _constant(constant)
        for declared in self.scopes.top.get(name, ()):
            if declared._kind_id == kinds.MACRO_DEFINITION:
                tokens = [token.spelling for token in declared.get_tokens()][1:]
                return self._value(" ".join(tokens), cursor, depth + 1) if tokens and tokens != [name] else None
        return None

    def _of_instance(self, name: re.Match[str], cursor: Any, depth: int) -> int | None:
        """Return `Traits<64>::kN` by the class template's own text.

        Not where some arguments have a text of their own.
        """
        outer, _, template = re.sub(r"\s", "", name["template"]).rpartition("::")
        top = self.scopes.top
        scopes = [child for scope in top.get(outer, []) for child in direct_children(scope)] if outer else []
        named = [child for child in (scopes if outer else top.get(template, [])) if child.spelling == template]
        if [child._kind_id for child in named] != [kinds.CLASS_TEMPLATE]:
            return None
        children = direct_children(named[0])
        parameters = [child.spelling for child in children if child._kind_id in PARAMETERS]
        constant = member(children, [name["member"]])
        tokens = [token.spelling for token in constant.get_tokens()] if constant is not None else []
        pairs = list(pairwise(tokens))
        if (name["member"], "=") not in pairs:
            return None
        text = " ".join(tokens[pairs.index((name["member"], "=")) + 2 :])
        given = dict(zip(parameters, split(name["arguments"]), strict=False))
        given |= {
            word: f"{name['template']}<{name['arguments']}>::{word}"
            for word in set(_WORD.findall(text)) - set(given)
            if member(children, [word]) is not None
        }
        text = _WORD.sub(lambda word: f"({given[word[0]]})" if word[0] in given else word[0], text)
        return self._value(text, cursor, depth + 1)


def _computed(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _computed(node.left), _computed(node.right)
        if isinstance(node.op, ast.LShift | ast.RShift) and not 0 <= right < 64:
            raise ValueError
        return _OPERATORS[type(node.op)](left, right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_computed(node.operand)
    raise ValueError


def _constant(declared: Any) -> int | None:
    if declared._kind_id == kinds.ENUM_CONSTANT_DECL:
        return int(declared.enum_value)
    if not declared.type.is_const_qualified():
        return None
    lib = library()
    result = lib.clang_Cursor_Evaluate(declared)
    if not result:
        return None
    try:
        return int(lib.clang_EvalResult_getAsLongLong(result)) if lib.clang_EvalResult_getKind(result) == 1 else None
    finally:
        lib.clang_EvalResult_dispose(result)
