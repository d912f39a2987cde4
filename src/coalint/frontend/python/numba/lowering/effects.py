"""What is evaluated for its effects, and calls that are not followed."""

from __future__ import annotations

import ast

from coalint.core import ir
from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.state import Lowering, expressions_of
from coalint.frontend.python.numba.values import Nothing, Unknown, Value


def unfollowed(low: Lowering, node: ast.Call, given: Arguments, reason: str) -> Value:
    """Return what a function gives that is not followed: it may access the arrays that it is given."""
    span = low.span(node)
    passed = tuple(e for argument in given.all for e in expressions_of(argument))
    if low.is_host or low.is_static:
        return Unknown(reason)
    type_ = ir.Other("unknown", 0, reason)
    e = ir.Call(span, type_, low.text(node.func), None, passed, reason=reason)
    return Unknown(reason, (e,))


def nothing(low: Lowering, node: ast.AST, e: ir.Expression) -> Value:
    """Evaluate an expression for its effects."""
    low.emit(ir.Evaluate(low.span(node), e))
    return Nothing()
