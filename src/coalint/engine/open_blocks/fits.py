"""Numbers, one for each of several blocks, as an expression in the extents of the block.

An expression is tried for each sum of few terms, the shortest first, and kept if it gives all of the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

from coalint.engine.open_blocks.shapes import LANES, OpenBlock
from coalint.rule import Block

MOST_TERMS = 3
LEAST_BLOCKS = 4
"""At which a number must not be nothing."""
Power = tuple[int, int]
"""Exponents of an extent, in warps along x, and of its logarithm."""
Term = tuple[Power, ...]
"""One for each open axis."""
ONE_AXIS: tuple[Term, ...] = tuple(((a, b),) for a, b in ((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (1, 2)))
TWO_AXES: tuple[Term, ...] = tuple(((a, 0), (b, 0)) for a, b in ((0, 0), (1, 0), (0, 1), (1, 1)))


class Fits:
    """Writes numbers at the `powers` of an open block in its extents.

    `rounded` is what is made of a logarithm to the base of two: nothing, its floor, its ceiling.
    """

    def __init__(self, open_block: OpenBlock, rounded: Callable[[Any], Any] = lambda logarithm: logarithm) -> None:
        from sympy import Integer, Max, Symbol
        from sympy.codegen.cfunctions import log2

        self._integer, self._maximum = Integer, Max
        self._blocks, self._axes = open_block.powers, open_block.axes
        self._symbols = [Symbol(name, integer=True, nonnegative=True) for name in open_block.names]
        self._logarithms = [rounded(log2(symbol)) for symbol in self._symbols]

    def __call__(self, numbers: Sequence[Any]) -> Any:
        """Return numbers, one for each block, as an expression; None where none is found."""
        fractions = tuple(Fraction(int(number.p), int(number.q)) for number in numbers)
        found = _terms_of(fractions, self._blocks, self._axes)
        if found is not None:
            return self._sum(found)
        # What small blocks do not come to is nothing for them: only a sum for the others is found.
        others = [at for at, number in enumerate(fractions) if number]
        if len(others) < LEAST_BLOCKS:
            return None
        blocks = tuple(self._blocks[at] for at in others)
        found = _terms_of(tuple(fractions[at] for at in others), blocks, self._axes)
        is_whole = found is not None and all(
            max(Fraction(0), sum((c * _at(term, block, self._axes) for c, term in found), Fraction(0))) == number
            for block, number in zip(self._blocks, fractions, strict=True)
        )
        return self._maximum(self._integer(0), self._sum(found)) if found is not None and is_whole else None

    def _sum(self, found: Sequence[tuple[Fraction, Term]]) -> Any:
        total = self._integer(0)
        for coefficient, term in found:
            product = self._integer(coefficient.numerator) / coefficient.denominator
            for axis, symbol, logarithm, (power, of_log) in zip(
                self._axes, self._symbols, self._logarithms, term, strict=True
            ):
                extent = symbol / LANES if axis == 0 else symbol
                product *= extent**power * logarithm**of_log
            total += product
        return total


@lru_cache(maxsize=4096)
def _terms_of(
    numbers: tuple[Fraction, ...], blocks: tuple[Block, ...], axes: tuple[int, ...]
) -> tuple[tuple[Fraction, Term], ...] | None:
    """Return the fewest terms, with their coefficients, whose sum gives a number at each block."""
    known = ONE_AXIS if len(axes) == 1 else TWO_AXES
    for terms in _choices(known):
        rows = [[_at(term, block, axes) for term in terms] for block in blocks]
        solved = _solution(rows, numbers)
        if solved is not None:
            return tuple((coefficient, term) for coefficient, term in zip(solved, terms, strict=True) if coefficient)
    return None


def _choices(known: Sequence[Term]) -> Iterator[tuple[Term, ...]]:
    for count in range(1, min(MOST_TERMS, len(known)) + 1):
        yield from combinations(known, count)


def _at(term: Term, block: Block, axes: tuple[int, ...]) -> Fraction:
    value = 1
    for axis, (power, of_log) in zip(axes, term, strict=True):
        extent = block[axis]
        value *= (extent // LANES if axis == 0 else extent) ** power * (extent.bit_length() - 1) ** of_log
    return Fraction(value)


def _solution(rows: list[list[Fraction]], numbers: Sequence[Fraction]) -> list[Fraction] | None:
    """Return the one solution of linear equations; None where there is none, or several."""
    equations = [[*row, number] for row, number in zip(rows, numbers, strict=True)]
    unknowns = len(rows[0])
    for column in range(unknowns):
        pivot = next((at for at in range(column, len(equations)) if equations[at][column]), None)
        if pivot is None:
            return None
        equations[column], equations[pivot] = equations[pivot], equations[column]
        first = equations[column][column]
        equations[column] = [value / first for value in equations[column]]
        for at, equation in enumerate(equations):
            factor = equation[column]
            if at != column and factor:
                equations[at] = [a - factor * b for a, b in zip(equation, equations[column], strict=True)]
    if any(equation[-1] for equation in equations[unknowns:]):
        return None
    return [equation[-1] for equation in equations[:unknowns]]
