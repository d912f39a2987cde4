"""Switches: their sections, and ranges of cases."""

from __future__ import annotations

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering import heads
from coalint.frontend.cuda.lowering.context import Context

MOST_CASES = 64  # of a range that are told apart


def switch(low: Context, node: CursorNode, span: Span) -> ir.Statement:
    """Lower a `switch`."""
    children = list(node.children)
    before = heads.hidden(low, node, span)
    while len(children) > 2 and children[0].kind in heads.DECLARATIONS:
        before.append(low.statements.lower(children.pop(0)))
    subject = low.expressions.lower(children[0])
    cases: list[ir.Case] = []
    body = children[-1]
    for child in body.children if body.kind == kinds.COMPOUND_STMT else [body]:
        _section(low, child, cases)
    statement = ir.Switch(span, subject, tuple(cases))
    return ir.Block(span, (*before, statement)) if before else statement


def _section(low: Context, node: CursorNode, cases: list[ir.Case]) -> None:
    values: list[ir.Expression] = []
    default = labelled = False
    while node.kind in (kinds.CASE_STMT, kinds.DEFAULT_STMT):
        labelled = True
        if node.kind == kinds.DEFAULT_STMT:
            default = True
        elif len(node.children) == 3:  # GNU's `case 1 ... 4:`
            values.extend(_range(low, node.children[0], node.children[1]))
        else:
            values.append(low.expressions.lower(node.children[0]))
        node = node.children[-1]
    statement = low.statements.lower(node)
    if labelled:
        cases.append(ir.Case(tuple(values), default, (statement,)))
    elif cases:
        last = cases[-1]
        cases[-1] = ir.Case(last.values, last.default, (*last.body, statement))


def _range(low: Context, first: CursorNode, last: CursorNode) -> list[ir.Expression]:
    """Return the values of a range of cases, each where they are few."""
    span, type_ = low.locations.span(first.cursor), low.types.of(first.cursor)
    least, most = low.evaluated(first.cursor), low.evaluated(last.cursor)
    if least is None or most is None or most - least > MOST_CASES:
        return [ir.Unresolved(span, type_, "a range of cases")]
    return [ir.Literal(span, type_, value) for value in range(least, most + 1)]
