"""How far apart the bytes lie at most that threads of a block touch, where their addresses are not followed."""

from __future__ import annotations

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial


def spread_of(algebra: Algebra, address: Poly, width: int) -> int | None:
    """Return the bytes from the first to the last that accesses of `width` bytes may touch; None without a bound.

    What all threads of a block share of the address moves all of them.
    """
    varying = {
        monomial: coefficient
        for monomial, coefficient in address.items()
        if any(algebra.atoms[index].level is not Level.UNIFORM for index, _ in monomial)
    }
    low, high = algebra.close_range(Polynomial(varying))
    return None if low is None or high is None else high - low + width
