"""Range-based `for` over objects, as the loop that it stands for ([stmt.ranged] of the C++ standard).

libclang shows the variable, set to `*__begin`; the declarations of `__begin` and `__range` are found from there, but
not the calls of end(), `!=` and `++`. A function after the file's text makes the same calls for the class, in a parse
of its own, and the loop takes them from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.trees import CursorNode, tree
from coalint.frontend.cuda.lowering.context import Context

_FUNCTIONS = frozenset({kinds.CXX_METHOD, kinds.FUNCTION_DECL})

E = TypeVar("E", bound=ir.Expression)


def over_object(low: Context, node: CursorNode, span: Span, body: ir.Statement) -> ir.Statement | None:
    """Return a loop over an object with begin() and end(); None where these are not known."""
    if len(node.children) != 3:
        return None
    variable, over, _ = node.children
    begin = _referenced(variable, "__begin")
    range_ = None if begin is None else _referenced(begin, "__range")
    if begin is None or range_ is None or not (low.on_device or _may_launch(body)):
        return None
    made = low.lib.clang_getCursorReferenced(_outermost_call(begin))
    if made is None or made._kind_id not in _FUNCTIONS:
        return None
    calls = low.ranges.calls(range_.cursor, member=made._kind_id == kinds.CXX_METHOD)
    if calls is None:
        return None
    at, whole = low.locations.span(over.cursor), low.locations.span(variable.cursor)
    header = replace(whole, end_line=at.end_line, end_column=at.end_column)
    made_by_clang = [low.variable(of.cursor) for of in (range_, begin)]
    in_probe = [low.variable(cursor) for cursor in (calls.range, calls.begin.cursor, calls.end.cursor)]
    types = [variable.type for variable in (*made_by_clang, in_probe[-1])]
    held, position, last = map(low.fresh, ("range", "position", "end"), types, (at, at, at))
    names = {
        variable.key: stands
        for variables in (made_by_clang, in_probe)
        for variable, stands in zip(variables, (held, position, last), strict=False)
    }
    lower, initializer = low.expressions.lower, low.statements.initializer
    start, end, element = initializer(begin), initializer(calls.end), initializer(variable)
    if start is None or end is None or element is None:
        return None
    before = (
        ir.Declare(at, held, initializer(range_)),
        ir.Declare(at, position, _placed(start, at, names)),
        ir.Declare(at, last, _placed(end, at, names)),
    )
    at = _name(low.locations.text(whole), whole, variable.cursor.spelling)
    declared = low.statements.made(variable, whole, _placed(element, at, names))
    differs, step = (_placed(lower(part), header, names) for part in (calls.differs, calls.step))
    return ir.Loop(span, before, differs, step, ir.Block(span, (declared, body)), test_first=True)


def _may_launch(body: ir.Statement) -> bool:
    """Whether what a loop of the host does may be to launch kernels: for others no parse is worth it."""
    return any(
        isinstance(node, ir.Launch) or (isinstance(node, ir.Call) and node.function is not None)
        for node in ir.nodes(body)
    )


def _name(text: str, whole: Span, name: str) -> Span:
    """Return where a declaration (its text and place) has the name; all of it where that is spread over lines."""
    at = text.rfind(name) if name and whole.line == whole.end_line else -1
    return whole if at < 0 else replace(whole, column=whole.column + at, end_column=whole.column + at + len(name))


def _all(node: CursorNode) -> Iterator[CursorNode]:
    yield node
    for child in node.children:
        yield from _all(child)


def _referenced(node: CursorNode, name: str) -> CursorNode | None:
    """Return the declaration of one of the loop's hidden variables, named in what a variable is initialized with."""
    for part in _all(node):
        if part.kind == kinds.DECL_REF_EXPR and part.cursor.spelling.startswith(name):
            target = library().clang_getCursorReferenced(part.cursor)
            if target is not None and target._kind_id == kinds.VAR_DECL:
                target._tu = node.cursor._tu
                return tree(target)
    return None


def _outermost_call(variable: CursorNode) -> Any:
    """Return the call that a variable is initialized with."""
    return next((part.cursor for part in _all(variable) if part.kind == kinds.CALL_EXPR), variable.cursor)


def _placed(e: E, at: Span, names: Mapping[str, ir.Variable]) -> E:
    """Return an expression as if it stood elsewhere, with other variables for those of some keys."""
    changes: dict[str, Any] = {"span": at}
    for field in fields(e):
        part = getattr(e, field.name)
        if isinstance(part, ir.Expression):
            changes[field.name] = _placed(part, at, names)
        elif isinstance(part, ir.Variable):
            changes[field.name] = names.get(part.key, part)
        elif isinstance(part, tuple):
            changes[field.name] = tuple(_placed(p, at, names) if isinstance(p, ir.Expression) else p for p in part)
    return replace(e, **changes)
