"""Closed forms of loops that multiply or divide a variable: logarithms of where it starts and how far it goes.

With whole numbers `x / m >= t` is `floor(x / m) >= t`, so that what is rounded on the way changes no count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.functions import DIVISION
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.conditions import conjuncts
from coalint.analysis.domain.inequalities import slack
from coalint.analysis.domain.sequences import CarriedValue, Sequence
from coalint.core.records import record


@record(slots=True)
class Doublings:
    """Writes the iterations of such loops in sympy.

    Attributes:
        algebra: The algebra of the values.
        written: What writes a value of open sizes in sympy.
        conditions: Relations under which what was written holds.
    """

    algebra: Algebra
    written: Callable[[Poly], Any]
    conditions: list[Any] = field(default_factory=list)

    def trips(self, sequence: Sequence) -> Any:
        """Return how many iterations a loop makes; None where it does not multiply or divide by a power of two."""
        decided = self._decided(sequence)
        if decided is None:
            return None
        value, part = decided
        late = 0 if sequence.test_first else 1
        divisor = self._divisor(value)
        if divisor is not None:
            count = self._divided(value, divisor, part, late)
        else:
            factor = self._factor(value)
            if factor is None:
                return None
            count = self._multiplied(value, factor, part, late)
        return None if count is None else count + late

    def is_pure(self, sequence: Sequence) -> bool:
        """Whether one variable alone decides, and each iteration multiplies or divides it by a power of two."""
        decided = self._decided(sequence)
        return decided is not None and (self._divisor(decided[0]) is not None or self._factor(decided[0]) is not None)

    def _factor(self, value: CarriedValue) -> int | None:
        """Return the power of two that an iteration multiplies by."""
        factor = self.algebra.number(value.after.derivative(value.mark))
        is_product = factor is not None and value.after == generator(value.mark) * factor
        return factor if factor is not None and is_product and _is_power(factor) else None

    def at_least(self, sequence: Sequence, held: int, bounds: Iterable[int]) -> Any:
        """Return in how many iterations a divided variable is at least each of some positive numbers, added up.

        `held` is the atom that the loop's body has for the variable. None where that is not known.
        """
        decided = self._decided(sequence)
        if decided is None or decided[0].held != held:
            return None
        value, part = decided
        divisor, least = self._divisor(value), self._least_of(value, part, is_late=not sequence.test_first)
        if divisor is None or least is None or not least.is_number:
            return None
        total = 0
        for bound in bounds:
            if bound < least and not sequence.test_first:
                return None  # the first iteration is made with any value
            total += self._counted(self._unrounded(value.start) / max(bound, least), divisor)
        return total

    def _decided(self, sequence: Sequence) -> tuple[CarriedValue, Poly] | None:
        """Return the one variable on which it rests whether a loop goes on, and the condition."""
        parts = conjuncts(self.algebra, sequence.condition)
        inside = {atom.index for atom in self.algebra.closure(*parts)}
        deciding = [value for value in sequence.values if value.mark in inside]
        if len(parts) != 1 or len(deciding) != 1 or sequence.counter in inside:
            return None
        return deciding[0], parts[0]

    def _divisor(self, value: CarriedValue) -> int | None:
        """Return the power of two that an iteration divides by."""
        atoms = self.algebra.atoms_of(value.after)
        if len(atoms) != 1 or value.after != generator(atoms[0].index) or len(atoms[0].operands) != 2:
            return None
        number = self.algebra.number(atoms[0].operands[1])
        if atoms[0].operands[0] != generator(value.mark) or number is None:
            return None
        if atoms[0].operator == ">>" and 0 < number < 32:
            return 1 << number
        return number if atoms[0].operator == DIVISION and _is_power(number) else None

    def _least(self, part: Poly, mark: int) -> Any:
        """Return the least value of a positive variable with which a loop goes on; None where that is not told."""
        import sympy

        if part == generator(mark) or any(
            part == 1 - generator(atom.index) and atom.operator == "==" and atom.operands[0] in _of_zero(mark)
            for atom in self.algebra.atoms_of(part)
        ):
            return sympy.Integer(1)
        room = slack(self.algebra, part)
        if room is None or not self._is_linear(room, mark, 1):
            return None
        least = 1 - self.written(room - generator(mark))
        return least if least.is_positive else None

    def _is_linear(self, room: Poly, mark: int, factor: int) -> bool:
        rest = room - generator(mark) * factor
        return all(atom.index != mark for atom in self.algebra.closure(rest))

    def _divided(self, value: CarriedValue, divisor: int, part: Poly, late: int) -> Any:
        """Return the iterations for which a quotient is large enough; `late`: how often it is divided before."""
        least = self._least_of(value, part, is_late=bool(late))
        return None if least is None else self._counted(self._unrounded(value.start) / (least * divisor**late), divisor)

    def _least_of(self, value: CarriedValue, part: Poly, *, is_late: bool) -> Any:
        """Return the least value with which a loop goes on that divides it; it `is_late` if tested after dividing."""
        if is_late:
            (after,) = self.algebra.atoms_of(value.after)
            part = Substitution(self.algebra, after, generator(value.mark)).of(part)
        return self._least(part, value.mark)

    def _unrounded(self, start: Poly) -> Any:
        import sympy

        written = self.written(start)
        return written.args[0] if isinstance(written, sympy.floor) else written

    def _multiplied(self, value: CarriedValue, factor: int, part: Poly, late: int) -> Any:
        """Return the iterations for which a product is small enough; `late`: how often it is multiplied before."""
        import sympy

        room, before = slack(self.algebra, part), factor**late
        if room is None or not self._is_linear(room, value.mark, -before):
            return None
        start, bound = self.written(value.start), self.written(room + generator(value.mark) * before)
        if not start.is_positive:
            self.conditions.append(start >= 1)
        start *= before
        constant, rest = bound.as_coeff_Add()
        if constant == 1 and rest != 0:  # up to the rest and with it
            unrounded = rest.args[0] if isinstance(rest, sympy.floor) else rest
            return self._counted(unrounded / start, factor)
        return self._counted(bound / start, factor, is_below=True)

    def _counted(self, quotient: Any, factor: int, *, is_below: bool = False) -> Any:
        """Return how many powers of the factor from 1 on are at most a quotient, or below it."""
        import sympy

        numerator, denominator = quotient.as_numer_denom()
        self._holds_if(numerator > 0)
        logarithm, whole = _logarithm(quotient, factor)
        count = sympy.ceiling(logarithm) + whole if is_below else sympy.floor(logarithm) + whole + 1
        grows = denominator.is_number and all(c > 0 for c in numerator.as_coefficients_dict().values())
        least = count.subs(dict.fromkeys(count.free_symbols, 1)) if grows else None
        return count if least is not None and least.is_nonnegative else sympy.Max(0, count)

    def _holds_if(self, condition: Any) -> None:
        if condition != True:  # noqa: E712  (sympy's own truth)
            self.conditions.append(condition)


def _of_zero(mark: int) -> tuple[Poly, Poly]:
    return generator(mark), -generator(mark)


def _is_power(number: int) -> bool:
    return number > 1 and number & (number - 1) == 0


def _logarithm(quotient: Any, factor: int) -> tuple[Any, int]:
    """Return a logarithm to the base of a factor, and a whole number that is to be added to it."""
    from sympy.codegen.cfunctions import log2

    bits = factor.bit_length() - 1
    coefficient, rest = quotient.as_content_primitive()
    shift = 0
    while coefficient.is_Rational and coefficient.p % 2 == 0 and rest != 1:
        coefficient, shift = coefficient / 2, shift + 1
    while coefficient.is_Rational and coefficient.q % 2 == 0 and rest != 1:
        coefficient, shift = coefficient * 2, shift - 1
    whole, left = divmod(shift, bits)
    return log2(coefficient * rest * 2**left) / bits, whole
