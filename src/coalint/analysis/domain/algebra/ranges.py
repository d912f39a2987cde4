"""Ranges of the results of operators, from the ranges of their operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.functions import Function
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.algebra.value_bounds import ValueBounds

Range = tuple[int | None, int | None]
"""The least and the largest value, inclusive; None where there is no bound."""

Ranges = Sequence[Range]
Operands = Sequence[Poly]
Rule = Callable[[ValueBounds, Operands, Ranges], Range]


def result_range(table: ValueBounds, operator: str, operands: tuple[Poly, ...], bits: int, signed: bool) -> Range:
    """Return the range of `operator` applied to the operands; `bits` and `signed` are the type of a `wrap`."""
    if operator in _TRUTH_VALUES:
        return 0, 1
    if operator == "wrap":
        return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    rule = _RULES.get(operator)
    if rule is None:
        return None, None
    return rule(table, operands, [table.range(operand) for operand in operands])


def _quotient(table: ValueBounds, operands: Operands, ranges: Ranges) -> Range:
    (low, high), (least, most) = ranges
    if low is not None and low >= 0 and least is not None and least > 0:
        return (0 if most is None else low // most), (None if high is None else high // least)
    if low is not None and high is not None and least is not None and least > 0:
        return -(-low // least) if low < 0 else 0, high // least if high > 0 else 0
    return (0, None) if all(map(table.nonnegative, operands)) else (None, None)


def _bit_and(table: ValueBounds, operands: Operands, ranges: Ranges) -> Range:
    tops = [high for low, high in ranges if low is not None and low >= 0 and high is not None]
    return (0, min(tops)) if tops else (0 if any(map(table.nonnegative, operands)) else None, None)


def _bit_or(table: ValueBounds, operands: Operands, ranges: Ranges) -> Range:
    """Return the range of `|` and of `^`: no more bits than the operands have."""
    if all(low is not None and low >= 0 for low, _ in ranges):
        highs = [high for _, high in ranges if high is not None]
        return 0, (1 << max(h.bit_length() for h in highs)) - 1 if len(highs) == len(ranges) else None
    return (0 if all(map(table.nonnegative, operands)) else None), None


def _shift_left(table: ValueBounds, operands: Operands, ranges: Ranges) -> Range:
    return 0 if table.nonnegative(operands[0]) else None, None


def _shift_right(table: ValueBounds, operands: Operands, ranges: Ranges) -> Range:
    low, high = ranges[0]
    return (0, high) if low is not None and low >= 0 else _shift_left(table, operands, ranges)


def _selection(table: ValueBounds, operands: Operands, ranges: Ranges) -> Range:
    order = _order(table, operands)
    if order:
        return (_minimum if order < 0 else _maximum)(table, operands[-2:], ranges[-2:])
    (low_a, high_a), (low_b, high_b) = ranges[-2:]
    sizes = 0 if all(map(table.nonnegative, operands[-2:])) else None
    low = sizes if low_a is None or low_b is None else min(low_a, low_b)
    return low, None if high_a is None or high_b is None else max(high_a, high_b)


def _order(table: ValueBounds, operands: Operands) -> int:
    """Return -1 where a choice takes the smaller of two values, as `a < b ? a : b` does, 1 for the larger; else 0."""
    condition, a, b = operands
    atoms = table.atoms_of(condition)
    if len(atoms) != 1 or atoms[0].operator != "<":
        return 0
    if condition == 1 - generator(atoms[0].index):
        a, b = b, a
    elif condition != generator(atoms[0].index):
        return 0
    (difference,) = atoms[0].operands
    if difference in (a - b, a - b - 1):
        return -1
    return 1 if difference in (b - a, b - a - 1) else 0


def _minimum(table: ValueBounds, operands: Operands, ranges: Ranges) -> Range:
    lows, highs = _bounds(ranges)
    return (min(lows) if len(lows) == 2 else None), min(highs, default=None)


def _maximum(table: ValueBounds, operands: Operands, ranges: Ranges) -> Range:
    lows, highs = _bounds(ranges)
    return max(lows, default=None), (max(highs) if len(highs) == 2 else None)


def _bounds(ranges: Ranges) -> tuple[list[int], list[int]]:
    """Return the lower and the upper bounds of two operands, as far as there are any."""
    return [low for low, _ in ranges if low is not None], [high for _, high in ranges if high is not None]


def _upper_half(table: ValueBounds, operands: Operands, ranges: Ranges) -> Range:
    return 0, min((high for _, high in ranges if high is not None), default=None)


def _bit_count(table: ValueBounds, operands: Operands, ranges: Ranges) -> Range:
    return 0, 32


_TRUTH_VALUES = frozenset({"<", "<=", "==", "&&", "||"})

_RULES: dict[str, Rule] = {
    "/": _quotient,
    "&": _bit_and,
    "|": _bit_or,
    "^": _bit_or,
    "<<": _shift_left,
    ">>": _shift_right,
    "?:": _selection,
    Function.MINIMUM: _minimum,
    Function.MAXIMUM: _maximum,
    Function.MULTIPLY_HIGH: _upper_half,
    Function.POPULATION_COUNT: _bit_count,
    Function.LEADING_ZEROS: _bit_count,
    Function.FIRST_SET: _bit_count,
}
