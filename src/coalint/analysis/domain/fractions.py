"""Floating-point numbers that are known as integers over powers of two: what indices become when they are scaled.

Sums and products of such numbers are exact as long as they fit into the significand; others are not followed.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from fractions import Fraction

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Poly
from coalint.analysis.domain.algebra.functions import Function
from coalint.analysis.domain.algebra.logic import COMPARISONS

SIGNIFICANDS = {4: 24, 8: 53}
"""Bits of the significand, by the size of the type in bytes (IEEE 754)."""
_SUPPOSED = {4: 21, 8: 32}
"""Bits, with the sign, that an index is supposed to fit into where nothing bounds it."""
_MOST_SHIFT = 40  # of what threads differ in
_MOST_SHIFT_OF_CONSTANTS = 1100
_MOST_TERMS = 20


class Rounding(Enum):
    """How a floating-point number becomes an integer."""

    DOWN = auto()
    UP = auto()
    TOWARDS_ZERO = auto()
    NEAREST = auto()  # ties away from zero
    NEAREST_EVEN = auto()


Parts = tuple[Poly, int]
"""A numerator and the power of two that divides it."""


def parts(algebra: Algebra, value: Poly) -> Parts | None:
    """Return the numerator and the power of two of a floating-point value; None where these are not known."""
    indices = value.indices
    if len(indices) != 1:
        return None
    atom = algebra.atoms[indices[0]]
    if not atom.is_float or atom.kind is not AtomKind.OPAQUE or not atom.operands:
        return None
    return atom.operands[0], atom.bits


def of_number(algebra: Algebra, number: float, size: int) -> Poly | None:
    """Return a floating-point constant of `size` bytes; None where it has too many digits."""
    try:
        exact = Fraction(number)
    except (ValueError, OverflowError):
        return None
    return _made(algebra, algebra.constant(exact.numerator), exact.denominator.bit_length() - 1, size)


def of_integer(algebra: Algebra, value: Poly, size: int) -> Poly | None:
    """Return an integer as a floating-point value of `size` bytes; what nothing bounds is supposed to fit."""
    if size not in SIGNIFICANDS or len(algebra.terms(value)) > _MOST_TERMS or algebra.rests_on_memory(value):
        return None
    if not _fits(algebra, value, size):
        value = algebra.operation("wrap", value, bits=_SUPPOSED[size], signed=True)
    return _made(algebra, value, 0, size)


def converted(algebra: Algebra, value: Poly, size: int) -> Poly | None:
    """Return a floating-point value in another type of `size` bytes."""
    fraction = parts(algebra, value)
    return None if fraction is None else _made(algebra, *fraction, size)


def combined(algebra: Algebra, operator: str, a: Poly, b: Poly, size: int) -> Poly | None:
    """Return `a operator b`, a floating-point value of `size` bytes or the truth of a comparison."""
    left, right = parts(algebra, a), parts(algebra, b)
    if left is None or right is None:
        return None
    (x, p), (y, q) = left, right
    if operator == "*":
        if len(algebra.terms(x)) * len(algebra.terms(y)) > _MOST_TERMS:
            return None
        return _made(algebra, x * y, p + q, size)
    if operator == "/":
        by = algebra.number(y)
        if by is None or by <= 0 or by & (by - 1):
            return None
        return _made(algebra, x * (1 << q), p + by.bit_length() - 1, size)
    shift = max(p, q)
    x, y = x * (1 << shift - p), y * (1 << shift - q)
    if operator in COMPARISONS:
        return algebra.compare(operator, x, y)
    if operator not in ("+", "-"):
        return None
    return _made(algebra, x + y if operator == "+" else x - y, shift, size)


def negated(algebra: Algebra, value: Poly) -> Poly | None:
    """Return a floating-point value with the other sign."""
    fraction = parts(algebra, value)
    return None if fraction is None else algebra.fraction(-fraction[0], fraction[1])


def extreme(algebra: Algebra, function: Function, of: tuple[Poly, Poly], size: int) -> Poly | None:
    """Return the minimum or maximum of two floating-point values."""
    left, right = parts(algebra, of[0]), parts(algebra, of[1])
    if left is None or right is None:
        return None
    (x, p), (y, q) = left, right
    shift = max(p, q)
    return _made(algebra, algebra.operation(function, x * (1 << shift - p), y * (1 << shift - q)), shift, size)


def chosen(algebra: Algebra, condition: Poly, a: Poly, b: Poly, size: int) -> Poly | None:
    """Return `condition ? a : b` of two floating-point values."""
    left, right = parts(algebra, a), parts(algebra, b)
    if left is None or right is None:
        return None
    (x, p), (y, q) = left, right
    shift = max(p, q)
    return _made(algebra, algebra.select(condition, x * (1 << shift - p), y * (1 << shift - q)), shift, size)


def absolute(algebra: Algebra, value: Poly) -> Poly | None:
    """Return a floating-point value without its sign."""
    fraction = parts(algebra, value)
    if fraction is None:
        return None
    return algebra.fraction(algebra.operation(Function.ABSOLUTE, fraction[0]), fraction[1])


def rounded(algebra: Algebra, value: Poly, how: Rounding) -> Poly | None:
    """Return the integer that a floating-point value is rounded to; None where the value is not known."""
    fraction = parts(algebra, value)
    if fraction is None:
        return None
    numerator, shift = fraction
    return _ROUND[how](algebra, numerator, shift) if shift else numerator


def _truncated(algebra: Algebra, numerator: Poly, shift: int) -> Poly:
    return algebra.divide(numerator, algebra.constant(1 << shift))


def _down(algebra: Algebra, numerator: Poly, shift: int) -> Poly:
    return algebra.shift_right(numerator, algebra.constant(shift))


def _nearest(algebra: Algebra, numerator: Poly, shift: int) -> Poly:
    half = algebra.constant(1 << shift)
    up = _down(algebra, 2 * numerator + half, shift + 1)
    low, high = algebra.range(numerator, sure=True)
    if low is not None and low >= 0:
        return up
    down = -_down(algebra, half - 2 * numerator, shift + 1)
    return (
        down
        if high is not None and high <= 0
        else algebra.select(algebra.compare(">=", numerator, algebra.zero), up, down)
    )


def _nearest_even(algebra: Algebra, numerator: Poly, shift: int) -> Poly:
    moved = 2 * numerator + algebra.constant(1 << shift)
    up = _down(algebra, moved, shift + 1)
    is_tie = algebra.compare("==", algebra.bit_and(moved, algebra.constant((2 << shift) - 1)), algebra.zero)
    return up - is_tie * algebra.bit_and(up, algebra.one)


_ROUND: dict[Rounding, Callable[[Algebra, Poly, int], Poly]] = {
    Rounding.TOWARDS_ZERO: _truncated,
    Rounding.DOWN: _down,
    Rounding.NEAREST: _nearest,
    Rounding.NEAREST_EVEN: _nearest_even,
    Rounding.UP: lambda algebra, numerator, shift: -_down(algebra, -numerator, shift),
}


def _made(algebra: Algebra, numerator: Poly, shift: int, size: int) -> Poly | None:
    """Return the value in lowest terms, where the type holds it."""
    while shift and all(coefficient % 2 == 0 for coefficient, _ in algebra.terms(numerator)):
        halves = {monomial: coefficient // 2 for monomial, coefficient in numerator.items()}
        numerator, shift = type(numerator)(halves), shift - 1
    most = _MOST_SHIFT if numerator.indices else _MOST_SHIFT_OF_CONSTANTS
    if shift > most or size not in SIGNIFICANDS or algebra.crowded() or not _fits(algebra, numerator, size):
        return None
    return algebra.fraction(numerator, shift)


def _fits(algebra: Algebra, numerator: Poly, size: int) -> bool:
    """Whether a significand holds the number, whatever its atoms are; trailing zeros take no digits."""
    low, high = algebra.range(numerator, sure=True)
    if low is None or high is None:
        return False
    zeros = min(((c & -c).bit_length() - 1 for c, _ in algebra.terms(numerator)), default=0)
    return max(-low, high) >> zeros <= 1 << SIGNIFICANDS[size]
