"""What loops count, and which expressions hold nothing else: compilers know these once they have unrolled the loops."""

from __future__ import annotations

from collections.abc import Container

from coalint.core.ir.expressions import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Increment,
    Lambda,
    Literal,
    Name,
    Unary,
)
from coalint.core.ir.folding import constant
from coalint.core.ir.nodes import Expression, Statement, Variable
from coalint.core.ir.statements import Declare, Jump, JumpKind, Loop, Return, Switch
from coalint.core.ir.walk import children, nodes


def stepped(loop: Loop) -> frozenset[str]:
    """Return the keys of the variables that a loop's step changes."""
    steps = nodes(loop.step) if loop.step is not None else ()
    targets = (step.target for step in steps if isinstance(step, Assign | Increment))
    return frozenset(target.variable.key for target in targets if isinstance(target, Name))


def is_decided(expression: Expression, counters: Container[str]) -> bool:
    """Whether an expression is made of numbers and of variables with these keys alone."""
    for node in nodes(expression):
        if isinstance(node, Name):
            if node.variable.key not in counters and node.variable.constant is None:
                return False
        elif not isinstance(node, Literal | Unary | Binary | Cast | Conditional):
            return False
    return True


def unrollable(loop: Loop) -> frozenset[str]:
    """Return the keys of a loop's counters, if numbers alone say how often it runs; none of other loops."""
    counters = stepped(loop)
    is_kept = loop.condition is None or loop.unroll == 1 or not is_decided(loop.condition, counters)
    return frozenset() if is_kept else counters


def is_counted(loop: Loop) -> bool:
    """Whether a loop's header alone tells how often it runs, as of `for (int i = first; i < n; ++i)`.

    So it does where the body moves nothing of what the condition compares, and nothing but that ends the loop.
    """
    condition, counters = loop.condition, stepped(loop)
    while isinstance(condition, Cast):
        condition = condition.operand
    if not isinstance(condition, Binary) or condition.operator not in ("<", "<=", ">", ">=", "!="):
        return False
    sides = (_without_casts(condition.left), _without_casts(condition.right))
    tested = [side for side in sides if isinstance(side, Name) and side.variable.key in counters]
    if len(tested) != 1:
        return False
    (bound,) = (side for side in sides if side is not tested[0])
    named = {node.variable.key for node in nodes(bound) if isinstance(node, Name)}
    moved = {tested[0].variable.key, *named}
    return (
        not any(isinstance(node, Assign | Increment | Lambda) for node in nodes(bound))
        and not named & counters
        and not any(_may_change(loop.body, key) for key in moved)
        and not _may_end(loop.body)
    )


def _may_end(part: Expression | Statement, *, is_inner: bool = False) -> bool:
    """Whether a part of a loop's body may end the loop; an inner loop or switch has breaks of its own."""
    if isinstance(part, Return):
        return True
    if isinstance(part, Jump):
        return part.kind is not JumpKind.CONTINUE and not (is_inner and part.kind is JumpKind.BREAK)
    is_inner = is_inner or isinstance(part, Loop | Switch)
    return any(_may_end(child, is_inner=is_inner) for child in children(part))


def iterations(loop: Loop) -> tuple[str, range] | None:
    """Return the key of the counter and its numbers of `for (int i = 0; i < 4; ++i)`; None for any other loop."""
    match loop:
        case Loop(
            initializer=(Declare(variable=counter, initializer=Expression() as first),),
            condition=Binary(operator="<" | "<=" as operator, left=left, right=right),
            step=Increment(target=Name(variable=moved), step=1),
        ):
            start, bound, tested = constant(first), constant(right), _without_casts(left)
            is_one = isinstance(tested, Name) and tested.variable.key == moved.key == counter.key
            if start is None or bound is None or not is_one or _may_change(loop.body, counter.key):
                return None
            return counter.key, range(start, bound + (operator == "<="))
    return None


def _may_change(body: Statement, key: str) -> bool:
    """Whether a body does more with a variable of this key than to read it."""
    for node in nodes(body):
        match node:
            case Assign(target=Name(variable=variable)) | Increment(target=Name(variable=variable)):
                handed: tuple[Variable, ...] = (variable,)
            case AddressOf(target=Name(variable=variable)) | Declare(initializer=Name(variable=variable)):
                handed = (variable,)
            case Call(arguments=arguments):
                handed = tuple(argument.variable for argument in arguments if isinstance(argument, Name))
            case Lambda():
                return True
            case _:
                handed = ()
        if any(variable.key == key for variable in handed):
            return True
    return False


def _without_casts(expression: Expression) -> Expression:
    while isinstance(expression, Cast):
        expression = expression.operand
    return expression
