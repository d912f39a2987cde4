"""What is known of a launch's numbers on the ways through its conditions, found once for ways that take it the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.way import Way
from coalint.analysis.domain.divisors import divisor

_Taken = tuple[int | None, ...]


class OnWays:
    """Numbers and divisors of values on `ways`, which one search has found: they differ in what they decide alone.

    `multiples` are divisors of atoms, by index, on all of them.
    """

    def __init__(self, algebra: Algebra, ways: Sequence[Way], multiples: Mapping[int, int]) -> None:
        self._algebra, self._multiples = algebra, multiples
        decided = [way.decided for way in ways]
        indices = dict.fromkeys(index for taken in decided for index in taken)
        self._open = [index for index in indices if len({taken.get(index) for taken in decided}) > 1]
        self._resting: dict[Poly, tuple[int, ...]] = {}
        self._numbers: dict[tuple[Poly, _Taken], int | None] = {}
        self._divisors: dict[tuple[Poly, _Taken], int] = {}

    def number(self, value: Poly, way: Way) -> int | None:
        """Return the number that a value is on a way; None where it is not known."""
        key = value, self._taken(value, way)
        if key not in self._numbers:
            self._numbers[key] = way.number(value)
        return self._numbers[key]

    def divisor(self, value: Poly, way: Way) -> int:
        """Return what is sure to divide a value on a way."""
        key = value, self._taken(value, way)
        if key not in self._divisors:
            self._divisors[key] = divisor(self._algebra, value, way, self._multiples)
        return self._divisors[key]

    def _taken(self, value: Poly, way: Way) -> _Taken:
        """Return how a way decides what a value rests on, of what the ways differ in."""
        resting = self._resting.get(value)
        if resting is None:
            resting = tuple(index for index in self._open if self._algebra.depends(value, index))
            self._resting[value] = resting
        return tuple([way.decided.get(index) for index in resting])
