"""Floating-point constants: operations and functions on them, rounded as IEEE 754 does, to nearest and ties to even.

These are what host code computes before a launch. nvcc may contract a product and a sum into one operation with one
rounding, so that in a kernel only results without rounding are followed (`domain/fractions.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt

from coalint.analysis.domain import fractions
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.fractions import SIGNIFICANDS

_LARGEST_EXPONENT = {4: 127, 8: 1023}
_SMALLEST_EXPONENT = {4: -126, 8: -1022}

_OPERATIONS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


def combined(algebra: Algebra, operator: str, a: Poly, b: Poly, size: int) -> Poly | None:
    """Return `a operator b` of two constants in a type of `size` bytes; None where they are none, or nothing normal."""
    x, y = constant(algebra, a), constant(algebra, b)
    apply = _OPERATIONS.get(operator)
    if apply is None or x is None or y is None or (operator == "/" and y == 0):
        return None
    return _made(algebra, _rounded(apply(x, y), size))


def square_root(algebra: Algebra, value: Poly, size: int) -> Poly | None:
    """Return the square root of a constant; None where it is none, or negative."""
    number = constant(algebra, value)
    if number is None or number < 0 or size not in SIGNIFICANDS:
        return None
    digits = 4 * SIGNIFICANDS[size]
    scaled = (number.numerator << 2 * digits) // number.denominator
    root = isqrt(scaled)
    inexact = root * root * number.denominator != number.numerator << 2 * digits
    # A digit behind all that are kept stands for what is cut off: it decides no tie wrongly.
    return _made(algebra, _rounded(Fraction(2 * root + inexact, 2 << digits), size))


def converted(algebra: Algebra, value: Poly, size: int) -> Poly | None:
    """Return a constant in another floating-point type."""
    number = constant(algebra, value)
    return None if number is None else _made(algebra, _rounded(number, size))


def constant(algebra: Algebra, value: Poly) -> Fraction | None:
    """Return the number that a floating-point value is; None where it is no constant."""
    fraction = fractions.parts(algebra, value)
    numerator = None if fraction is None else algebra.number(fraction[0])
    return None if fraction is None or numerator is None else Fraction(numerator, 1 << fraction[1])


def _made(algebra: Algebra, number: Fraction | None) -> Poly | None:
    if number is None:
        return None
    return algebra.fraction(algebra.constant(number.numerator), number.denominator.bit_length() - 1)


def _rounded(number: Fraction, size: int) -> Fraction | None:
    """Return the nearest number of a type; None where it is not in the range of normal numbers."""
    if number == 0 or size not in SIGNIFICANDS:
        return number if size in SIGNIFICANDS else None
    exponent = abs(number.numerator).bit_length() - number.denominator.bit_length()
    if abs(number) < Fraction(2) ** exponent:
        exponent -= 1
    if not _SMALLEST_EXPONENT[size] <= exponent < _LARGEST_EXPONENT[size]:
        return None
    unit = Fraction(2) ** (exponent - SIGNIFICANDS[size] + 1)
    return round(number / unit) * unit
