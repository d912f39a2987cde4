"""What both sides of a condition do last, of which nvcc may make one instruction behind them, at either address.

`if (c) a[i] = x; else a[j] = y;` is one store of a chosen value to a chosen address (LLVM's pass `simplifycfg`, "sink
common code"), and so is what stands before it on both sides as long as the two are alike: of `a[i] += 1` in one and
`a[j] += 1` in the other there is one load, too. Seen on an H200, with `return` in place of `else` and with `switch`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import combinations, pairwise

from coalint.analysis.recorder.elimination.repeated_conditions import repeated_conditions
from coalint.analysis.recorder.elimination.written_sums import shape_of
from coalint.core import ir
from coalint.core.ir.loop_trips import without_casts

MOST_ENDS = 32
"""Sides of a condition each two of which are held against each other."""

Pair = tuple[int, int]
"""The identities of two expressions that read or change a place."""


def joined_ends(body: ir.Block) -> tuple[list[Pair], list[Pair]]:
    """Return the stores and the loads in a function's body of each two of which one may be made."""
    stores: list[Pair] = []
    loads: list[Pair] = []
    for one, other in _sides(body):
        for first, second in zip(reversed(_plain(one)), reversed(_plain(other)), strict=False):
            if not _join(first, second, stores, loads):
                break
    return stores, loads


def _sides(body: ir.Block) -> Iterator[tuple[ir.Statement, ir.Statement]]:
    """Yield what each two sides of a condition do until they meet.

    Where it ends the only side of another one, a third way meets them, unless the same condition comes next.
    """
    repeated = repeated_conditions(body)
    ends = {id(end) for node in ir.nodes(body) if isinstance(node, ir.If) for end in _only_end(node, repeated)}
    for node in ir.nodes(body):
        if isinstance(node, ir.If) and node.otherwise is not None and id(node) not in ends:
            yield from _pairs([*_ends(node.then), *_ends(node.otherwise)])
        elif isinstance(node, ir.Switch):
            cases = [end for case in node.cases for end in _ends(ir.Block(node.span, case.body))]
            yield from _pairs(cases)
    for number, statement in enumerate(body.statements):
        if isinstance(statement, ir.If) and statement.otherwise is None and _returns(statement.then):
            rest = ir.Block(body.span, body.statements[number + 1 :])
            yield from ((one, other) for one in _ends(statement.then) for other in _ends(rest))


def _pairs(ends: Sequence[ir.Statement]) -> Iterable[tuple[ir.Statement, ir.Statement]]:
    """Return each two of some ends; of very many each with the next."""
    return combinations(ends, 2) if len(ends) <= MOST_ENDS else pairwise(ends)


def _ends(statement: ir.Statement) -> Iterator[ir.Statement]:
    """Yield what may be the end of a statement: both sides of the last condition in it that has two."""
    last = _plain(statement)[-1:]
    if last and isinstance(last[0], ir.If) and last[0].otherwise is not None:
        yield from _ends(last[0].then)
        yield from _ends(last[0].otherwise)
    else:
        yield statement


def _only_end(node: ir.If, repeated: Container[int]) -> Sequence[ir.Statement]:
    """Return the last statement of the only side of a condition; none where there are two, or it is repeated."""
    return _plain(node.then)[-1:] if node.otherwise is None and id(node) not in repeated else ()


def _plain(statement: ir.Statement) -> Sequence[ir.Statement]:
    """Return the statements of a block, without the jump that ends it."""
    found = [statement]
    while len(found) == 1 and isinstance(found[0], ir.Block):
        found = list(found[0].statements)
    if found and isinstance(found[-1], ir.Jump | ir.Return):
        found.pop()
    return found


def _returns(statement: ir.Statement) -> bool:
    while isinstance(statement, ir.Block) and statement.statements:
        statement = statement.statements[-1]
    return isinstance(statement, ir.Return)


def _join(one: ir.Statement, other: ir.Statement, stores: list[Pair], loads: list[Pair]) -> bool:
    """Note what two statements do alike; return whether what stands before them may be alike, too."""
    match one, other:
        case ir.Evaluate(expression=ir.Assign() as first), ir.Evaluate(expression=ir.Assign() as second):
            pair = id(first.target), id(second.target)
            if first.operator != second.operator or not _same_type(first.target, second.target):
                return False
            found: list[Pair] = [] if first.operator is None else [pair]
            is_alike = _values_join(first.value, second.value, found)
            if not is_alike and not _addresses_join(first.target, second.target):
                return False
            stores.append(pair)
            loads.extend(found if is_alike else ())
            return True
        case ir.Declare(initializer=ir.Expression() as first), ir.Declare(initializer=ir.Expression() as second):
            return _values_join(first, second, loads)
    return False


def _addresses_join(one: ir.Expression, other: ir.Expression) -> bool:
    """Whether two addresses are computed alike behind the condition: in one array, and not a number apart.

    Of `a[i]` and `a[i + 1]` the former is computed before the condition, and serves both.
    """
    if not isinstance(one, ir.Subscript) or not isinstance(other, ir.Subscript):
        return False
    if shape_of(one.base) != shape_of(other.base):
        return False
    return shape_of(_without_number(one.index)) != shape_of(_without_number(other.index))


def _without_number(index: ir.Expression) -> ir.Expression:
    index = without_casts(index)
    if isinstance(index, ir.Binary) and index.operator in ("+", "-"):
        if isinstance(without_casts(index.right), ir.Literal):
            return _without_number(index.left)
        if index.operator == "+" and isinstance(without_casts(index.left), ir.Literal):
            return _without_number(index.right)
    return index


def _values_join(one: ir.Expression, other: ir.Expression, loads: list[Pair]) -> bool:
    """Note the loads of two values that are computed alike; return whether they are."""
    if type(one) is not type(other) or not _same_type(one, other):
        return False
    match one, other:
        case (ir.Subscript(), _) | (ir.Dereference(), _) | (ir.Member(), _):
            loads.append((id(one), id(other)))
            return True
        case (ir.Binary(operator=first), ir.Binary(operator=second)) | (
            ir.Unary(operator=first),
            ir.Unary(operator=second),
        ):
            if first != second:
                return False
        case ir.Call(name=first), ir.Call(name=second):
            if first != second:
                return False
    parts = zip(ir.children(one), ir.children(other), strict=False)
    joined = [
        _values_join(a, b, loads) for a, b in parts if isinstance(a, ir.Expression) and isinstance(b, ir.Expression)
    ]
    return all(joined)


def _same_type(one: ir.Expression, other: ir.Expression) -> bool:
    return type(one.type) is type(other.type) and one.type.size == other.type.size
