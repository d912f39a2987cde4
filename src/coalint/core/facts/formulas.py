"""Counts as formulas in what the source leaves open."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import gcd

from coalint.core.records import record

_FACTOR = re.compile(r"(\d+)\*(.+)")
_SYMBOL = re.compile(r"\bx(\d+)\b")


def scaled(text: str, numerator: int, denominator: int) -> str:
    """Return the text of a multiple of a formula, with its number in front where it is a product that has one."""
    common = gcd(numerator, denominator)
    factor = _FACTOR.fullmatch(text)
    is_product = not _is_sum(text)
    number, rest = (int(factor[1]), factor[2]) if factor is not None and is_product else (1, text)
    number, below = number * numerator // common, denominator // common
    common = gcd(number, below)
    number, below = number // common, below // common
    rest = rest if is_product else f"({rest})"
    return ("" if number == 1 else f"{number}*") + rest + ("" if below == 1 else f"/{below}")


def _is_sum(text: str) -> bool:
    """Whether a formula is a sum as a whole, whose terms are parted by spaces."""
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == " " and not depth:
            return True
    return False


@record(frozen=True, slots=True)
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

    def renamed(self, names: Mapping[str, str]) -> Formula | None:
        """Return the formula in other names; None where one of its names has none."""
        if not names.keys() >= set(self.names):
            return None
        return Formula(self.code, tuple(names[name] for name in self.names))

    def where(self, numbers: Mapping[str, int]) -> Formula:
        """Return the formula with numbers in the place of some of its names."""
        names = tuple(name for name in self.names if name not in numbers)

        def replaced(match: re.Match[str]) -> str:
            name = self.names[int(match[1])]
            return f"{numbers[name]}" if name in numbers else f"x{names.index(name)}"

        return Formula(_SYMBOL.sub(replaced, self.code), names)

    def times(self, numerator: int, denominator: int = 1) -> Formula:
        """Return a multiple by a rational number."""
        factor = str(numerator) if denominator == 1 else f"Rational({numerator}, {denominator})"
        return self if factor == "1" else Formula(f"{factor}*({self.code})", self.names)
