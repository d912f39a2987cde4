"""Which values of loop counters and block indices are tried one by one to find an access's mean cost."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import gcd, lcm, prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Poly, TooManyAtoms
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.warps.counters import periods
from coalint.analysis.warps.counters.plan import SECTOR, Plan
from coalint.analysis.warps.counters.stretches import Block
from coalint.analysis.warps.counters.used_counters import UsedCounters, used_counters
from coalint.analysis.warps.counters.weighted import Weighted, weighted_values
from coalint.core.arrays import distinct
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_COMBINATIONS = 1024  # of enumerated counters
MAX_WEIGHTED = 4096  # where some stand for others, and none is left out
MAX_CELLS = 1 << 20  # combinations x warps x lanes
_FARTHEST = 1 << 40  # the largest value of a counter that is tried, so that addresses fit into 64 bits


def enumerate_given(
    algebra: Algebra,
    addresses: Sequence[Poly],
    guards: Sequence[Condition],
    granularity: int,
    block: Block,
    fixed: Mapping[int, int],
) -> Plan:
    """Choose values as `enumerate_counters` does, with the numbers in `fixed` put in.

    Where there are too many, those that the guards of a `block` and the address do not tell apart stand for each other.
    So `blockIdx.x * pitch` is linear in `blockIdx.x` where `pitch` has a number.
    """
    quantities = [
        atom for atom in map(algebra.atoms.__getitem__, fixed) if atom.kind in (AtomKind.UNIFORM, AtomKind.LOAD)
    ]
    mark = algebra.mark()
    try:
        for atom in quantities:
            known = Substitution(algebra, atom, algebra.constant(fixed[atom.index]))
            addresses = [known.of(address) for address in addresses]
            guards = [replace(guard, value=known.of(guard.value)) for guard in guards]
        return enumerate_counters(algebra, addresses, guards, granularity, block.exists.size, fixed, block)
    except TooManyAtoms:
        return enumerate_counters(algebra, addresses, guards, granularity, block.exists.size, fixed, block)
    finally:
        algebra.forget(mark)


def enumerate_counters(
    algebra: Algebra,
    addresses: Sequence[Poly],
    guards: Sequence[Condition],
    granularity: int,
    cells: int,
    fixed: Mapping[int, int] | None = None,
    block: Block | None = None,
) -> Plan:
    """Choose values for the counters on which the pattern of an access depends (not only its base).

    An access has one address, or the two of a copy. What moves one by a multiple of `granularity` bytes keeps its
    pattern. `cells` is how many lanes a block has. Counters in `fixed` have a number: they are enumerated all the same
    where all rows are few enough, since guards may test earlier iterations, or else left out. Without a `block` each
    value stands for itself.
    """
    fixed = fixed or {}
    suppositions: dict[str, None] = {}
    used = used_counters(algebra, addresses, guards, granularity)
    ranges, averaged = _ranges(algebra, addresses, used, granularity, fixed, suppositions)
    limit = max(1, min(MAX_COMBINATIONS, MAX_CELLS // cells))
    crowded = prod(ranges.values()) > limit
    for index in [index for index in ranges if index in fixed]:
        if crowded or fixed[index] >= ranges[index]:
            del ranges[index]
            averaged.discard(index)
    weighted: dict[int, Weighted] = {}
    if block is not None and prod(ranges.values()) > limit:
        weighted = weighted_values(algebra, guards, block, ranges, addresses, granularity, fixed, limit)
    ranges = {index: len(weighted[index].numbers) if index in weighted else n for index, n in ranges.items()}
    whole = bool(weighted) and prod(ranges.values()) <= min(MAX_WEIGHTED, MAX_CELLS // cells)
    counts = ranges if whole else _sampled_counts(ranges, limit, weighted)
    sampled = counts != ranges
    if sampled:
        text = f"sampled {prod(counts.values())} combinations of loop iterations and blocks"
        suppositions[Supposition(text, Supposed.SAMPLE)] = None
    residues = frozenset(index for index in counts if algebra.atoms[index].trips is None)
    values = _values(algebra, addresses, ranges, counts, residues, suppositions)
    values.update((index, one.numbers) for index, one in weighted.items())
    arrays, combinations = _combined(values)
    counts = {index: len(numbers) for index, numbers in values.items()}
    return Plan(
        arrays=arrays,
        combinations=combinations,
        averaged=frozenset(averaged),
        sampled=sampled,
        assumed=suppositions,
        counts=counts,
        whole=frozenset(index for index, number in counts.items() if number == algebra.atoms[index].trips),
        residues=residues,
        weights={index: one.weights for index, one in weighted.items()},
    )


def _ranges(
    algebra: Algebra,
    addresses: Sequence[Poly],
    used: UsedCounters,
    granularity: int,
    fixed: Mapping[int, int],
    suppositions: dict[str, None],
) -> tuple[dict[int, int], set[int]]:
    """Return how many values of each counter make up its pattern, and the counters that are averaged over."""
    ranges: dict[int, int] = {}
    averaged: set[int] = set()
    each = used.entangled | used.tested
    for index in sorted(each | set(used.linear)):
        atom = algebra.atoms[index]
        if atom.trips is None and index in fixed:
            continue
        if atom.trips is None:
            periods_of = [periods.period(algebra, address, index, granularity) for address in addresses]
            known = [period for period in periods_of if period is not None]
            if len(known) == len(periods_of) and lcm(*known) > 1:
                ranges[index] = lcm(*known)
                averaged.add(index)
                suppositions[Supposition(f"averaged over the values of `{atom.name}`", Supposed.SAMPLE)] = None
            continue
        period = granularity // gcd(used.linear.get(index, 0), granularity)
        if index in each:
            ranges[index] = atom.trips
        elif period > 1:
            averaged.add(index)
            ranges[index] = atom.trips if atom.trips <= 4 * SECTOR or atom.trips % period else period
    return ranges, averaged


def _sampled_counts(ranges: Mapping[int, int], limit: int, whole: Collection[int]) -> dict[int, int]:
    """Return how many values of each counter are tried, so that there are at most `limit` combinations.

    Of those that are `whole` none is left out.
    """
    counts = dict(ranges)
    halved = {index for index, count in counts.items() if index not in whole and count > 1}
    while halved and prod(counts.values()) > limit:
        largest = max(halved, key=lambda index: counts[index])
        counts[largest] = max(1, counts[largest] // 2)
        if counts[largest] == 1:
            halved.remove(largest)
    return counts


def _values(
    algebra: Algebra,
    addresses: Sequence[Poly],
    ranges: Mapping[int, int],
    counts: Mapping[int, int],
    residues: Collection[int],
    suppositions: dict[str, None],
) -> dict[int, NDArray[np.int64]]:
    """Return the values of each counter that are tried."""
    values = {
        index: distinct(np.linspace(0, min(ranges[index] - 1, _FARTHEST), count).astype(np.int64))
        if count < ranges[index]
        else np.arange(ranges[index], dtype=np.int64)
        for index, count in counts.items()
    }
    wraps = [atom for atom in algebra.closure(*addresses) if atom.operator == "wrap"]
    if wraps:  # far enough from 0 for nothing to wrap around there
        values = {i: v + 64 * min(ranges[i], _FARTHEST) if i in residues else v for i, v in values.items()}
        inside = [atom for atom in wraps if any(a.index in residues for a in algebra.closure(*atom.operands))]
        suppositions.update(dict.fromkeys(f"the {atom.bits}-bit index does not wrap around" for atom in inside))
    return values


def _combined(values: Mapping[int, NDArray[np.int64]]) -> tuple[dict[int, NDArray[np.int64]], int]:
    """Return the product of the values as one array of shape (E, 1, 1) for each counter, and E."""
    if not values:
        return {}, 1
    rows = np.array(list(product(*values.values())), dtype=np.int64).reshape(-1, len(values))
    return {index: rows[:, column].reshape(-1, 1, 1) for column, index in enumerate(values)}, len(rows)
