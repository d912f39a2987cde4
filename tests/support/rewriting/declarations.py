"""Rewrites of declarations: other names, wider types, variables in a struct, constants as template parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from clang.cindex import CursorKind, TypeKind

from rewriting.edits import Edit, Site
from rewriting.unit import Node, Unit, body_of, tokens

_WORD = re.compile(r"[A-Za-z_]\w*")
_SMALL = r"(?P<const>const\s+)?(?P<type>int|unsigned int|unsigned|uint32_t)\s+"


def _locals(function: Node) -> Iterator[Node]:
    for node in function.walk():
        if node.kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL) and node.cursor.spelling:
            yield node


def _uses(unit: Unit, function: Node, name: str) -> list[int] | None:
    """Where a name of a function stands; None where it may be another's there, or a comment speaks to coalint."""
    found, before = [], ""
    for token in tokens(unit.text, function.begin, function.end):
        if token.text.startswith(("//", "/*")):
            if "coalint" in token.text or re.search(rf"\bassume\b.*\b{name}\b", token.text):
                return None
            continue
        if token.text == name:
            if before == "::":
                return None
            if before not in (".", "->"):
                found.append(token.begin)
        before = token.text
    return found


def _file_names(unit: Unit) -> set[str]:
    return {cursor.spelling for cursor in unit.unit.cursor.get_children()}


def renamed(unit: Unit) -> Iterator[Site]:
    """A variable or parameter under another name."""
    others, numbers = _file_names(unit), count()
    for function in unit.functions:
        for name in dict.fromkeys(node.cursor.spelling for node in _locals(function)):
            if name in others or name in unit.macro_words:
                continue
            uses = _uses(unit, function, name)
            if uses:
                new = f"renamed_{next(numbers)}"
                yield tuple(Edit(at, at + len(name), new) for at in uses)


def _references(unit: Unit, function: Node, variable: Node) -> list[Node] | None:
    """The expressions that name a variable; None where one is written by a macro."""
    name = variable.cursor.spelling
    found = []
    for node in body_of(function).walk():
        if node.kind == CursorKind.DECL_REF_EXPR and node.cursor.spelling == name:
            if unit.source(node) != name or not node.refers_to(variable):
                return None
            if any(begin <= node.begin < end for begin, end in unit.macros):
                return None
            found.append(node)
    in_text = re.findall(
        rf"\b{name}\b", re.sub(r"//[^\n]*|/\*.*?\*/", "", unit.source(body_of(function)), flags=re.DOTALL)
    )
    return found if len(found) + 1 == len(in_text) else None


def wider(unit: Unit) -> Iterator[Site]:
    """`int i = ...` as `long long i = ...`, of a variable that is only read, or a loop's counter."""
    for function, variable in _small_variables(unit):
        uses = _references(unit, function, variable)
        if uses is None or variable.cursor.type.get_canonical().kind not in (TypeKind.INT,):
            continue
        if all(not _is_changed(use) or _is_stepped(use) for use in uses):
            begin = variable.begin + unit.source(variable).index("int")
            yield (Edit(begin, begin + 3, "long long"),)


def sizes(unit: Unit) -> Iterator[Site]:
    """`int i = ...` as `size_t i = ...`, of a variable that is only read and cannot be negative."""
    for function, variable in _small_variables(unit):
        text = unit.source(variable)
        uses = _references(unit, function, variable)
        name = variable.cursor.spelling
        if uses is None or any(_is_changed(use) for use in uses) or re.search(r"[-~&|^/%]|\(|\[", text):
            continue
        compared = re.search(rf"\b{name}\s*(?:-|[<>=!]=?)|(?:-|[<>=])\s*{name}\b", unit.source(body_of(function)))
        if "Idx" not in text or compared:
            continue
        match = re.match(_SMALL, text)
        assert match is not None
        yield (Edit(variable.begin + match.start("type"), variable.begin + match.end("type"), "size_t"),)


def _small_variables(unit: Unit) -> Iterator[tuple[Node, Node]]:
    for function in unit.functions:
        for node in body_of(function).walk():
            is_single = node.parent is not None and len(node.parent.children) == 1
            is_variable = node.kind == CursorKind.VAR_DECL and is_single and unit.is_plain(node)
            if is_variable and re.match(rf"{_SMALL}{node.cursor.spelling}\s*=", unit.source(node)):
                yield function, node


def _is_changed(use: Node) -> bool:
    """Whether a use may change the variable: an assignment, a step, its address, a call, a capture."""
    node, parent = use, use.parent
    while parent is not None and parent.kind in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR):
        node, parent = parent, parent.parent
    if parent is None or parent.kind in (CursorKind.CALL_EXPR, CursorKind.LAMBDA_EXPR, CursorKind.VAR_DECL):
        return parent is None or parent.kind != CursorKind.VAR_DECL or "&" in parent.cursor.type.spelling
    return (parent.operator == "&" and len(parent.children) == 1) or (parent.writes and parent.children[0] is node)


