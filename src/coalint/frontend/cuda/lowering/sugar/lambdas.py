"""Cursors of lambdas to IR."""

from __future__ import annotations

import re
from typing import Any

from coalint.core import ir
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.trees import CursorNode, direct_children, tree
from coalint.frontend.cuda.lowering.context import Context


def lambda_expression(low: Context, node: CursorNode) -> ir.Expression:
    """Return a lambda, after the declarations of what it captures with an initializer."""
    written = re.match(r"\[([^\]]*)\]", low.locations.spelled(node.cursor))
    captures = [part.strip() for part in written.group(1).split(",")] if written is not None else []
    by_value = "=" in captures
    others = (part for part in captures if part not in ("=", "&") and part.startswith("&") is by_value)
    names = (re.match(r"[&.\s]*(\w*)", part) for part in others)
    own = frozenset(name.group(1) for name in names if name is not None and name.group(1))
    function = low.lambda_function(node.cursor)
    span, type_ = low.expressions.span(node), low.expressions.type(node)
    made = ir.Lambda(span, type_, function, by_value, own, "*this" in captures)
    named = (child for child in direct_children(node.cursor) if child._kind_id == kinds.VARIABLE_REF)
    new = tuple(filter(None, (_capture(low, child) for child in named)))
    return ir.Sequence(span, type_, new, made) if new else made


def _capture(low: Context, reference: Any) -> ir.Statement | None:
    """Return the declaration of what a lambda captures as `name = value`; None for a variable around it."""
    variable = low.lib.clang_getCursorReferenced(reference)
    if variable is None or variable._kind_id != kinds.VAR_DECL:
        return None
    if variable.semantic_parent.spelling != "operator()":
        return None
    declared = low.variable(variable)
    value = low.statements.initializer(tree(variable))
    if value is None:
        type_ = declared.type.target if isinstance(declared.type, ir.Reference) else declared.type
        value = ir.Unresolved(declared.span, type_, f"what the lambda captures as `{declared.name}` is not known")
    return ir.Declare(declared.span, declared, value)
