"""For which values of an unknown sum each lane passes a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.arithmetic import Number
from coalint.analysis.domain.algebra.atoms import AtomKind, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, LaneValue, Monomial, Undecided, same_in_warp
from coalint.analysis.warps.remainders import Quotient
from coalint.core.arrays import spread
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.warps.lanes.lane_values import LaneEvaluator

FAR = 1 << 62
Interval = tuple["NDArray[np.int64]", "NDArray[np.int64]"]
"""The least and the greatest value, shape (E, W, 32)."""

Unknown = tuple[tuple[Monomial, int], ...]
"""A sum of quantities that are not known, with the factor of each."""


@record(frozen=True, slots=True)
class Comparison:
    """A comparison of `step` times the sum of `unknown`, and a number of each lane, with 0.

    `lane` are these numbers, shape (E, W, 32). `holds` says that the comparison holds, `equal` that it is one for
    equality, not `<`.
    """

    unknown: Unknown
    step: int
    lane: NDArray[np.int64]
    holds: bool
    equal: bool

    def interval(self) -> Interval:
        """Return the values of the sum with which each lane passes."""
        if not self.unknown:
            return _bounds(self.lane, self.holds)
        return _interval(self.step, self.lane, self.holds, self.equal)


def intervals(
    evaluator: LaneEvaluator, part: Poly, shape: tuple[int, ...], divided: Sequence[Quotient]
) -> Iterator[tuple[Unknown, Interval]]:
    """Yield the values of an unknown sum for which each lane passes a comparison.

    None where it is no such comparison.
    """
    yield from ((one.unknown, one.interval()) for one in comparisons(evaluator, part, shape, divided))


def comparisons(
    evaluator: LaneEvaluator, part: Poly, shape: tuple[int, ...], divided: Sequence[Quotient]
) -> Iterator[Comparison]:
    """Yield what a comparison says of unknown sums, one for each form; nothing where it is no such comparison."""
    atoms = evaluator.algebra.atoms_of(part)
    if len(atoms) != 1 or atoms[0].operator not in ("<", "==") or len(atoms[0].operands) != 1:
        return
    holds = part == generator(atoms[0].index)
    if not holds and (part != 1 - generator(atoms[0].index) or atoms[0].operator == "=="):
        return
    try:
        difference = evaluator.value(atoms[0].operands[0])
    except Undecided:
        return
    unknown = {key: _first(n) for key, n in difference.items() if key != CONSTANT and _is_one(n)}
    if len(unknown) != len([key for key in difference if key != CONSTANT]):
        return
    kept = [(unknown, 0)]
    if atoms[0].operator == "<":
        for quotient in divided:
            replaced = quotient.without(unknown)
            if replaced is not None:  # the remainder with which it holds most easily
                factors, constant, times = replaced
                best = quotient.divisor - 1 if (times < 0) == holds else quotient.least
                kept.append((factors, constant + times * best))
        for one, constant in tuple(kept):  # numbers of iterations are at least 0: x + k < n implies x < n
            falling = {key: n for key, n in one.items() if not (_counts(evaluator, key) and (n > 0) == holds)}
            kept += [(falling, constant)] if len(falling) < len(one) else []
    lane = spread(np.asarray(difference.get(CONSTANT, 0), dtype=np.int64), shape)
    for one, constant in kept:
        if one:
            normal, step = _normal(one)
            yield Comparison(normal, step, lane + constant, holds, atoms[0].operator == "==")
        elif constant or not unknown:
            yield Comparison((), 1, lane + constant, holds, equal=False)


def _bounds(lane: NDArray[np.int64], holds: bool) -> Interval:
    """Return an interval that holds 0 for the lanes that pass: those below 0, or with `holds` false the others."""
    everywhere = np.full(lane.shape, FAR, dtype=np.int64)
    passing = (lane < 0) == holds
    return np.where(passing, -everywhere, 1), everywhere


def _normal(unknown: LaneValue) -> tuple[Unknown, int]:
    """Return a sum whose first factor is positive and whose factors have no common divisor, and how often it stands."""
    keys = sorted(unknown)
    step = gcd(*(int(unknown[key]) for key in keys)) * (1 if int(unknown[keys[0]]) > 0 else -1)
    return tuple((key, int(unknown[key]) // step) for key in keys), step


def _interval(step: int, lane: NDArray[np.int64], holds: bool, equal: bool) -> Interval:
    everywhere = np.full(lane.shape, FAR, dtype=np.int64)
    if equal:
        low, high = -lane, -lane
    elif holds:
        low, high = -everywhere, -lane - 1
    else:
        low, high = -lane, everywhere
    if step < 0:
        low, high = -high, -low
    size = abs(step)
    low = np.where(low == -FAR, -FAR, -(-low // size))
    high = np.where(high == FAR, FAR, high // size)
    return low, high


def _first(number: Number) -> int:
    return int(number.item(0) if isinstance(number, np.ndarray) else number)


def _is_one(number: Number) -> bool:
    """Whether a factor is one number for all warps and iterations."""
    if not isinstance(number, np.ndarray):
        return True
    return same_in_warp(number) and bool((number == number.item(0)).all())


def _counts(evaluator: LaneEvaluator, key: Monomial) -> bool:
    return len(key) == 1 and evaluator.algebra.atoms[key[0][0]].kind is AtomKind.COUNTER
