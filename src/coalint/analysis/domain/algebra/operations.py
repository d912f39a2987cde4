"""Operations that are not polynomials: folded when the operands are numbers, an atom otherwise."""

from __future__ import annotations

from coalint.analysis.domain.algebra.arithmetic import OPERATORS, wrap
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.ranges import result_range
from coalint.analysis.domain.algebra.value_bounds import ValueBounds

PRESUMING = frozenset({"/", "&", "|", "^", ">>", "<<", "?:"})  # of which `_bounds` may presume the lower bound


class Operations(ValueBounds):
    """The atoms of one kernel, and the operations on values that make new ones."""

    def operation(self, operator: str, *operands: Poly, bits: int = 0, signed: bool = True) -> Poly:
        """Return `operator` applied to operands: folded when they are numbers, an atom otherwise."""
        numbers = [self.number(operand) for operand in operands]
        if all(n is not None for n in numbers):
            if operator == "wrap":
                return self.constant(wrap(numbers[0], bits, signed))
            return self.constant(int(OPERATORS[operator](*numbers)))
        low, high = result_range(self, operator, operands, bits, signed)
        level = max((self.level(operand) for operand in operands), default=Level.UNIFORM)
        return self.atom(
            AtomKind.OPERATION,
            operator,
            level,
            operator=operator,
            operands=operands,
            low=low,
            high=high,
            bits=bits,
            signed=signed,
            presumed=low == 0 and self._presumes(operator, operands),
        )

    def _presumes(self, operator: str, operands: tuple[Poly, ...]) -> bool:
        """Whether a result is taken for no negative number only since what memory holds is."""
        if operator not in PRESUMING:
            return False
        deciding = operands[-2:] if operator == "?:" else operands[:1] if operator in (">>", "<<") else operands
        doubts = [self._doubtful(operand) for operand in deciding]
        return all(doubts) if operator == "&" else any(doubts)

    def _doubtful(self, value: Poly) -> bool:
        """Whether a value may be negative if what memory holds is."""
        if not self.rests_on_data(value):
            return False
        low, _ = self.range(value, sure=True)
        return low is None or low < 0
