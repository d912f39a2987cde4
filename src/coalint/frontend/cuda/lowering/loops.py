"""Loops with a condition: variables that are declared in it are made anew in each iteration."""

from __future__ import annotations

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering import heads
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.objects.destructors import together


def for_loop(low: Context, node: CursorNode, span: Span) -> ir.Statement:
    """Lower a `for`."""
    *header, last = node.children
    declared = [part for position, part in enumerate(header) if position and part.kind in heads.DECLARATIONS]
    header = [part for part in header if part not in declared]
    initializer, condition, step = heads.header(low, header, span)
    test = None if condition is None else low.expressions.lower(condition)
    test, body = _tested(low, declared, test, last, span)
    return ir.Loop(
        span,
        () if initializer is None else (low.statements.lower(initializer),),
        test,
        None if step is None else low.expressions.lower(step),
        body,
        test_first=True,
    )


def while_loop(low: Context, node: CursorNode, span: Span) -> ir.Statement:
    """Lower a `while`."""
    children = list(node.children)
    declared: list[CursorNode] = []
    while len(children) > 2 and children[0].kind in heads.DECLARATIONS:
        declared.append(children.pop(0))
    test, body = _tested(low, declared, low.expressions.lower(children[0]), children[-1], span)
    return ir.Loop(span, (), test, None, body, test_first=True)


def _tested(
    low: Context, declared: list[CursorNode], test: ir.Expression | None, body: CursorNode, span: Span
) -> tuple[ir.Expression | None, ir.Statement]:
    """Return the condition and body of a loop that declares a variable in its condition: anew in each iteration."""
    if not declared or test is None:
        return test, low.statements.body(body)
    with low.statements.ends.scope("loop") as scope:
        declarations = [low.statements.lower(part) for part in declared]
        inner = low.statements.lower(body)
        ends = low.statements.ends.end(scope)
    leave = ir.If(span, test, ir.Block(span, ()), together([*ends, ir.Jump(span, ir.JumpKind.BREAK)], span))
    first = declarations[0]
    value = first.initializer if isinstance(first, ir.Declare) and len(declared) == 1 else None
    is_same = value is not None and isinstance(first, ir.Declare) and value.type == first.variable.type
    if value is None or not is_same or ends or not (isinstance(value.type, ir.Integer) and _costs_nothing(value)):
        return None, ir.Block(span, (*declarations, leave, inner, *ends))
    zero = ir.Literal(value.span, ir.Integer(32, True), 0)
    again = ir.Binary(value.span, ir.Integer(1, False), "!=", value, zero)
    return again, ir.Block(span, (*declarations, inner))


def _costs_nothing(e: ir.Expression) -> bool:
    """Whether an expression can be evaluated twice: it changes nothing and reads no memory."""
    match e:
        case ir.Literal() | ir.Builtin():
            return True
        case ir.Name(variable=variable):
            return variable.storage in (ir.Storage.LOCAL, ir.Storage.PARAMETER)
        case ir.Unary() | ir.Binary() | ir.Conditional() | ir.Cast():
            return all(isinstance(part, ir.Expression) and _costs_nothing(part) for part in ir.children(e))
    return False
