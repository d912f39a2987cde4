"""The power of two that nvcc knows to divide a number, from how the program makes it.

Seen in the machine code of nvcc 13.2 for sm_90, of four neighbours in shared memory from `i` on: they are one
instruction where `i` is `4 * t + 4 * n` of a parameter `n`, `4 * t + (n > 2 ? 4 : 8)`, `(4 * t + 4 * n) % 512u`,
`4 * t ^ 4 * n`, `4 * t * n`, `4 * (t << n)`, and `4 * t + (unsigned char)(4 * n)`. They stay four where `i` is
`(4 * t) % 512` of a signed `t`, `(4 * u) % (4 * m)`, `min(4 * t, 400)`, `max(4 * t, 4 * n)`, `(int)f` of a `float`,
`__mul24(4, t)`, `4 * __mul24(t, n)`; `__umul24(4, u)`, `__mul24(4, t & 15)`, `4 * (t + __mul24(n, m))` hide nothing.

Of two values that are no constant apart nvcc does not always know it: a choice of `4 * t` or `12 * t` is one
instruction, of `4 * t` or `8 * t` four, unless the branches do more than that; of `4 * t` or `400` one or four,
as the condition is written. A `short` that a number is cut to may hide it, too: `4 * t + 4 * (short)n`.
"""

from __future__ import annotations

from math import gcd

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Poly
from coalint.analysis.domain.algebra.functions import Function
from coalint.analysis.recorder.differences import Differences, is_counted, power_of_two
from coalint.core.facts.compiled_address import WIDEST_KNOWN

Known = tuple[int, int]
"""The power of two that nvcc surely knows to divide a number, and the one that it may know."""
_NONE: Known = (1, 1)
_ALL: Known = (WIDEST_KNOWN, WIDEST_KNOWN)
_OPEN: Known = (1, WIDEST_KNOWN)
_BITS = 24  # of the operands of a product of 24 bits


class KnownAlignment:
    """Finds the powers of two that divide the values of one kernel."""

    def __init__(self, algebra: Algebra) -> None:
        self._algebra = algebra
        self._atoms: dict[int, Known] = {}
        self._differences = Differences(algebra)

    def of(self, value: Poly) -> Known:
        """Return what divides a number, without what counters of loops add: those are numbers in unrolled copies."""
        known = _ALL
        for coefficient, monomial in self._algebra.terms(value):
            atoms = [(self._algebra.atoms[index], power) for index, power in monomial]
            if not atoms or not all(is_counted(self._algebra, atom) for atom, _ in atoms):
                known = _both(known, self._term(coefficient, atoms))
        return min(known[0], self._differences.known(value)), known[1]

    def always(self, value: Poly) -> int:
        """Return what may divide a number in all iterations of the loops around."""
        return self._sum(value)[1]

    def at_first(self, value: Poly) -> int:
        """Return what may divide a number in the first iteration of loops of so many, where their counters are 0."""
        possible = WIDEST_KNOWN
        for coefficient, monomial in self._algebra.terms(value):
            atoms = [(self._algebra.atoms[index], power) for index, power in monomial]
            if not any(is_counted(self._algebra, atom) and atom.trips is not None for atom, _ in atoms):
                possible = min(possible, self._term(coefficient, atoms)[1])
        return possible

    def _term(self, coefficient: int, atoms: list[tuple[Atom, int]]) -> Known:
        hidden = max([1, *(self._hidden(coefficient, atoms, atom) for atom, _ in atoms)])
        factor = power_of_two(max(1, (coefficient & -coefficient) // hidden))
        known = factor, factor
        for atom, power in atoms:
            for _ in range(power):
                known = _times(known, self._of_atom(atom))
        return (1, known[1]) if any(self._is_cut(atom) for atom, _ in atoms) else known

    def _hidden(self, coefficient: int, atoms: list[tuple[Atom, int]], atom: Atom) -> int:
        """Return the power of two in the divisor of a remainder that hides it; 1 where the quotient is in none.

        `(4 * t) % (4 * n)` is `4 * t - 4 * n * q`, of which nvcc knows no 4.
        """
        signed = self._algebra.signed_divisor(atom)
        if signed:
            return signed if coefficient < 0 and not coefficient % signed else 1
        if atom.operator != "/" or len(atoms) < 2 or self._algebra.number(atom.operands[1]) is not None:
            return 1
        divisor = gcd(*(each for each, _ in self._algebra.terms(atom.operands[1])))
        return divisor & -divisor

    def _of_atom(self, atom: Atom) -> Known:
        if atom.index not in self._atoms:
            self._atoms[atom.index] = self._made(atom)
        return self._atoms[atom.index]

    def _made(self, atom: Atom) -> Known:
        if atom.kind is not AtomKind.OPERATION:
            return _OPEN if atom.kind in (AtomKind.OPAQUE, AtomKind.TABLE) else _NONE
        operands = [self._sum(operand) for operand in atom.operands]
        match atom.operator:
            case "?:":
                one, other = operands[1:]
                known = _both(one, other)
                is_shifted = self._algebra.number(atom.operands[1] - atom.operands[2]) is not None
                return known if is_shifted else (1, known[1])
            case "|" | "^":
                return _both(*operands)
            case "&":
                return max(operands[0][0], operands[1][0]), max(operands[0][1], operands[1][1])
            case "<<" | Function.ABSOLUTE:
                return operands[0]
            case "wrap":
                return operands[0]
            case Function.MULTIPLY_24:
                return _NONE if self._is_cut(atom) and self._is_shifted(atom) else _times(*operands)
        return _NONE

    def _sum(self, value: Poly) -> Known:
        """Return what divides an operand, counters of loops and its constant part included."""
        known = _ALL
        for coefficient, monomial in self._algebra.terms(value):
            known = _both(known, self._term(coefficient, [(self._algebra.atoms[i], power) for i, power in monomial]))
        return known

    def _is_cut(self, atom: Atom) -> bool:
        """Whether only some bits of a number count, of which the highest is its sign."""
        if atom.operator == Function.MULTIPLY_24:
            return atom.signed and not all(map(self._has_24_bits, atom.operands))
        return atom.operator == "wrap" and atom.signed

    def _is_shifted(self, atom: Atom) -> bool:
        """Whether a product is one of quantities as they are and a power of two."""
        numbers = [number for operand in atom.operands if (number := self._algebra.number(operand)) is not None]
        leaves = (
            one.kind is not AtomKind.OPERATION for operand in atom.operands for one in self._algebra.atoms_of(operand)
        )
        return len(numbers) == 1 and numbers[0] > 0 and not numbers[0] & (numbers[0] - 1) and all(leaves)

    def _has_24_bits(self, value: Poly) -> bool:
        low, high = self._algebra.close_range(value)
        return low is not None and high is not None and low >= -(1 << _BITS - 1) and high < 1 << _BITS - 1


def _both(one: Known, other: Known) -> Known:
    return min(one[0], other[0]), min(one[1], other[1])


def _times(one: Known, other: Known) -> Known:
    return min(one[0] * other[0], WIDEST_KNOWN), min(one[1] * other[1], WIDEST_KNOWN)
