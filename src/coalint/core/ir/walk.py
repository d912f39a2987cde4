"""Walks over the IR."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from coalint.core.ir.expressions import (
    AddressOf,
    Aggregate,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Dereference,
    Increment,
    Launch,
    Member,
    Sequence,
    Subscript,
    Unary,
    Unresolved,
)
from coalint.core.ir.nodes import Expression, Statement
from coalint.core.ir.statements import Assembly, Block, Declare, Evaluate, If, Labelled, Loop, Return, Switch, Try

Parts = tuple[Expression | Statement, ...]


def children(node: Expression | Statement) -> Parts:
    """Return the parts of a node, in the order of the source."""
    parts = _CHILDREN.get(type(node))
    return () if parts is None else parts(node)


def nodes(node: Expression | Statement) -> Iterator[Expression | Statement]:
    """Yield a node and all that it consists of, in the order of the source."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        parts = _CHILDREN.get(type(node))  # most nodes are leaves
        if parts is not None:
            pending.extend(parts(node)[::-1])


def _present(*parts: Expression | Statement | None) -> Parts:
    return tuple([part for part in parts if part is not None])


def _of_switch(node: Switch) -> Parts:
    inside: list[Expression | Statement] = [node.subject]
    for case in node.cases:
        inside.extend((*case.values, *case.body))
    return tuple(inside)


# A table, since walks ask for the children of every node: a `match` would try one class after the other.
_CHILDREN: dict[type, Callable[[Any], Parts]] = {
    Unary: lambda node: (node.operand,),
    Cast: lambda node: (node.operand,),
    Dereference: lambda node: (node.pointer,),
    AddressOf: lambda node: (node.target,),
    Increment: lambda node: (node.target,),
    Member: lambda node: (node.object,),
    Evaluate: lambda node: (node.expression,),
    Binary: lambda node: (node.left, node.right),
    Subscript: lambda node: (node.base, node.index),
    Assign: lambda node: (node.target, node.value),
    Conditional: lambda node: (node.condition, node.then, node.otherwise),
    Call: lambda node: (
        node.arguments
        if node.callee is None and node.receiver is None
        else _present(node.callee, node.receiver, *node.arguments)
    ),
    Aggregate: lambda node: tuple(part for _, part in node.parts),
    Sequence: lambda node: _present(*node.statements, node.value),
    Launch: lambda node: _present(node.callee, node.grid, node.block, *node.arguments, node.packed),
    Unresolved: lambda node: node.parts,
    Declare: lambda node: () if node.initializer is None else (node.initializer,),
    Return: lambda node: () if node.value is None else (node.value,),
    Block: lambda node: node.statements,
    Labelled: lambda node: (node.statement,),
    Try: lambda node: (node.body, *node.handlers),
    If: lambda node: _present(node.condition, node.then, node.otherwise),
    Loop: lambda node: _present(*node.initializer, node.condition, node.body, node.step),
    Assembly: lambda node: tuple(operand.expression for operand in node.operands),
    Switch: _of_switch,
}
