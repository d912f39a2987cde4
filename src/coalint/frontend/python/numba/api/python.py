"""Python's own functions: `range`, `len` and kin."""

from __future__ import annotations

import ast

from coalint.frontend.python.numba.api import casts
from coalint.frontend.python.numba.api.table import Table
from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.arithmetic import floor_division, remainder
from coalint.frontend.python.numba.lowering.arithmetic import numbers as combine
from coalint.frontend.python.numba.lowering.build import INDEX, constant
from coalint.frontend.python.numba.lowering.state import Lowering, unresolved
from coalint.frontend.python.numba.types import INT64
from coalint.frontend.python.numba.values import (
    ArrayValue,
    Nothing,
    Number,
    Range,
    Text,
    TupleValue,
    Unknown,
    Value,
    Zipped,
)


def _range(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    span = low.span(node)
    known = [_bound(low, node, value) for value in given.positional]
    numbers = [value for value in known if value is not None]
    if len(numbers) != len(known) or not 1 <= len(numbers) <= 3:
        return None
    if len(numbers) == 1:
        return Range(constant(span, 0), numbers[0], constant(span, 1))
    return Range(numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else constant(span, 1))


def _bound(low: Lowering, node: ast.Call, value: Value) -> Number | None:
    """Return a bound of a range; what is not followed is some integer."""
    if isinstance(value, Unknown):
        return Number(unresolved(value, INDEX, low.span(node)), INT64)
    return value if isinstance(value, Number) else None


def _enumerated(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    iterable, start = given.get(0, "iterable"), given.number(1, "start")
    if not isinstance(iterable, ArrayValue | TupleValue | Range):
        return None
    span = low.span(node)
    first = start or constant(span, 0)
    return Zipped((Range(first, first, constant(span, 1)), iterable))


def _zipped(_low: Lowering, _node: ast.Call, given: Arguments) -> Value | None:
    if not given.positional or not all(isinstance(one, ArrayValue | TupleValue | Range) for one in given.positional):
        return None
    return Zipped(given.positional)


def _length(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    match given.get(0):
        case ArrayValue() as array if array.shape:
            return array.shape[0]
        case TupleValue() as tuple_:
            return constant(low.span(node), len(tuple_.items))
        case Text() as text:
            return constant(low.span(node), len(text.text))
    return None


def _power(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    a, b = given.number(0), given.number(1)
    return None if a is None or b is None else combine(low, node, "**", a, b)


def _divided(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    a, b = given.number(0), given.number(1)
    if a is None or b is None or not (a.type.is_integer and b.type.is_integer):
        return None
    return TupleValue((floor_division(low, node, a, b), remainder(low, node, a, b)))


def _round(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    number = given.number(0)
    if number is None or len(given.positional) > 1:
        return number
    return casts.cast(low, node, Number(number.expression, number.type, number.constant), INT64)


def _tuple(_low: Lowering, _node: ast.Call, given: Arguments) -> Value | None:
    value = given.get(0)
    return value if isinstance(value, TupleValue) else None


def _sum(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    value = given.get(0)
    if not isinstance(value, TupleValue) or not all(isinstance(item, Number) for item in value.items):
        return None
    total: Value = constant(low.span(node), 0)
    for item in value.items:
        assert isinstance(total, Number)
        assert isinstance(item, Number)
        total = combine(low, node, "+", total, item)
    return total


TABLE: Table = {
    "builtins.range": _range,
    "numba.prange": _range,
    "cupyx.jit.range": _range,
    "builtins.enumerate": _enumerated,
    "builtins.zip": _zipped,
    "builtins.len": _length,
    "builtins.pow": _power,
    "builtins.divmod": _divided,
    "builtins.round": _round,
    "builtins.tuple": _tuple,
    "builtins.list": _tuple,
    "builtins.sum": _sum,
    "builtins.print": lambda _low, _node, _given: Nothing(),
}
