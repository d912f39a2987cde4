"""How many lanes pass several comparisons with one unknown number together, as `!(x + 3 < n) && x < n` lets one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, LaneValue, Monomial, Undecided, same_in_warp
from coalint.analysis.warps.remainders import Quotient, quotients
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.warps.lanes.lane_values import LaneEvaluator

FAR = 1 << 62
CANDIDATES = 16  # values of one sum that are tried for the most lanes in all
_Interval = tuple["NDArray[np.int64]", "NDArray[np.int64]"]


@dataclass(frozen=True, slots=True)
class Passing:
    """The lanes that pass, shape (E, W, 32), which comparisons parted them, and the numbers for which it is these."""

    active: NDArray[np.bool_]
    told: tuple[Poly, ...]
    numbers: tuple[tuple[int, int], ...]


def at_most(evaluator: LaneEvaluator, parts: Iterable[Poly], active: NDArray[np.bool_]) -> Passing:
    """Return the lanes that pass all comparisons together for the numbers that let most of one warp pass.

    `active` are the lanes in question. Comparisons with one unknown sum leave each lane an interval of its values; no
    more lanes pass at once than have a value in common. Other conditions are left out.
    """
    windows: dict[tuple[tuple[Monomial, int], ...], list[tuple[Poly, _Interval]]] = {}
    parts = list(parts)
    divided = list(quotients(evaluator.algebra, parts))
    for part in parts:
        for unknown, interval in _intervals(evaluator, part, active.shape, divided):
            windows.setdefault(unknown, []).append((part, interval))
    told: list[Poly] = []
    numbers: dict[int, int] = {}
    for part, (low, high) in windows.pop((), ()):  # only remainders are open, which are taken as is best
        left = active & (low <= 0) & (high >= 0)
        if (left != active).any():
            active = left
            told.append(part)
    for unknown, bounds in windows.items():
        low, high = (np.full(active.shape, end, dtype=np.int64) for end in (-FAR, FAR))
        for _, (lower, upper) in bounds:
            low, high = np.maximum(low, lower), np.minimum(high, upper)
        if len(bounds) < 2 or not ((low > -FAR) & (high < FAR))[active].any():
            continue
        left, number = _most(low, high, active)
        if (left != active).any():
            active = left
            told += [part for part, _ in bounds]
            numbers |= _solved(unknown, number)
    return Passing(active, tuple(dict.fromkeys(told)), tuple(numbers.items()))


def _most(low: NDArray[np.int64], high: NDArray[np.int64], active: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], int]:
    """Return the active lanes whose intervals hold one value, and that value.

    It is in those of as many lanes as can be.
    """
    active = active & (low <= high)
    values = np.zeros(active.shape[:2], dtype=np.int64)
    most = np.zeros(active.shape[:2], dtype=np.int64)
    for lane in range(active.shape[2]):
        value = low[..., lane]
        here = active & active[..., lane, None] & (low <= value[..., None]) & (value[..., None] <= high)
        count = here.sum(axis=2)
        values = np.where(count > most, value, values)
        most = np.maximum(most, count)
    candidates = np.unique(values[most == most.max()])[:CANDIDATES]
    passing = [active & (low <= value) & (value <= high) for value in candidates]
    best = max(range(len(passing)), key=lambda n: int(passing[n].sum()))
    return passing[best], int(candidates[best])


def _solved(unknown: tuple[tuple[Monomial, int], ...], number: int) -> dict[int, int]:
    """Return numbers for the atoms of a sum with which it is `number`; empty where that takes more than a division."""
    atoms = [(key[0][0], factor) for key, factor in unknown if len(key) == 1 and key[0][1] == 1]
    chosen = next(((index, number // factor) for index, factor in atoms if number % factor == 0), None)
    if chosen is None or len(atoms) < len(unknown):
        return {}
    return dict.fromkeys((index for index, _ in atoms), 0) | {chosen[0]: chosen[1]}


def _intervals(
    evaluator: LaneEvaluator, part: Poly, shape: tuple[int, ...], divided: Sequence[Quotient]
) -> Iterator[tuple[tuple[tuple[Monomial, int], ...], _Interval]]:
    """Yield the values of an unknown sum for which each lane passes a comparison.

    None where it is no such comparison.
    """
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
    unknown = {key: int(np.ravel(n)[0]) for key, n in difference.items() if key != CONSTANT and _is_one(n)}
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
    lane = np.broadcast_to(np.asarray(difference.get(CONSTANT, 0), dtype=np.int64), shape)
    for one, constant in kept:
        if one:
            yield _normal(one, lane + constant, holds, atoms[0].operator == "==")
        elif constant or not unknown:
            yield (), _bounds(lane + constant, holds)


def _bounds(lane: NDArray[np.int64], holds: bool) -> _Interval:
    """Return an interval that holds 0 for the lanes that pass: those below 0, or with `holds` false the others."""
    everywhere = np.full(lane.shape, FAR, dtype=np.int64)
    passing = (lane < 0) == holds
    return np.where(passing, -everywhere, 1), everywhere


def _normal(
    unknown: LaneValue, lane: NDArray[np.int64], holds: bool, equal: bool
) -> tuple[tuple[tuple[Monomial, int], ...], _Interval]:
    """Return the interval of a sum whose first factor is positive and whose factors have no common divisor."""
    keys = sorted(unknown)
    step = gcd(*(int(unknown[key]) for key in keys)) * (1 if int(unknown[keys[0]]) > 0 else -1)
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
    return tuple((key, int(unknown[key]) // step) for key in keys), (low, high)


def _is_one(number: object) -> bool:
    """Whether a factor is one number for all warps and iterations."""
    flat = np.ravel(np.asarray(number))
    return same_in_warp(number) and bool((flat == flat[0]).all())


def _counts(evaluator: LaneEvaluator, key: Monomial) -> bool:
    return len(key) == 1 and evaluator.algebra.atoms[key[0][0]].kind is AtomKind.COUNTER
