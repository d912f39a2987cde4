"""Holds a condition against the lane model: what an access costs at numbers with which it holds, and does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from random import Random
from typing import TYPE_CHECKING

from coalint.analysis.formulas.formula import Exported, Requirement, Terms, Wanted
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.core.facts.good_if import GoodKind
from coalint.core.facts.lanes import Lanes
from coalint.core.lazy import np
from coalint.machine.architecture import architecture
from coalint.machine.global_memory.sectors import ideal_sectors, sector_counts
from coalint.machine.shared_memory.banks import ideal_wavefronts, wavefront_counts
from coalint.machine.traffic import mean_per_request

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.atoms import Poly
    from coalint.analysis.warps.model import WarpModel

NUMBERS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 16, 17, 24, 31, 32, 33, 40, 63, 64, 65, 96, 100, 127, 128, 1000, 1027)
DRAWS = 64
ENOUGH = 4
"""Samples on either side."""
LEAST = 2
"""Samples with which the condition holds: fewer prove nothing."""
ALIGNMENT = 256
"""Of what allocators return, in bytes."""


def holds(model: WarpModel, offset: Poly, asked: Exported, kind: GoodKind, requirements: Sequence[Requirement]) -> bool:
    """Whether the access costs least at each sample with which the requirements hold, and more at another."""
    good: list[tuple[float, float]] = []
    others: list[float] = []
    for numbers in _samples(asked.formula.symbols, requirements):
        met = all(_is_met(requirement, numbers) for requirement in requirements)
        if len(good if met else others) >= ENOUGH:
            continue
        cost = _cost(model, offset, asked, numbers)
        if cost is None:
            return False
        if met:
            good.append(cost)
        else:
            others.append(cost[0])
    if len(good) < LEAST or not others:
        return False
    count, ideal = good[0]
    if any(other != count for other, _ in good) or (kind in _IDEAL and count != ideal):
        return False
    return min(others) >= count and max(others) > count


_IDEAL = (GoodKind.COALESCED, GoodKind.CONFLICT_FREE)


def _samples(symbols: Sequence[str], requirements: Sequence[Requirement]) -> Iterator[dict[str, int]]:
    """Yield numbers for the symbols: drawn, and drawn with those put in that the requirements ask for.

    What no requirement names is a multiple of a line, so that it moves whole requests alone.
    """
    random = Random(0)
    named = {name for requirement in requirements for _, monomial in requirement.terms for name, _ in monomial}
    for _ in range(DRAWS):
        numbers = {name: random.choice(NUMBERS) * (1 if name in named else ALIGNMENT) for name in symbols}
        yield numbers
        for requirement in requirements:
            numbers = _met(requirement, numbers)
        yield numbers


def _value(terms: Terms, numbers: Mapping[str, int]) -> int:
    return sum(c * prod(numbers[name] ** power for name, power in monomial) for c, monomial in terms)


def _is_met(requirement: Requirement, numbers: Mapping[str, int]) -> bool:
    rest = _value(requirement.terms, numbers) - requirement.residue
    return rest % requirement.modulus == 0 if requirement.modulus else rest == 0


def _met(requirement: Requirement, numbers: Mapping[str, int]) -> dict[str, int]:
    """Return numbers that meet a requirement by changing one that stands alone in it; the same where none does."""
    for coefficient, monomial in requirement.terms:
        if coefficient in (1, -1) and len(monomial) == 1 and monomial[0][1] == 1:
            name = monomial[0][0]
            lacking = (requirement.residue - _value(requirement.terms, numbers)) * coefficient
            if requirement.modulus:
                lacking %= requirement.modulus
            if numbers[name] + lacking >= 0:
                return {**numbers, name: numbers[name] + lacking}
    return dict(numbers)


def _cost(model: WarpModel, offset: Poly, asked: Exported, numbers: Mapping[str, int]) -> tuple[float, float] | None:
    """Return the mean cost of a request and its ideal, over all warps of a block; None where lanes are not known."""
    fixed = {asked.atoms[name]: number for name, number in numbers.items()}
    try:
        values = LaneEvaluator(model.algebra, {**model.threads, **fixed}).value(offset)
    except (Undecided, OverflowError):
        return None
    if not set(values) <= {CONSTANT}:
        return None
    shape = model.exists.shape
    offsets = np.ascontiguousarray(np.broadcast_to(values.get(CONSTANT, 0), shape), dtype=np.int64)
    lanes = Lanes(offsets, model.exists, np.ones(1, dtype=np.int64), ALIGNMENT)
    width = asked.formula.bytes
    if asked.formula.wanted is Wanted.CONFLICT_FREE:
        arch = architecture("sm_90")
        count, ideal = wavefront_counts(lanes, width, arch), ideal_wavefronts(lanes, width, arch)
    else:
        count, ideal = sector_counts(lanes, width), ideal_sectors(lanes, width)
    mean, least = mean_per_request(count, lanes), mean_per_request(ideal, lanes)
    return None if mean is None or least is None else (mean, least)
