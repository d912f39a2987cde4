"""Expressions that differ in numbers alone, one for each of several blocks, as one in the extents of the block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

MOST_TERMS = 12
"""Of the sums that are compared term by term."""


def unified(expressions: Sequence[Any], fit: Callable[[Sequence[Any]], Any]) -> Any:
    """Return the expression that is each of some at its block; None where there is none.

    `fit` makes an expression of numbers.
    """
    first = expressions[0]
    if all(expression == first for expression in expressions[1:]):
        return first
    if all(expression.is_Rational for expression in expressions):
        return fit(expressions)
    return _by_terms(expressions, fit) or _by_parts(expressions, fit)


def _by_terms(expressions: Sequence[Any], fit: Callable[[Sequence[Any]], Any]) -> Any:
    """Return the sum of the terms, each with a coefficient that is fitted."""
    from sympy import Integer

    tables = [expression.as_coefficients_dict() if expression != 0 else {} for expression in expressions]
    terms = list(dict.fromkeys(term for table in tables for term in table))
    if len(terms) > MOST_TERMS:
        return None
    total = Integer(0)
    for term in terms:
        numbers = [table.get(term, Integer(0)) for table in tables]
        coefficient = numbers[0] if len(set(numbers)) == 1 else fit(numbers)
        if coefficient is None:
            return None
        total += coefficient * term
    return total


def _by_parts(expressions: Sequence[Any], fit: Callable[[Sequence[Any]], Any]) -> Any:
    """Return a function or product of the parts, each of them unified."""
    first = expressions[0]
    if not first.args or any(
        expression.func != first.func or len(expression.args) != len(first.args) for expression in expressions
    ):
        return None
    parts = [unified([expression.args[at] for expression in expressions], fit) for at in range(len(first.args))]
    return None if any(part is None for part in parts) else first.func(*parts)
