"""What a division by a number leaves: `n` is `4 * (n / 4)` and 0 to 3 more, so that a tail has at most 3 elements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.functions import DIVISION
from coalint.analysis.warps.lanes.lane_numbers import Monomial
from coalint.core.records import record

Sum = Mapping[Monomial, int]
"""Factors of what is not known."""


@record(frozen=True, slots=True)
class Quotient:
    """A value divided by a number.

    Attributes:
        index: The atom of the quotient.
        divisor: The number, positive.
        value: The factors of what is divided; its constant part stands apart.
        constant: That part.
        least: The least remainder: 0 where what is divided is not negative.
    """

    index: int
    divisor: int
    value: Sum
    constant: int
    least: int

    def without(self, total: Sum) -> tuple[dict[Monomial, int], int, int] | None:
        """Return a sum with the quotient in place of what is divided: factors, a constant, and times the remainder.

        None where the sum does not hold a whole multiple of what is divided.
        """
        key = next(iter(self.value))
        times, rest = divmod(total.get(key, 0), self.value[key])
        if not times or rest or any(total.get(key, 0) != times * factor for key, factor in self.value.items()):
            return None
        left = {key: factor for key, factor in total.items() if key not in self.value}
        own = ((self.index, 1),)
        left[own] = left.get(own, 0) + times * self.divisor
        if not left[own]:
            del left[own]
        return left, -times * self.constant, times


def quotients(algebra: Algebra, values: Iterable[Poly]) -> Iterator[Quotient]:
    """Yield the quotients by numbers inside of values, of what is a sum of quantities."""
    for atom in algebra.closure(*values):
        if atom.operator != DIVISION:
            continue
        divisor = algebra.number(atom.operands[1])
        terms = algebra.terms(atom.operands[0])
        known = sum(coefficient for coefficient, monomial in terms if not monomial)
        divided = {monomial: coefficient for coefficient, monomial in terms if monomial}
        if divisor is None or divisor < 2 or not divided:
            continue
        is_natural = all(factor > 0 and _is_natural(algebra, key) for key, factor in divided.items()) and known >= 0
        yield Quotient(atom.index, divisor, divided, known, 0 if is_natural else 1 - divisor)


def _is_natural(algebra: Algebra, monomial: Monomial) -> bool:
    lows = (algebra.atoms[index].low for index, _ in monomial)
    return all(low is not None and low >= 0 for low in lows)