def _is_stepped(use: Node) -> bool:
    """Whether a use is a loop's step."""
    parent = use.parent
    while parent is not None and parent.kind in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR):
        parent = parent.parent
    is_step = parent is not None and (parent.operator in ("p++", "++p", "+="))
    return is_step and parent is not None and parent.parent is not None and parent.parent.kind == CursorKind.FOR_STMT


def boxed(unit: Unit) -> Iterator[Site]:
    """`int i = x; .. i ..` as `struct { int v; } i = {int(x)}; .. i.v ..`."""
    for function, variable in _small_variables(unit):
        uses = _references(unit, function, variable)
        if uses is None or variable.parent is None or variable.parent.kind != CursorKind.DECL_STMT:
            continue
        block = variable.parent.parent
        if block is None or block.kind != CursorKind.COMPOUND_STMT:
            continue
        match = re.match(_SMALL, unit.source(variable))
        assert match is not None
        name, begin = variable.cursor.spelling, variable.begin
        value = begin + unit.source(variable).index("=") + 1
        yield (
            Edit(begin, value, f"{match['const'] or ''}struct {{ {match['type']} v; }} {name} = {{({match['type']})("),
            Edit(variable.end, variable.end, ")}"),
            *(Edit(use.end, use.end, ".v") for use in uses),
        )


def aliases(unit: Unit) -> Iterator[Site]:
    """A pointer parameter through another variable."""
    numbers = count()
    for function in unit.functions:
        body = body_of(function)
        for node in function.children:
            is_pointer = node.kind == CursorKind.PARM_DECL and node.cursor.type.kind == TypeKind.POINTER
            uses = _references(unit, function, node) if is_pointer else None
            if uses is None and is_pointer:
                uses = _plain_uses(unit, function, node)
            if uses and not any(_is_changed(use) and use.parent and use.parent.writes for use in uses):
                name = f"alias_{next(numbers)}"
                yield (
                    Edit(body.begin + 1, body.begin + 1, f" auto {name} = {node.cursor.spelling};"),
                    *(Edit(use.begin, use.end, name) for use in uses),
                )


def _plain_uses(unit: Unit, function: Node, parameter: Node) -> list[Node]:
    """The expressions of the body that name a parameter, which is declared outside of it."""
    name = parameter.cursor.spelling
    return [
        node
        for node in body_of(function).walk()
        if node.kind == CursorKind.DECL_REF_EXPR
        and node.refers_to(parameter)
        and unit.source(node) == name
        and not any(begin <= node.begin < end for begin, end in unit.macros)
    ]


def template_constants(unit: Unit) -> Iterator[Site]:
    """A number of a function as a template parameter with that default: `template <int C = 16>`."""
    numbers = count()
    for function in unit.functions:
        name = function.cursor.spelling
        is_once = len(re.findall(rf"\b{re.escape(name)}\s*\((?!\s*\))[^;{{}}]*\)\s*[{{;]", unit.text)) >= 1
        if function.kind != CursorKind.FUNCTION_DECL or not is_once or name in unit.macro_words:
            continue
        if re.search(rf"&\s*{name}\b|\b{name}\s*[,)]", unit.text):  # its address is taken
            continue
        begin = _declaration(unit, function)
        if begin is None:
            continue
        for node in body_of(function).walk():
            is_plain = node.kind == CursorKind.INTEGER_LITERAL and re.fullmatch(r"[1-9]\d*", unit.source(node))
            parent = node.parent
            while parent is not None and parent.kind == CursorKind.UNEXPOSED_EXPR:
                parent = parent.parent
            if is_plain and parent is not None and parent.operator and unit.is_plain(node):
                constant = f"CONSTANT_{next(numbers)}"
                yield (
                    Edit(begin, begin, f"template <int {constant} = {unit.source(node)}> "),
                    Edit(node.begin, node.end, constant),
                )


def _declaration(unit: Unit, function: Node) -> int | None:
    """Where a function's declaration begins; None where a macro or linkage stands before it."""
    name = function.cursor.location.offset
    begin = None
    for token in tokens(unit.text, 0, name):
        if token.text in (";", "}", "{") or token.text.startswith(("//", "/*")):
            begin = None
        elif token.text == "#":
            line = unit.text.find("\n", token.begin)
            begin = -line
        elif begin is None or (begin < 0 and token.begin > -begin):
            begin = token.begin
    if begin is None or begin < 0:
        return None
    head = unit.text[begin:name]
    return None if re.search(r"\b(?:template|extern)\b|#|\"", head) else begin
