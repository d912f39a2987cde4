"""Counts as formulas in what the source leaves open."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SYMBOL = re.compile(r"\bx(\d+)\b")


@dataclass(frozen=True, slots=True)
class Formula:
    """An expression in open quantities.

    Attributes:
        code: The expression as sympy reads it, with the symbols `x0`, `x1`, ...
        names: What these stand for, as users write it: `n`, `gridDim.x`.
    """

    code: str
    names: tuple[str, ...] = ()

    def __add__(self, other: Formula) -> Formula:
        """Return the sum."""
        names = tuple(dict.fromkeys((*self.names, *other.names)))

        def renamed(match: re.Match[str]) -> str:
            return f"x{names.index(other.names[int(match[1])])}"

        return Formula(f"({self.code}) + ({_SYMBOL.sub(renamed, other.code)})", names)

    def times(self, numerator: int, denominator: int = 1) -> Formula:
        """Return a multiple by a rational number."""
        factor = str(numerator) if denominator == 1 else f"Rational({numerator}, {denominator})"
        return self if factor == "1" else Formula(f"{factor}*({self.code})", self.names)
