"""Comparisons and truth values: 0 or 1."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.algebra.operations import Operations
from coalint.analysis.domain.algebra.polynomial import Polynomial, generator, term

COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
_TRUTH_VALUES = COMPARISONS | {"&&", "||"}


class Logic(Operations):
    """Comparisons, connectives and selections."""

    def truth(self, value: Poly) -> Poly:
        """Return value != 0, as 0 or 1."""
        low, high = self.range(value, sure=True)
        if low is not None and high is not None and low >= 0 and high <= 1:
            return value
        return self.compare("!=", value, self.zero)

    def both(self, a: Poly, b: Poly) -> Poly:
        """Return a && b of truth values."""
        if a == 0 or b == 0:
            return self.zero
        if a == 1 or a == b:
            return b
        return a if b == 1 else self.operation("&&", a, b)

    def either(self, a: Poly, b: Poly) -> Poly:
        """Return a || b of truth values."""
        if a == 1 or b == 1:
            return self.one
        if a == 0 or a == b:
            return b
        return a if b == 0 else self.operation("||", a, b)

    def select(self, condition: Poly, a: Poly, b: Poly) -> Poly:
        """Return condition ? a : b."""
        if a == b:
            return a
        known = self.number(condition)
        if known is not None:
            return a if known else b
        if a == 1 and b == 0:
            return condition
        return self.operation("?:", condition, a, b)

    def compare(self, operator: str, a: Poly, b: Poly) -> Poly:
        """Return a comparison as 0 or 1.

        `!=`, `>=` and `>` are complements, so that a condition and its negation cancel.
        """
        if operator in (">", ">="):
            return self.compare("<" if operator == ">" else "<=", b, a)
        if operator == "!=":
            return 1 - self.compare("==", a, b)
        difference = a - b
        low, high = self.range(difference, sure=True)
        if operator == "<":
            if high is not None and high < 0:
                return self.one
            if low is not None and low >= 0:
                return self.zero
            chosen = self._less_by_choice(difference)
            if chosen is not None:
                return chosen
        elif operator == "<=":
            return 1 - self.compare("<", b, a)
        elif (low is not None and low > 0) or (high is not None and high < 0):
            return self.zero
        elif (low, high) in ((-1, 0), (0, 1)) and self._is_truth(difference):
            return 1 - difference if low == 0 else 1 + difference
        else:
            chosen = self._equal_by_choice(difference)
            if chosen is not None:
                return chosen
        return self.operation(operator, self._coarsened(difference) if operator == "<" else difference)

    def _is_truth(self, difference: Poly) -> bool:
        """Whether a comparison says nothing that one truth value does not say: `(a < b) == 1` is `a < b`."""
        atoms = self.atoms_of(difference)
        return len(atoms) == 1 and atoms[0].operator in _TRUTH_VALUES

    def compare_unsigned(self, operator: str, a: Poly, b: Poly) -> Poly:
        """Return a comparison of 64-bit unsigned values, given modulo 2**64: negative ones are the largest."""
        if operator in ("==", "!=") or (self.nonnegative(a) and self.nonnegative(b)):
            return self.compare(operator, a, b)
        if operator in (">", ">="):
            return self.compare_unsigned("<" if operator == ">" else "<=", b, a)
        if operator == "<=":
            return 1 - self.compare_unsigned("<", b, a)
        less, a_large, b_large = (self.compare("<", x, y) for x, y in ((a, b), (a, self.zero), (b, self.zero)))
        if self.nonnegative(b):
            return self.both(1 - a_large, less)
        if self.nonnegative(a):
            return self.either(b_large, less)
        return self.select(self.compare("==", a_large, b_large), less, b_large)

    def _less_by_choice(self, difference: Poly) -> Poly | None:
        """Return x - (c ? y : x) < 0, which is c and x - y < 0: one side of a choice decides, as in x < max(x, y)."""
        for number, left, where in self._choices_of(difference):
            less, at_most = self.compare("<", left, self.zero), self.compare("<=", left, self.zero)
            if number < 0:
                return at_most if 1 - where == at_most else self.either(1 - where, less)
            if where == 1 - less or where == 1 - at_most:
                return self.zero
            return less if where == at_most else self.both(where, less)
        return None

    def _equal_by_choice(self, difference: Poly) -> Poly | None:
        """Return (c ? x : -1) == -1, which is !c unless x can be -1: a sentinel tells which side was chosen."""
        for number, left, where in self._choices_of(difference):
            equal = self.compare("==", left, self.zero)
            return self.both(where, equal) if number else self.either(1 - where, equal)
        return None

    def _choices_of(self, difference: Poly) -> Iterator[tuple[int, Poly, Poly]]:
        """Yield each choice with a known number on one side.

        This number, the other side, and the condition of the other.
        """
        for atom in self.atoms_of(difference):
            coefficient = difference.coefficient(((atom.index, 1),)) if atom.operator == "?:" else 0
            if not coefficient:
                continue
            condition, then, otherwise = atom.operands
            rest = difference - coefficient * generator(atom.index)
            if any(other is atom for other in self.atoms_of(rest)):
                continue
            for side, other, where in ((otherwise, then, condition), (then, otherwise, 1 - condition)):
                number = self.number(rest + coefficient * side)
                if number is not None:
                    yield number, rest + coefficient * other, where

    def _coarsened(self, difference: Poly) -> Poly:
        """Return a difference with the same sign.

        In 256*u + t < 0 with t in 0..255 the threads do not matter, it is u < 0.
        """
        shared = {m: c for m, c in difference.items() if m and self.level(term(m, c)) is Level.UNIFORM}
        if not shared or len(shared) == len(difference):
            return difference
        step = gcd(*shared.values())
        low, high = self.range(difference - Polynomial(shared))
        if step < 2 or low is None or high is None or low // step != high // step:
            return difference
        return Polynomial(shared).divided(step) + low // step
