"""Whether floating-point values decide anything in a piece of code: a condition, or a number that is an integer."""

from __future__ import annotations

from collections.abc import Mapping

from coalint.analysis.domain.algebra.logic import COMPARISONS
from coalint.core import ir


def floats_decide(root: ir.Expression | ir.Statement, functions: Mapping[str, ir.Function]) -> bool:
    """Whether a floating-point value is compared or becomes an integer in the code, or in a function that it calls."""
    pending: list[ir.Expression | ir.Statement] = [root]
    called: set[str] = set()
    while pending:
        node = pending.pop()
        if _decides(node):
            return True
        function = node.function if isinstance(node, ir.Call | ir.Lambda) else None
        if function is not None and function in functions and function not in called:
            called.add(function)
            pending.append(functions[function].body)
        pending.extend(ir.children(node))
    return False


def _decides(node: ir.Expression | ir.Statement) -> bool:
    match node:
        case ir.Binary() if node.operator in COMPARISONS or node.operator in ("&&", "||"):
            return isinstance(node.left.type, ir.Floating) or isinstance(node.right.type, ir.Floating)
        case ir.Cast():
            return isinstance(node.type, ir.Integer) and isinstance(node.operand.type, ir.Floating)
        case ir.Unary(operator="!"):
            return isinstance(node.operand.type, ir.Floating)
        case ir.Conditional() | ir.If():
            return isinstance(node.condition.type, ir.Floating)
        case ir.Loop():
            return node.condition is not None and isinstance(node.condition.type, ir.Floating)
        case ir.Call():
            return isinstance(node.type, ir.Integer) and any(isinstance(a.type, ir.Floating) for a in node.arguments)
    return False
