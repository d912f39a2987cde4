"""Range-based loops: over arrays by positions, over objects from begin() to end(), over anything else unknown."""

from __future__ import annotations

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering import heads
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.expressions import is_expression
from coalint.frontend.cuda.lowering.sugar import range_for, structured_bindings


def range_loop(low: Context, node: CursorNode, span: Span) -> ir.Statement:
    """Return a loop over an array as one over its positions, over an object as one from its begin() to its end()."""
    hidden = heads.hidden(low, node, span)
    statement = _over_range(low, node, span)
    return ir.Block(span, (*hidden, statement)) if hidden else statement


def _over_range(low: Context, node: CursorNode, span: Span) -> ir.Statement:
    body = low.statements.body(node.children[-1])
    if len(node.children) == 3 and structured_bindings.declares(node.children[0]):
        counted = _over_array(low, node, span, body)
        if counted is not None:
            return counted
    stepped = range_for.over_object(low, node, span, body)
    if stepped is not None:
        return stepped
    before: list[ir.Statement] = []
    for child in filter(structured_bindings.declares, node.children):
        if structured_bindings.is_declared(child):
            before.append(structured_bindings.declared(low, child, None))
            continue
        variable = low.variable(child.cursor)
        before.append(ir.Declare(span, variable, _unknown_element(low, node, variable, span)))
    condition = ir.Unresolved(span, ir.Integer(1, False), "a range-based for is not followed")
    return ir.Loop(span, (), condition, None, ir.Block(span, (*before, body)), test_first=True)


def _unknown_element(low: Context, node: CursorNode, variable: ir.Variable, span: Span) -> ir.Expression:
    """Return what a loop goes over that is not followed; through a reference to it the object may change."""
    reason = "the elements of a range-based for are not followed"
    over = [child for child in node.children[:-1] if is_expression(child.kind)]
    if not isinstance(variable.type, ir.Reference) or not over:
        return ir.Unresolved(span, variable.type, reason)
    range_, type_ = low.expressions.lower(over[-1]), variable.type.target
    pointer = ir.Pointer(type_)
    address = ir.AddressOf(range_.span, ir.Pointer(range_.type), range_)
    return ir.Dereference(span, type_, ir.Unresolved(span, pointer, reason, (address,)))


def _over_array(low: Context, node: CursorNode, span: Span, body: ir.Statement) -> ir.Statement | None:
    over = node.children[1]
    while over.kind == kinds.UNEXPOSED_EXPR and len(over.children) == 1:
        over = over.children[0]
    if not is_expression(over.kind):
        return None
    array = low.expressions.lower(over)
    if not isinstance(array.type, ir.Array) or not array.type.count:
        return None
    integer, before = ir.Integer(64, True), list[ir.Statement]()
    if not isinstance(array, ir.Name | ir.Member | ir.Subscript | ir.Dereference):
        held = ir.Variable(f"{span.line}:{span.column}:range", "range", array.type, ir.Storage.LOCAL, span)
        before.append(ir.Declare(span, held, array))
        array = ir.Name(span, array.type, held)
    index = ir.Variable(f"{span.line}:{span.column}:position", "position", integer, ir.Storage.LOCAL, span)
    at = ir.Name(span, integer, index)
    one = node.children[0]
    type_ = low.types.of(one.cursor)
    assert isinstance(array.type, ir.Array)
    element: ir.Expression = ir.Subscript(array.span, array.type.element, array, at)
    if not isinstance(type_, ir.Reference) and type_ != element.type:
        element = ir.Cast(array.span, type_, element)
    before.append(ir.Declare(span, index, ir.Literal(span, integer, 0)))
    end = ir.Literal(span, integer, array.type.count)
    condition = ir.Binary(span, ir.Integer(1, False), "<", at, end)
    inside = ir.Block(span, (low.statements.made(one, span, element), body))
    return ir.Loop(span, tuple(before), condition, ir.Increment(span, integer, at, 1, True), inside, test_first=True)
