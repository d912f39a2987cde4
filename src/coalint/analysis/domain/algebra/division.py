"""Quotients and remainders of polynomials."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.domain.algebra.functions import Function
from coalint.analysis.domain.algebra.logic import Logic
from coalint.analysis.domain.algebra.operations import Operations
from coalint.analysis.domain.algebra.polynomial import generator, quotient, term


class Division(Logic):
    """Division, and the ranges that it allows."""

    def __init__(self, function_names: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(function_names)
        self._signed_quotients: dict[int, tuple[Atom, int]] = {}  # quotients of signed remainders, with what divides
        self.differences: dict[tuple[Poly, Poly], None] | None = None  # what was taken off what, where that is asked

    def divide(self, a: Poly, b: Poly) -> Poly:
        """Return C's a / b. What divides evenly is taken out, so that (256*x + y) / 32 is 8*x + y/32."""
        divisor = self.number(b)
        if divisor is not None and divisor > 0:
            if divisor == 1:
                return a
            whole, rest = self.zero, self.zero
            for monomial, coefficient in a.items():
                if coefficient % divisor == 0:
                    whole += term(monomial, coefficient // divisor)
                elif not monomial:
                    whole += coefficient // divisor
                    rest += coefficient % divisor
                else:
                    rest += term(monomial, coefficient)
            low, high = self.range(rest)
            if whole == 0 or (low is not None and low >= 0 and self.nonnegative(a)):
                if low is not None and low >= 0 and high is not None and high < divisor:
                    return whole
                return whole + self._nested_division(rest, divisor)
        elif len(self.terms(b)) == 1 and self.terms(b)[0][0] == 1:
            whole, rest = divmod_monomial(self, a, b)
            low, _ = self.range(rest)
            if whole != 0 and low is not None and low >= 0:
                return whole + (self.operation("/", rest, b) if rest != 0 else 0)
        return self.operation("/", a, b)

    def _nested_division(self, a: Poly, divisor: int) -> Poly:
        """Return (x / c) / d is x / (c*d)."""
        terms = self.terms(a)
        if len(terms) == 1 and terms[0][0] == 1 and len(terms[0][1]) == 1 and terms[0][1][0][1] == 1:
            atom = self.atoms[terms[0][1][0][0]]
            if atom.operator == "/":
                inner = self.number(atom.operands[1])
                if inner is not None and inner > 0:
                    return self.divide(atom.operands[0], self.constant(inner * divisor))
        return self.operation("/", a, self.constant(divisor))

    def remainder(self, a: Poly, b: Poly) -> Poly:
        """Return C's a % b, as a - b*(a / b): quotient and remainder put together again cancel."""
        return a - b * self.divide(a, b)

    def signed_remainder(self, a: Poly, b: Poly) -> Poly:
        """Return a % b of signed operands; `signed_divisor` tells a quotient by a power of two in it from others."""
        quotient = self.divide(a, b)
        divisor = self.number(b)
        if divisor is not None and divisor > 1 and not divisor & (divisor - 1):
            self._signed_quotients |= {
                atom.index: (atom, divisor) for atom in self.atoms_of(quotient) if atom.operator == "/"
            }
        return a - b * quotient

    def signed_divisor(self, atom: Atom) -> int:
        """Return the power of two by which a signed number is divided that makes a remainder; 0 for all other atoms."""
        known, divisor = self._signed_quotients.get(atom.index, (None, 0))
        return divisor if known is atom else 0

    def subtract(self, a: Poly, b: Poly) -> Poly:
        """Return a - b; `differences` tells what is taken off a number from what is added with another sign."""
        if self.differences is not None and self.number(b) is None:
            self.differences[a, b] = None
        return a - b

    def forget(self, mark: int, kept: Iterable[Poly] = ()) -> None:
        """Drop the atoms made since `mark`, with the differences that are made of them; see `AtomTable.forget`."""
        super().forget(mark, kept)
        if self.differences:
            end = len(self.atoms)
            living = [pair for pair in self.differences if all(not v.indices or v.indices[-1] < end for v in pair)]
            self.differences = dict.fromkeys(living)

    def close_range(self, value: Poly) -> tuple[int | None, int | None]:
        """Return bounds that see remainders: x - 4*(x / 4) is 0 to 3."""
        least = most = 0
        for atom in self.atoms_of(value):
            divisor = self.number(atom.operands[1]) if atom.operator == "/" else None
            coefficient = value.coefficient(((atom.index, 1),)) if divisor and divisor > 0 else 0
            if not divisor or not coefficient or coefficient % divisor or not self.nonnegative(atom.operands[0]):
                continue
            times = -coefficient // divisor
            rest = value - times * (atom.operands[0] - divisor * generator(atom.index))
            if len(rest) < len(value):
                value = rest
                least, most = least + min(0, times * (divisor - 1)), most + max(0, times * (divisor - 1))
        low, high = self.range(value)
        return None if low is None else low + least, None if high is None else high + most

    def quotient_by_reciprocal(self, a: Poly, b: Poly) -> Poly | None:
        """Return x / d as (h(x, m) + x) >> s or h(x, m) >> s, with a multiplier and a shift that stand for d.

        h is the upper half of the product.
        """
        for atom in self.atoms_of(a):
            if atom.operator != Function.MULTIPLY_HIGH or self.level(b) is not Level.UNIFORM:
                continue
            rest = a - generator(atom.index)
            for x, multiplier in (atom.operands, atom.operands[::-1]):
                if rest in (self.zero, x) and self.level(multiplier) is Level.UNIFORM and self.nonnegative(x):
                    key = ("reciprocal", multiplier, b, rest == 0)
                    divisor = self.atom(AtomKind.UNIFORM, "divisor", Level.UNIFORM, key=key, low=1)
                    return self.operation("/", x, divisor)
        return None


def divmod_monomial(algebra: Operations, a: Poly, b: Poly) -> tuple[Poly, Poly]:
    """Return quotient and remainder of the terms of `a` by the one-term polynomial `b`."""
    ((divisor, _),) = b.items()
    whole, rest = algebra.zero, algebra.zero
    for monomial, coefficient in a.items():
        by = quotient(monomial, divisor)
        if by is not None:
            whole += term(by, coefficient)
        else:
            rest += term(monomial, coefficient)
    return whole, rest
