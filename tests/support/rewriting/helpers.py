"""Rewrites of calls: a helper's expression in place of its call."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clang.cindex import CursorKind, TypeKind

from rewriting.edits import Edit, Site
from rewriting.unit import Node, Unit, body_of, is_pure, tokens


def inlined(unit: Unit) -> Iterator[Site]:
    """`f(a, b)` as the expression that `f` returns, with `a` and `b` in it."""
    helpers = {helper.cursor.get_usr(): helper for helper in unit.functions if _returned(unit, helper) is not None}
    for function in unit.functions:
        for node in body_of(function).walk():
            referenced = node.cursor.referenced if node.kind == CursorKind.CALL_EXPR else None
            helper = helpers.get(referenced.get_usr()) if referenced is not None else None
            if helper is None or helper is function or not unit.is_plain(node):
                continue
            arguments = list(node.cursor.get_arguments())
            parameters = [child for child in helper.children if child.kind == CursorKind.PARM_DECL]
            places = [(arg.extent.start.offset, arg.extent.end.offset) for arg in arguments]
            if len(arguments) != len(parameters) or not all(node.begin < a < b < node.end for a, b in places):
                continue
            if not all(is_pure(child) for child in node.children[1:]):
                continue
            values = {
                parameter.cursor.spelling: f"(({parameter.cursor.type.spelling})({unit.text[begin:end]}))"
                for parameter, (begin, end) in zip(parameters, places, strict=True)
            }
            expression = _returned(unit, helper)
            assert expression is not None
            result = helper.cursor.result_type.spelling
            text = f"(({result})({_replaced(unit, expression, values)}))".replace("\n", " ")
            yield (Edit(node.begin, node.end, f"\n{text}\n", origin=unit.line(expression.begin)),)


def _returned(unit: Unit, helper: Node) -> Node | None:
    """The expression of a function that does nothing but return it, of numbers and pointers alone."""
    body = body_of(helper)
    if helper.kind != CursorKind.FUNCTION_DECL or len(body.children) != 1:
        return None
    (statement,) = body.children
    if statement.kind != CursorKind.RETURN_STMT or len(statement.children) != 1:
        return None
    (expression,) = statement.children
    types = [child.cursor.type for child in helper.children if child.kind == CursorKind.PARM_DECL]
    types.append(helper.cursor.result_type)
    simple = (TypeKind.INT, TypeKind.UINT, TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.POINTER, TypeKind.BOOL)
    if not all(type_.kind in simple and not re.search(r"[(]", type_.spelling) for type_ in types):
        return None
    is_simple = unit.is_plain(expression) and is_pure(expression) and "\n" not in unit.source(expression)
    return expression if is_simple and "//" not in unit.source(expression) else None


def _replaced(unit: Unit, expression: Node, values: dict[str, str]) -> str:
    parts, at, before = [], expression.begin, ""
    for token in tokens(unit.text, expression.begin, expression.end):
        if token.text in values and before not in (".", "->", "::"):
            parts += [unit.text[at : token.begin], values[token.text]]
            at = token.end
        before = token.text
    return "".join([*parts, unit.text[at : expression.end]])
