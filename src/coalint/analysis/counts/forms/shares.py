"""Shares of one expression in another: as a simple quotient, and what they come near to for large sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import isfinite
from types import MappingProxyType
from typing import Any

import sympy


def limit_of_share(part: Any, whole: Any, tied: Mapping[Any, Any] = MappingProxyType({})) -> float | None:
    """Return the part of one expression in another where all open sizes grow alike; None where that is not found.

    `tied` are sizes that others give, as expressions in these. So two accesses are compared: the one whose share stays
    dominates the one whose share vanishes.
    """
    size = sympy.Symbol("size", positive=True)
    try:
        of, in_ = (_smooth(value.subs(tied), size) for value in (part, whole))
        if of.is_polynomial(size) and in_.is_polynomial(size):  # in a tenth of the time of a limit
            above, below = sympy.Poly(of, size), sympy.Poly(in_, size)
            if above.degree() != below.degree():
                return 0.0 if above.degree() < below.degree() else None
            return float(above.LC() / below.LC())
        limit = float(sympy.limit(of / in_, size, sympy.oo))
        return limit if isfinite(limit) else None
    except (ArithmeticError, NotImplementedError, TypeError, ValueError):
        return None


def _smooth(value: Any, size: Any) -> Any:
    """Return an expression with one size for all, without rounding, and with the larger side of each maximum."""
    value = value.subs(dict.fromkeys(value.free_symbols, size))
    value = value.replace(sympy.ceiling, lambda inner: inner).replace(sympy.floor, lambda inner: inner)
    for function, sign in ((sympy.Max, 1), (sympy.Min, -1)):
        value = value.replace(function, lambda *sides, s=sign: _largest(sides, s, size))
    return sympy.expand(value.rewrite(sympy.log))


def _largest(sides: Sequence[Any], sign: int, size: Any) -> Any:
    best = sides[0]
    for side in sides[1:]:
        if sympy.limit(sign * (side - best), size, sympy.oo) > 0:
            best = side
    return best


def ratio(part: Any, whole: Any) -> Any:
    """Return a quotient without common factors; what is rounded counts as one factor."""
    quotient = part / whole
    if quotient.is_number:
        return quotient
    rounded = sorted(part.atoms(sympy.Function) | whole.atoms(sympy.Function), key=str)
    names = {function: sympy.Dummy() for function in sorted(rounded, key=lambda one: -len(str(one)))}
    quotient = part.xreplace(names) / whole.xreplace(names)
    with suppress(sympy.PolynomialError):
        quotient = sympy.cancel(quotient)
    back = {dummy: function for function, dummy in names.items()}
    return quotient.xreplace(back)
