"""Integer values as polynomials over named atoms: the results of C's operators."""

from __future__ import annotations

from coalint.analysis.domain.algebra.arithmetic import wrap
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.division import Division
from coalint.analysis.domain.algebra.polynomial import CONSTANT, Polynomial, generator


class Algebra(Division):
    """The operations on the values of one kernel."""

    def bit_and(self, a: Poly, b: Poly) -> Poly:
        """Return a & b; a mask of low bits is a remainder, its complement what the remainder leaves."""
        for value, other in ((a, b), (b, a)):
            mask = self.number(other)
            if mask is None or not self.nonnegative(value):
                continue
            if mask >= 0 and mask & (mask + 1) == 0:
                return self.remainder(value, self.constant(mask + 1))
            low_bits = ~mask if mask < 0 else (~mask & 0xFFFFFFFF)
            if low_bits & (low_bits + 1) == 0 and (mask < 0 or mask >> 31):
                return value - self.remainder(value, self.constant(low_bits + 1))
        return self.operation("&", a, b)

    def bit_or(self, a: Poly, b: Poly) -> Poly:
        """Return a | b; a sum where the operands have no bit in common."""
        for high, low in ((a, b), (b, a)):
            low_min, low_max = self.range(low)
            if low_min is not None and low_min >= 0 and low_max is not None and self.nonnegative(high):
                step = 1 << low_max.bit_length()
                if all(coefficient % step == 0 for coefficient, _ in self.terms(high)):
                    return high + low
        return self.operation("|", a, b)

    def bit_xor(self, a: Poly, b: Poly) -> Poly:
        """Return a ^ b; what is a multiple of a power of two above all bits of a mask is not touched by it."""
        for value, other in ((a, b), (b, a)):
            mask = self.number(other)
            if mask is not None and mask >= 0:
                return self._flipped(value, mask)
        return self.operation("^", a, b)

    def _flipped(self, value: Poly, mask: int) -> Poly:
        """Return value ^ mask, of a mask that is not negative."""
        above = 1 << mask.bit_length()
        low = Polynomial({monomial: n for monomial, n in value.items() if monomial and n % above})
        low += value.coefficient(CONSTANT) % above
        high = value - low
        number = self.number(low)
        if number is not None:
            return high + (number ^ mask)
        atoms = self.atoms_of(low)
        if len(atoms) == 1 and atoms[0].operator == "^" and low == generator(atoms[0].index):
            inside, known = atoms[0].operands[0], self.number(atoms[0].operands[1])
            if known is not None:
                return high + self._flipped(inside, known ^ mask)
        return high + (self.operation("^", low, self.constant(mask)) if mask else low)

    def shift_left(self, a: Poly, b: Poly) -> Poly:
        """Return a << b."""
        count = self.number(b)
        return a * (1 << count) if count is not None and 0 <= count < 64 else self.operation("<<", a, b)

    def shift_right(self, a: Poly, b: Poly) -> Poly:
        """Return a >> b."""
        count = self.number(b)
        if count is not None and 0 <= count < 63 and self.nonnegative(a):
            return self.divide(a, self.constant(1 << count))
        if count is None:
            quotient = self.quotient_by_reciprocal(a, b)
            if quotient is not None:
                return quotient
        return self.operation(">>", a, b)

    def unsigned(self, value: Poly, bits: int) -> Poly:
        """The value as an unsigned type sees it: itself, unless it is known to leave the type's range, or is shifted
        so far that it may well be, or adds what was a negative number before it became an unsigned one.
        """
        if any(atom.operator == "<<" for atom in self.atoms_of(value)):
            return self.operation("wrap", value, bits=bits, signed=False)
        low, high = self.range(value)
        fits = high is None and (low is None or low < 1 << (bits - 1))
        if self.nonnegative(value) and (fits or bits >= 64 or (high is not None and high < 1 << bits)):
            return value
        low, high = self.close_range(value)
        if low is not None and low >= 0 and high is not None and high < 1 << bits:
            return value
        return self.operation("wrap", value, bits=bits, signed=False)

    def signed(self, value: Poly, bits: int) -> Poly:
        """Return the value as a signed type of at least 32 bits sees it: index arithmetic is taken not to overflow.

        Arithmetic modulo a power of two: what was wrapped before need not have been, and large factors are negative.
        """
        wrapped = [atom for atom in self.atoms_of(value) if atom.operator == "wrap" and atom.bits >= bits]
        inside = self.closure(*(operand for atom in self.atoms_of(value) for operand in atom.operands))
        if any(atom in inside for atom in wrapped):  # a remainder: cannot be told apart from what it was made of
            return self.operation("wrap", value, bits=bits, signed=True)
        if wrapped:
            value = value.substituted([(atom.index, atom.operands[0]) for atom in wrapped])
        if self._large(value, bits):
            operands = [operand for atom in self.closure(value) for operand in atom.operands]
            if any(self._large(operand, bits) for operand in operands):  # quotients of large numbers may be large too
                return self.operation("wrap", value, bits=bits, signed=True)
            near = {monomial: wrap(coefficient, bits, True) for monomial, coefficient in value.items()}
            value = Polynomial({monomial: n for monomial, n in near.items() if n})
        return value

    def _large(self, value: Poly, bits: int) -> bool:
        return any(abs(coefficient) >> (bits - 1) for coefficient, _ in self.terms(value))
