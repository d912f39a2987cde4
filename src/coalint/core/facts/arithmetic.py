"""Reads formulas without sympy, and without running their text: numbers, names, arithmetic and named functions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import floor
from typing import Any

from coalint.core.facts.formulas import Formula

_OPERATIONS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: a**b,
}
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {"floor": floor, "Min": min, "Max": max}


def number(formula: Formula, values: Mapping[str, int]) -> int | None:
    """Return a formula's value; None where a name has none, it is no whole number, or it is of another form."""
    if not values.keys() >= set(formula.names):
        return None
    symbols = {f"x{at}": Fraction(values[name]) for at, name in enumerate(formula.names)}
    try:
        value = _value(ast.parse(formula.code, mode="eval").body, symbols, Fraction, _FUNCTIONS)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, TypeError):
        return None
    return int(value) if value == int(value) else None


def computed(
    formula: Formula,
    symbols: Mapping[str, Any],
    whole: Callable[[int], Any],
    functions: Mapping[str, Callable[..., Any]],
) -> Any:
    """Return a formula in other symbols: those of its `names`, numbers made by `whole`, and functions by name.

    Raises:
        ValueError: The text has something else in it.
    """
    named = {f"x{at}": symbols[name] for at, name in enumerate(formula.names)}
    return _value(ast.parse(formula.code, mode="eval").body, named, whole, functions)


def _value(
    node: ast.expr, symbols: Mapping[str, Any], whole: Callable[[int], Any], functions: Mapping[str, Callable[..., Any]]
) -> Any:
    match node:
        case ast.Constant(value=int(value)):
            return whole(value)
        case ast.Name(id=name) if name in symbols:
            return symbols[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, symbols, whole, functions)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATIONS:
            sides = (_value(side, symbols, whole, functions) for side in (left, right))
            return _OPERATIONS[type(operator)](*sides)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in functions:
            return functions[name](*(_value(argument, symbols, whole, functions) for argument in arguments))
    raise ValueError(f"{ast.unparse(node)} is no part of a formula")
