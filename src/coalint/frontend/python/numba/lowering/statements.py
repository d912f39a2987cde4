"""Statements: assignments, branches, returns, and what a kernel cannot hold."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.python.numba.decorators import decorated
from coalint.frontend.python.numba.lowering import loops, stores
from coalint.frontend.python.numba.lowering.components import packed, type_of
from coalint.frontend.python.numba.lowering.conditions import condition
from coalint.frontend.python.numba.lowering.state import Lowering, expressions_of
from coalint.frontend.python.numba.types import Static, UnknownType, joined
from coalint.frontend.python.numba.values import Nothing, TupleValue, Unknown, Value


def body(low: Lowering, nodes: Sequence[ast.stmt]) -> None:
    """Lower statements into the block at hand."""
    for node in nodes:
        statement(low, node)


def block(low: Lowering, nodes: Sequence[ast.stmt], span: Span) -> ir.Block:
    """Return statements as a block of their own."""
    with low.block() as statements:
        low.body(nodes)
    return ir.Block(span, tuple(statements))


def statement(low: Lowering, node: ast.stmt) -> None:
    """Lower one statement."""
    span = low.span(node)
    match node:
        case ast.Expr():
            _evaluated(low, node)
        case ast.Assign():
            value = low.value(node.value)
            for target in node.targets:
                stores.assign(low, target, value, node)
        case ast.AnnAssign():
            if node.value is not None:
                stores.assign(low, node.target, low.value(node.value), node)
        case ast.AugAssign():
            stores.change(low, node)
        case ast.If():
            _branch(low, node)
        case ast.For():
            loops.loop_over(low, node)
        case ast.While():
            loops.while_loop(low, node)
        case ast.Return():
            returned(low, Nothing() if node.value is None else low.value(node.value), span)
        case ast.Break():
            low.emit(ir.Jump(span, ir.JumpKind.BREAK))
        case ast.Continue():
            loops.continued(low, span)
        case ast.FunctionDef():
            low.variables.current[node.name] = decorated(low, node)
        case ast.Pass() | ast.Import() | ast.ImportFrom() | ast.Global() | ast.Nonlocal() | ast.ClassDef():
            return
        case ast.AsyncFunctionDef():
            return
        case ast.Assert():
            low.emit(ir.Evaluate(span, condition(low, node.test)))
        case ast.With() | ast.Try() | ast.Match() | ast.Raise() | ast.Delete():
            _of_host(low, node)
        case _:
            low.emit(ir.Unanalysed(span, f"a statement of this kind (`{type(node).__name__}`) is not followed"))


def _evaluated(low: Lowering, node: ast.Expr) -> None:
    if isinstance(node.value, ast.Constant):
        return
    value = low.value(node.value)
    span = low.span(node)
    if isinstance(value, Unknown) and not (low.is_host or low.is_static):
        for e in value.parts:
            low.emit(ir.Evaluate(span, e))
        if not any(isinstance(e, ir.Call) for e in value.parts):
            low.emit(ir.Unanalysed(span, value.reason))
        return
    for e in expressions_of(value):
        low.emit(ir.Evaluate(span, e))


def _branch(low: Lowering, node: ast.If) -> None:
    span = low.span(node)
    test = condition(low, node.test)
    if isinstance(test, ir.Literal):
        low.body(node.body if test.value else node.orelse)
        return
    before = dict(low.variables.current)
    then = block(low, node.body, span)
    after_then = low.variables.current
    low.variables.current = before.copy()
    otherwise = block(low, node.orelse, span) if node.orelse else None
    after = low.variables.current
    if _leaves(node.body):
        low.variables.current = after
    elif node.orelse and _leaves(node.orelse):
        low.variables.current = after_then
    else:
        low.variables.meet(after_then, after)
    low.emit(ir.If(span, test, then, otherwise))


def _leaves(nodes: Sequence[ast.stmt]) -> bool:
    return bool(nodes) and isinstance(nodes[-1], ast.Return | ast.Break | ast.Continue | ast.Raise)


def returned(low: Lowering, value: Value, span: Span) -> None:
    """Return a value."""
    if isinstance(value, Nothing):
        low.emit(ir.Return(span, None))
        return
    type_ = type_of(value)
    if isinstance(type_, UnknownType) and not isinstance(value, Unknown):
        type_ = Static(value)
    low.results.append(type_)
    whole = type_ if low.result is None else joined(low.result, type_)
    low.emit(ir.Return(span, packed(value, whole, span)))


def _of_host(low: Lowering, node: ast.stmt) -> None:
    """Lower statements of hosts: a body is run as it stands; no kernel holds them."""
    match node:
        case ast.With():
            for item in node.items:
                value = low.value(item.context_expr)
                if item.optional_vars is not None:
                    stores.assign(low, item.optional_vars, value, node)
            low.body(node.body)
        case ast.Try():
            low.body(node.body)
            low.body(node.orelse)
            low.body(node.finalbody)
        case ast.Raise():
            low.emit(
                ir.Evaluate(
                    low.span(node),
                    ir.Call(low.span(node), ir.Other("none"), "raise", None, (), intrinsic=ir.Intrinsic.TRAP),
                )
            )
        case ast.Match():
            low.emit(ir.Unanalysed(low.span(node), "`match` is not followed"))


def items_of(value: Value) -> tuple[Value, ...] | None:
    """Return the items of a tuple."""
    return value.items if isinstance(value, TupleValue) else None
