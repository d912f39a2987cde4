"""Integer constants of expressions, and the parts of a statement that constants leave standing."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping

from coalint.core.ir.expressions import Binary, Cast, Conditional, Literal, Name, Unary
from coalint.core.ir.nodes import Expression, Statement
from coalint.core.ir.statements import If
from coalint.core.ir.walk import children

_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


_NONE: Mapping[str, int] = {}


def constant(expression: Expression, values: Mapping[str, int] = _NONE) -> int | None:
    """Return the integer that an expression of constants is; None for any other, or for an operator not known here.

    `values` are the numbers of variables, by their keys.
    """
    match expression:
        case Literal(value=value):
            return value
        case Name(variable=variable):
            return values.get(variable.key, variable.constant)
        case Cast(operand=operand):
            return constant(operand, values)
        case Unary(operator="!", operand=operand):
            value = constant(operand, values)
            return None if value is None else int(not value)
        case Binary(operator="&&" | "||" as joined, left=left, right=right):
            return _joined(joined, constant(left, values), constant(right, values))
        case Binary(operator=operator_, left=left, right=right) if operator_ in _BINARY:
            a, b = constant(left, values), constant(right, values)
            return None if a is None or b is None else int(_BINARY[operator_](a, b))
    return None


def _joined(operator_: str, left: int | None, right: int | None) -> int | None:
    """Return what `&&` or `||` comes to, of which one side may decide."""
    deciding = operator_ == "||"
    sides = [None if side is None else bool(side) for side in (left, right)]
    if deciding in sides:
        return int(deciding)
    return None if None in sides else int(not deciding)


def standing(node: Expression | Statement) -> Iterator[Expression | Statement]:
    """Yield the children of a node without the side of a branch that a constant condition leaves out."""
    if isinstance(node, If | Conditional):
        chosen = constant(node.condition)
        if chosen is not None:
            side = node.then if chosen else node.otherwise
            if side is not None:
                yield side
            return
    yield from children(node)
