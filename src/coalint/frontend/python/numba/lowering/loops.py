"""Loops: over ranges, tuples and arrays, `while`, and those that assignments to views are."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.python.numba.lowering import indexing, stores
from coalint.frontend.python.numba.lowering.build import INDEX, combined, constant, index
from coalint.frontend.python.numba.lowering.conditions import condition
from coalint.frontend.python.numba.lowering.state import Lowering, expressions_of
from coalint.frontend.python.numba.lowering.variables import Slot
from coalint.frontend.python.numba.types import BOOLEAN, INT64, ir_type
from coalint.frontend.python.numba.values import ArrayValue, Number, Range, TupleValue, Unknown, Value, Zipped

MOST_UNROLLED = 32


def loop_over(low: Lowering, node: ast.For) -> None:
    """Lower `for target in iterable`."""
    iterable = low.value(node.iter)
    if node.orelse:
        iterable = Unknown("`for` with `else` is not followed", tuple(expressions_of(iterable)))
    match iterable:
        case Range():
            _over_range(low, node, iterable)
        case TupleValue() if len(iterable.items) <= MOST_UNROLLED:
            _unrolled(low, node, iterable.items)
        case ArrayValue():
            span = low.span(node.iter)
            whole = Range(constant(span, 0), iterable.shape[0], constant(span, 1))
            counted(low, node, whole, lambda at: indexing.element_or_view(low, node.iter, iterable, (at,)))
        case Zipped():
            _together(low, node, iterable)
        case _:
            _over_unknown(low, node, iterable)


def _together(low: Lowering, node: ast.For, zipped: Zipped) -> None:
    """Lower a loop over several things at once: as long as the first of them whose length is one."""
    tuples = [one for one in zipped.items if isinstance(one, TupleValue)]
    span = low.span(node.iter)
    if tuples:
        count = min(len(one.items) for one in tuples)
        rows = [
            TupleValue(tuple(_item(low, node, one, constant(span, k)) for one in zipped.items)) for k in range(count)
        ]
        _unrolled(low, node, rows)
        return
    measured = next((one for one in reversed(zipped.items) if isinstance(one, ArrayValue)), zipped.items[-1])
    if isinstance(measured, ArrayValue):
        whole = Range(constant(span, 0), measured.shape[0], constant(span, 1))
    else:
        assert isinstance(measured, Range)
        if measured.step.constant != 1:
            _over_unknown(low, node, Unknown("a range with a step beside another one is not followed"))
            return
        whole = Range(constant(span, 0), combined(span, "-", measured.last, measured.first), constant(span, 1))
    counted(low, node, whole, lambda at: TupleValue(tuple(_item(low, node, one, at) for one in zipped.items)))


def _item(low: Lowering, node: ast.For, iterable: Value, at: Number) -> Value:
    span = low.span(node.iter)
    match iterable:
        case Range():
            return combined(span, "+", iterable.first, combined(span, "*", iterable.step, at))
        case ArrayValue():
            return indexing.element_or_view(low, node.iter, iterable, (at,))
        case TupleValue() if isinstance(at.constant, int):
            return iterable.items[at.constant]
    return Unknown("an item that is not followed")


def _over_unknown(low: Lowering, node: ast.For, iterable: Value) -> None:
    """Lower a loop over what is not followed: the body is run for a value that is not known."""
    span = low.span(node)
    reason = iterable.reason if isinstance(iterable, Unknown) else "what is iterated over here is not followed"
    if not low.is_host:
        low.emit(ir.Unanalysed(low.span(node.iter), reason))
    test = ir.Unresolved(low.span(node.iter), ir_type(BOOLEAN), reason, tuple(expressions_of(iterable)))
    before = dict(low.variables.current)
    with low.block() as statements:
        stores.assign(low, node.target, Unknown(reason), node)
        low.body(node.body)
    _meet(low, before)
    low.emit(ir.Loop(span, (), test, None, ir.Block(span, tuple(statements)), test_first=True))


def _meet(low: Lowering, before: Mapping[str, Slot | Value]) -> None:
    low.variables.meet(before, low.variables.current)


def _unrolled(low: Lowering, node: ast.For, items: Sequence[Value]) -> None:

    if any(isinstance(inner, ast.Break | ast.Continue) for inner in _own(node.body)):
        _over_unknown(low, node, Unknown("a loop over a tuple with `break` or `continue` is not followed"))
        return
    for item in items:
        stores.assign(low, node.target, item, node)
        low.body(node.body)


def _own(nodes: Sequence[ast.AST]) -> list[ast.AST]:
    """Return all nodes of a loop's body, but for those of loops within it."""
    own: list[ast.AST] = []
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        own.append(node)
        if not isinstance(node, ast.For | ast.While):
            waiting.extend(ast.iter_child_nodes(node))
    return own


def _over_range(low: Lowering, node: ast.For, range_: Range) -> None:
    counted(low, node, range_, lambda at: at)


class _Steps:
    """How a range counts: its test and its direction."""

    def __init__(self, low: Lowering, range_: Range, span: Span) -> None:
        step = range_.step.constant
        self.backwards = isinstance(step, int) and step < 0
        self.last = low.kept(range_.last, "last", span)
        self.step = low.kept(range_.step, "step", span)
        stop = range_.last.constant
        is_above = range_.last.is_natural or (isinstance(stop, int) and stop >= -1)
        self.is_natural = is_above if self.backwards else range_.first.is_natural and not _may_be_negative(range_.step)


def _may_be_negative(step: Number) -> bool:
    return isinstance(step.constant, int) and step.constant < 0


def counted(low: Lowering, node: ast.For, range_: Range, item: Callable[[Number], Value]) -> None:
    """Lower a loop over a range; `item` gives what the target is for an index."""
    span = low.span(node)
    place = low.span(node.target)
    steps = _Steps(low, range_, low.span(node.iter))
    name = node.target.id if isinstance(node.target, ast.Name) else "index"
    variable = ir.Variable(low.new_key(f"{name} of the loop"), name, INDEX, ir.Storage.LOCAL, place)
    counter = Number(ir.Name(place, INDEX, variable), INT64, is_natural=steps.is_natural)
    before = dict(low.variables.current)
    assert isinstance(steps.last, Number)
    assert isinstance(steps.step, Number)
    test = ir.Binary(
        low.span(node.iter), ir_type(BOOLEAN), ">" if steps.backwards else "<", counter.expression, index(steps.last)
    )
    with low.block() as statements:
        stores.assign(low, node.target, item(counter), node)
        low.body(node.body)
    _meet(low, before)
    step = ir.Assign(low.span(node.iter), INDEX, "+", counter.expression, index(steps.step))
    begin = ir.Declare(place, variable, index(range_.first))
    low.emit(ir.Loop(span, (begin,), test, step, ir.Block(span, tuple(statements)), test_first=True))


def while_loop(low: Lowering, node: ast.While) -> None:
    """Lower `while condition`."""
    span = low.span(node)
    test = condition(low, node.test)
    if isinstance(test, ir.Literal) and not test.value:
        return
    before = dict(low.variables.current)
    with low.block() as statements:
        low.body(node.body)
    _meet(low, before)
    if node.orelse:
        low.emit(ir.Unanalysed(span, "`while` with `else` is not followed"))
    low.emit(ir.Loop(span, (), test, None, ir.Block(span, tuple(statements)), test_first=True))


def continued(low: Lowering, span: Span) -> None:
    """Lower `continue`."""
    low.emit(ir.Jump(span, ir.JumpKind.CONTINUE))
