"""Rewrites of expressions: an index in a temporary, a macro, a helper or a pointer's step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from clang.cindex import CursorKind, TypeKind

from rewriting.edits import Edit, Site
from rewriting.unit import Node, Unit, body_of, is_pure, statement_of, wrapped

_READ_IN_PLACE = re.compile(r"->|\*|\[[^\]]*[\[.]")
_ARITHMETIC = (
    *(TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG, TypeKind.ULONGLONG),
    *(TypeKind.FLOAT, TypeKind.DOUBLE),
)
_INTEGERS = _ARITHMETIC[:-2]
_SWAPPED = {"+": "+", "*": "*", "<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "&": "&", "|": "|", "^": "^"}


def subscripts(unit: Unit) -> Iterator[tuple[Node, Node, Node]]:
    """Yield each `base[index]` whose text can be moved, with base and index."""
    for function in unit.functions:
        for node in body_of(function).walk():
            if node.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR and len(node.children) == 2 and unit.is_plain(node):
                base, index = node.children
                if base.end <= index.begin and node.end > index.end:
                    yield node, base, index


def temporaries(unit: Unit) -> Iterator[Site]:
    """`a[i + 1] = x;` as `const auto t = i + 1; a[t] = x;`."""
    numbers = count()
    for _, _, index in subscripts(unit):
        statement = statement_of(index)
        if statement is None or not is_pure(index) or not _is_movable(unit, statement, index):
            continue
        name = f"tmp_{next(numbers)}"
        yield (
            Edit(statement.begin, statement.begin, f"const auto {name} = {unit.source(index)}; "),
            Edit(index.begin, index.end, name),
        )


def _is_movable(unit: Unit, statement: Node, index: Node) -> bool:
    """Whether the index may be evaluated before the statement."""
    if statement.kind == CursorKind.DECL_STMT:
        declared = [child for child in statement.children if child.kind == CursorKind.VAR_DECL]
        if len(declared) != 1 or re.match(r"(?:static|extern|__shared__)\b", unit.source(statement)):
            return False
        if re.search(rf"\b{declared[0].cursor.spelling}\b", unit.source(index)):
            return False
    elif not statement.kind.is_expression():
        return False
    inner = [node for node in statement.walk() if node is not statement]
    if any(node.writes for node in inner) or not unit.is_plain(statement):
        return False
    has_calls = any(node.kind in (CursorKind.CALL_EXPR, CursorKind.LAMBDA_EXPR) for node in statement.walk())
    loads = any(node.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR or node.operator == "*" for node in index.walk())
    before = unit.text[: statement.begin].rstrip()[-1:]
    return before in ("{", "}", ";") and not (has_calls and (loads or "&" in unit.source(statement)))


def macros(unit: Unit) -> Iterator[Site]:
    """`a[i]` as `AT(a, i)` with `#define AT(p, i) ((p)[i])`."""
    numbers = count()
    for node, base, index in subscripts(unit):
        function = node
        while function.parent is not None:
            function = function.parent
        start = unit.text.rfind("\n", 0, function.begin) + 1
        if unit.text[:start].rstrip(" \t\n").endswith("\\"):
            continue
        name = f"AT_{next(numbers)}"
        yield (
            Edit(start, start, f"#define {name}(p, i) ((p)[i])\n"),
            Edit(node.begin, node.end, f"{name}(({unit.source(base)}), ({unit.source(index)}))"),
        )


def outlined(unit: Unit) -> Iterator[Site]:
    """`a[i]` as `at(a, i)` with a helper that returns a reference."""
    numbers = count()
    for node, base, index in subscripts(unit):
        name = f"at_{next(numbers)}"
        by = "P" if base.cursor.type.kind == TypeKind.POINTER else "P &&"
        helper = f"template <class P, class I> __device__ __forceinline__ auto {name}({by} p, I i) -> decltype((p[i])) "
        yield (
            Edit(0, 0, f"{helper}{{ return p[i]; }}\n", origin=unit.line(node.begin)),
            Edit(node.begin, node.end, f"{name}({unit.source(base)}, {unit.source(index)})"),
        )


def in_lambdas(unit: Unit) -> Iterator[Site]:
    """`a[i]` as `[&]() -> auto & { return a[i]; }()`."""
    for node, _, _ in subscripts(unit):
        if not _is_in_lambda(node):
            yield (Edit(node.begin, node.end, f"([&]() -> auto & {{ return {unit.source(node)}; }}())"),)


def _is_in_lambda(node: Node) -> bool:
    while node.parent is not None:
        node = node.parent
        if node.kind == CursorKind.LAMBDA_EXPR:
            return True
    return False


def pointers(unit: Unit) -> Iterator[Site]:
    """`a[i]` as `*(a + (i))`."""
    for node, base, index in subscripts(unit):
        yield (Edit(node.begin, node.end, f"(*({unit.source(base)} + ({unit.source(index)})))"),)


def addresses(unit: Unit) -> Iterator[Site]:
    """`a[i] = x;` as `auto p = &a[i]; *p = x;`."""
    numbers = count()
    for node, _, index in subscripts(unit):
        statement = statement_of(node)
        if statement is None or not is_pure(node) or not _is_movable(unit, statement, index):
            continue
        if statement.kind == CursorKind.DECL_STMT and re.search(r"\[[^\]]*\]\s*=", unit.source(statement)):
            continue
        base_loads = any(inner.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR for inner in node.children[0].walk())
        if node.cursor.type.kind not in _ARITHMETIC or base_loads:
            continue
        name = f"ptr_{next(numbers)}"
        yield (
            Edit(statement.begin, statement.begin, f"auto {name} = &{unit.source(node)}; "),
            Edit(node.begin, node.end, f"(*{name})"),
        )


def swapped_operands(unit: Unit) -> Iterator[Site]:
    """`a + b` as `b + a`, `a < b` as `b > a`, of integers."""
    for function in unit.functions:
        for node in body_of(function).walk():
            other = _SWAPPED.get(node.operator)
            if other is None or len(node.children) != 2 or not unit.is_plain(node) or not is_pure(node):
                continue
            left, right = node.children
            if all(child.cursor.type.get_canonical().kind in _INTEGERS for child in node.children):
                yield (
                    Edit(node.begin, node.end, f"({wrapped(unit.source(right))} {other} {wrapped(unit.source(left))})"),
                )


def spelled_out(unit: Unit) -> Iterator[Site]:
    """`x += e` as `x = x + (e)`, of numbers; not where the place of `x` is itself read from memory."""
    for function in unit.functions:
        for node in body_of(function).walk():
            if node.kind != CursorKind.COMPOUND_ASSIGNMENT_OPERATOR or not unit.is_plain(node):
                continue
            target, value = node.children
            if target.cursor.type.get_canonical().kind in _ARITHMETIC and is_pure(target):
                text = unit.source(target)
                if _READ_IN_PLACE.search(text):
                    continue
                written = f"{text} = {text} {node.operator[:-1]} ({unit.source(value)})"
                is_statement = node.parent is not None and node.parent.kind == CursorKind.COMPOUND_STMT
                yield (Edit(node.begin, node.end, written if is_statement else f"({written})"),)
