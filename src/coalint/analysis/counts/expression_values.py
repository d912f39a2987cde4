"""Values of expressions of sympy at whole numbers, in plain fractions, in a twentieth of sympy's time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from math import ceil, floor
from operator import add, ge, gt, le, lt, mul
from typing import Any

Values = Mapping[Any, int]
Read = Callable[[Values], Any]


def value_at(expression: Any) -> Read:
    """Return what gives an expression's, or a relation's, value with numbers for all of its symbols."""
    read = _read(expression)
    if read is not None:
        return read
    return lambda values: expression.subs(values)  # logarithms: sympy computes as many digits as it takes


def _read(node: Any) -> Read | None:
    import sympy

    if node.is_Symbol:
        return lambda values: values[node]
    if node.is_Integer:
        whole = int(node)
        return lambda values: whole
    if node.is_Rational:
        part = Fraction(node.p, node.q)
        return lambda values: part
    if node in (sympy.true, sympy.false):
        holds = bool(node)
        return lambda values: holds
    relations = {sympy.StrictGreaterThan: gt, sympy.StrictLessThan: lt, sympy.GreaterThan: ge, sympy.LessThan: le}
    of_two: dict[Any, Callable[[Any, Any], Any]] = {
        sympy.Add: add,
        sympy.Mul: mul,
        sympy.Max: max,
        sympy.Min: min,
        **relations,
    }
    of_one: dict[Any, Callable[[Any], int]] = {sympy.floor: floor, sympy.ceiling: ceil}
    inner = [_read(argument) for argument in node.args]
    reads = [read for read in inner if read is not None]
    if len(reads) < len(inner):
        return None
    if node.func in of_two:
        function = of_two[node.func]
        return lambda values: reduce(function, (read(values) for read in reads))
    if node.func in of_one:
        rounded, (operand,) = of_one[node.func], reads
        return lambda values: rounded(operand(values))
    if node.func is sympy.Pow and node.exp.is_Integer and node.exp > 0:
        base, power = reads[0], int(node.exp)
        return lambda values: base(values) ** power
    return None
