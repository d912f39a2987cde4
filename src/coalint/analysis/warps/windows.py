"""How many lanes pass several comparisons with one unknown number together, as `!(x + 3 < n) && x < n` lets one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.warps.alternatives import Choices, most_of
from coalint.analysis.warps.passed_intervals import FAR, Comparison, Unknown, comparisons
from coalint.analysis.warps.remainders import quotients
from coalint.core.arrays import distinct
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.warps.lanes.lane_values import LaneEvaluator

CANDIDATES = 16  # values of one sum that are tried for the most lanes in all


@record(frozen=True, slots=True)
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
    windows: dict[Unknown, list[tuple[Poly, Comparison]]] = {}
    parts = list(parts)
    if not parts:
        return Passing(active, (), ())
    divided = list(quotients(evaluator.algebra, parts))
    for part in parts:
        for comparison in comparisons(evaluator, part, active.shape, divided):
            windows.setdefault(comparison.unknown, []).append((part, comparison))
    choices = list(Choices(evaluator, active.shape, divided).of(parts))
    told: list[Poly] = []
    numbers: dict[int, int] = {}
    for part, comparison in windows.pop((), ()):  # only remainders are open, which are taken as is best
        low, high = comparison.interval()
        left = active & (low <= 0) & (high >= 0)
        if (left != active).any():
            active = left
            told.append(part)
    for choice in choices:
        if choice.unknown is None and (active & ~choice.known).any():
            active = active & choice.known
            told.append(choice.part)
    for unknown, bounds in windows.items():
        beside = [choice for choice in choices if choice.unknown == unknown]
        if len(bounds) + len(beside) < 2:
            continue
        low, high = (np.full(active.shape, end, dtype=np.int64) for end in (-FAR, FAR))
        for _, comparison in bounds:
            lower, upper = comparison.interval()
            low, high = np.maximum(low, lower), np.minimum(high, upper)
        if not (beside or ((low > -FAR) & (high < FAR))[active].any()):
            continue
        left, number = most_of(beside, (low, high), active) if beside else _most(low, high, active)
        if (left != active).any():
            active = left
            told += [*(part for part, _ in bounds), *(choice.part for choice in beside)]
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
    candidates = distinct(values[most == most.max()])[:CANDIDATES]
    passing = [active & (low <= value) & (value <= high) for value in candidates]
    best = max(range(len(passing)), key=lambda n: int(passing[n].sum()))
    return passing[best], int(candidates[best])


def _solved(unknown: Unknown, number: int) -> dict[int, int]:
    """Return numbers for the atoms of a sum with which it is `number`; empty where that takes more than a division."""
    atoms = [(key[0][0], factor) for key, factor in unknown if len(key) == 1 and key[0][1] == 1]
    chosen = next(((index, number // factor) for index, factor in atoms if number % factor == 0), None)
    if chosen is None or len(atoms) < len(unknown):
        return {}
    return dict.fromkeys((index for index, _ in atoms), 0) | {chosen[0]: chosen[1]}
