"""Differences in an address, to which nvcc may not add.

Seen in the machine code of nvcc 13.2 for sm_90: where `i` is `1023 - 2 * t`, `s[i]` and `s[i - 1]` of shared memory are
two loads; they are one where it is `2 * (511 - t) + 1`, and so are `s[i]` and `s[i + 1]` where it is `1022 - 2 * t`.
Four from `4 * n - 8 * t + 1400` on stay four, those from `4 * n - 4 * t + 100` on are one, and so are those from
`4 * n + (400 - 8 * t)` on.
"""

from __future__ import annotations

from functools import cached_property
from math import gcd

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Poly
from coalint.analysis.domain.algebra.polynomial import CONSTANT, term
from coalint.core.facts.compiled_address import WIDEST_KNOWN


class Differences:
    """What a kernel takes off other numbers, where its algebra has kept that."""

    def __init__(self, algebra: Algebra) -> None:
        self._algebra = algebra

    def known(self, value: Poly) -> int:
        """Return the power of two that nvcc surely knows to divide a number, as far as differences in it go."""
        known = WIDEST_KNOWN
        for difference, number in self._moving.items():
            terms = self._algebra.terms(difference)
            times = {value.coefficient(monomial) / coefficient for coefficient, monomial in terms}
            if len(times) == 1 and (factor := times.pop()) and factor == int(factor):
                known = min(known, power_of_two(int(factor) * number))
        return known

    @cached_property
    def _moving(self) -> dict[Poly, int]:
        """What moves in differences, with what it is taken off; 1 for multiples of different powers of two."""
        moving: dict[Poly, int] = {}
        for a, b in self._algebra.differences or ():
            rest, off = self._uncounted(a), self._uncounted(b)
            if off == 0:
                continue
            number = a.coefficient(CONSTANT) if rest == 0 or _content(rest) == _content(off) else 1
            if number:
                power = number & -number
                moving[rest - off] = min(power, moving.get(rest - off, power))
        return {difference: power for difference, power in moving.items() if difference != 0}

    def _uncounted(self, value: Poly) -> Poly:
        """Return a number without its constant part and what is made of counters of loops."""
        counted = self._algebra.zero
        for monomial, coefficient in value.items():
            if all(is_counted(self._algebra, self._algebra.atoms[index]) for index, _ in monomial):
                counted += term(monomial, coefficient)
        return value - counted


def is_counted(algebra: Algebra, atom: Atom) -> bool:
    """Whether an atom is made of nothing but counters of loops, which are numbers in unrolled copies."""
    leaves = [one for one in algebra.closure(*atom.operands) if one.kind is not AtomKind.OPERATION]
    leaves += [] if atom.kind is AtomKind.OPERATION else [atom]
    return all(one.kind in (AtomKind.COUNTER, AtomKind.TABLE) and not one.is_block_index for one in leaves)


def power_of_two(number: int) -> int:
    """Return the power of two that divides a number, as far as it matters."""
    return min(number & -number, WIDEST_KNOWN) if number else WIDEST_KNOWN


def _content(value: Poly) -> int:
    """Return the power of two that divides all coefficients."""
    return gcd(*(coefficient & -coefficient for _, coefficient in value.items()))
