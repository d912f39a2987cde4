"""Bounds of the values that polynomials over a kernel's atoms take, and how they change with one atom."""

from __future__ import annotations

from coalint.analysis.domain.algebra.atom_table import AtomTable
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Poly
from coalint.analysis.domain.algebra.polynomial import Monomial, Polynomial, generator


class ValueBounds(AtomTable):
    """The atoms of one kernel, with the bounds of polynomials over them."""

    def range(self, value: Poly, sure: bool = False) -> tuple[int | None, int | None]:
        """Return bounds by interval arithmetic; None where there is none.

        Where they must be `sure`, nothing is presumed.
        """
        low: int | None = 0
        high: int | None = 0
        for coefficient, monomial in self.terms(value):
            a: int | None = 1
            b: int | None = 1
            for index, exponent in monomial:
                atom = self.atoms[index]
                least = None if sure and atom.presumed else atom.low
                if least is None or least < 0:
                    a = b = None
                    if len(monomial) == 1 and exponent == 1:
                        a, b = least, atom.high
                    break
                a = None if a is None else a * least**exponent
                b = None if b is None or atom.high is None else b * atom.high**exponent
            if coefficient < 0:
                a, b = b, a
            low = None if low is None or a is None else low + coefficient * a
            high = None if high is None or b is None else high + coefficient * b
            if low is None and high is None:
                break
        return low, high

    def nonnegative(self, value: Poly) -> bool:
        """Whether index arithmetic may take the value for non-negative.

        True when its bounds say so, and when an unknown size or offset adds to it: these are not negative.
        """
        low, _ = self.range(value)
        if low is not None:
            return low >= 0
        return any(
            coefficient > 0 and any(self._size(self.atoms[i]) for i, _ in monomial)
            for coefficient, monomial in self.terms(value)
        )

    def _size(self, atom: Atom) -> bool:
        """Whether an atom may be taken for a size: unknown, and not computed from what may well be negative."""
        if atom.kind is not AtomKind.OPERATION:
            return atom.low is None or atom.high is None
        return atom.low is not None and atom.low >= 0 and atom.high is None

    def shift(self, value: Poly, atom: Atom, step: int = 1) -> Poly:
        """Return the value with `atom + step` in place of `atom`."""
        return value.substituted([(atom.index, generator(atom.index) + step)])

    def difference(self, value: Poly, atom: Atom) -> Poly:
        """Return the forward difference: the value at `atom + 1` minus the value at `atom`."""
        linear: dict[Monomial, int] = {}
        for monomial, coefficient in value.items():
            exponent = dict(monomial).get(atom.index, 0)
            if exponent > 1:
                return self.shift(value, atom) - value
            if exponent:
                linear[tuple(power for power in monomial if power[0] != atom.index)] = coefficient
        return Polynomial(linear)
