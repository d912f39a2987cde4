"""Quotients and bits of sums of an unknown number and one that is known for each lane."""

from __future__ import annotations

from math import gcd

from coalint.analysis.domain.algebra.arithmetic import Number, apply
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.algebra.printing import Printer
from coalint.analysis.warps.lanes.evaluation import Evaluation
from coalint.analysis.warps.lanes.lane_numbers import (
    CONSTANT,
    LaneValue,
    Monomial,
    is_one_number,
    same_in_warp,
)
from coalint.core.facts.suppositions import Supposed
from coalint.core.lazy import np


def by_divisibility(
    lanes: Evaluation, atom: Atom, values: list[LaneValue], numbers: list[Number | None]
) -> LaneValue | None:
    """Return (U + v) op w, where the unknown U is a multiple of a power of two (or divisor) larger than v and w."""
    operator = atom.operator
    if numbers[1] is None:
        if operator not in ("^", "|", "&") or numbers[0] is None:
            return None
        values, numbers = values[::-1], numbers[::-1]
    right: Number = numbers[1]
    unknown = {key: n for key, n in values[0].items() if key != CONSTANT}
    lane = values[0].get(CONSTANT, 0)
    if not all(isinstance(n, int) or not isinstance(n, np.ndarray) for n in unknown.values()):
        step = gcd(*(int(np.gcd.reduce(np.ravel(n))) for n in unknown.values()))
    else:
        step = gcd(*(int(n) for n in unknown.values()))
    low, high = int(np.min(lane)), int(np.max(lane))
    if operator in ("^", "|", "&"):
        power = step & -step
        if low < 0 or high >= power or int(np.min(right)) < 0 or int(np.max(right)) >= power:
            return None
        bits = apply(operator, (lane, right))
        return {CONSTANT: bits} if operator == "&" else {**unknown, CONSTANT: bits}
    divisor = right if operator == "/" else (1 << int(right) if isinstance(right, int) and 0 <= right < 62 else 0)
    if operator not in ("/", ">>") or not isinstance(divisor, int) or divisor <= 0:
        return None
    if step % divisor or low < 0:
        return _quotient(lanes, atom, unknown, lane, divisor)
    return {**{key: n // divisor for key, n in unknown.items()}, CONSTANT: apply("/", (lane, divisor))}


def _quotient(lanes: Evaluation, atom: Atom, unknown: LaneValue, lane: Number, divisor: int) -> LaneValue | None:
    """Return (U + v) / d of an unknown U that d need not divide: floor((U + r) / d) + (v - r) / d where r = v mod d.

    One r for all lanes, or all below what divides both U and d, leaves nothing open; otherwise U is supposed to be
    a multiple of d, if it can be one.
    """
    if not all(same_in_warp(number) for number in unknown.values()) or int(np.max(lane) - np.min(lane)) >> 31:
        return None
    step = gcd(divisor, *(int(np.gcd.reduce(np.ravel(np.asarray(n)))) for n in unknown.values()))
    if not is_one_number(np.floor_divide(np.mod(lane, divisor), step)):
        parts = {key: n for key, n in unknown.items() if np.any(np.mod(n, divisor) != 0)}
        if any(_counted(lanes, key) for key in parts):
            return None
        text = Printer(lanes.algebra).text(_uniform_part(lanes, parts))
        lanes.suppose(f"the uniform offset `{text}` is a multiple of {divisor}", Supposed.MULTIPLE)
        lanes.approximate = True
    return {((atom.index, 1),): 1, CONSTANT: np.floor_divide(lane, divisor)}


def _counted(lanes: Evaluation, key: Monomial) -> bool:
    """Whether a product is one of numbers of blocks and iterations alone: these take all values, not only some."""
    return all(lanes.algebra.atoms[index].kind in (AtomKind.COUNTER, AtomKind.TABLE) for index, _ in key)


def _uniform_part(lanes: Evaluation, value: LaneValue) -> Poly:
    """Return the polynomial that is the uniform part of a value (its coefficients' greatest common divisors)."""
    total = lanes.algebra.zero
    for key, number in value.items():
        term = lanes.algebra.constant(int(np.gcd.reduce(np.ravel(np.asarray(number)))))
        for index, exponent in key:
            term *= generator(index) ** exponent
        total += term
    return total
