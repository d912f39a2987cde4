"""Which values of loop counters and block indices are tried one by one to find an access's mean cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import gcd, lcm, prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly, TooManyAtoms
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.conditions import Condition, When, conjuncts
from coalint.analysis.warps import periods
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Bytes: only the residue of a base modulo these matters, to sectors, to banks, and to what copies between them.
SECTOR = 32
BANK = 4
LINE = 128
MAX_COMBINATIONS = 1024  # of enumerated counters
MAX_CELLS = 1 << 20  # combinations x warps x lanes


@dataclass(frozen=True, slots=True)
class Plan:
    """Which counters are enumerated, as arrays of shape (E, 1, 1).

    The rows are the product of `counts` values of each counter, in this order; `whole` are those of which no value is
    left out; of `residues` one value stands for all that come after a period.
    """

    arrays: dict[int, NDArray[np.int64]]
    combinations: int
    averaged: frozenset[int]
    sampled: bool
    assumed: dict[str, None]
    counts: dict[int, int]
    whole: frozenset[int]
    residues: frozenset[int] = frozenset()

    def follow(self, holds: NDArray[np.bool_], over: Sequence[tuple[int, When]]) -> NDArray[np.bool_] | None:
        """Whether a condition held in the iterations that count; None where these are not enumerated."""
        for counter, when in over:
            if counter not in self.counts:
                if when is When.BEFORE and not holds.all():
                    return None
                continue
            if counter not in self.whole:
                return None
            axis = list(self.counts).index(counter)
            cells = holds.reshape(*self.counts.values(), *holds.shape[1:])
            if when is When.EVER:
                cells = np.broadcast_to(cells.all(axis=axis, keepdims=True), cells.shape)
            else:
                cells = np.logical_and.accumulate(cells, axis=axis)
                if when is When.BEFORE:
                    cells = np.roll(cells, 1, axis=axis)
                    cells[(slice(None),) * axis + (0,)] = True
            holds = cells.reshape(holds.shape)
        return holds


def enumerate_given(
    algebra: Algebra,
    addresses: Sequence[Poly],
    guards: Sequence[Condition],
    granularity: int,
    cells: int,
    fixed: Mapping[int, int],
) -> Plan:
    """What `enumerate_counters` chooses where what is in `fixed` has its number, as `pitch` in `blockIdx.x * pitch`."""
    quantities = [
        atom for atom in map(algebra.atoms.__getitem__, fixed) if atom.kind in (AtomKind.UNIFORM, AtomKind.LOAD)
    ]
    mark = algebra.mark()
    try:
        for atom in quantities:
            known = Substitution(algebra, atom, algebra.constant(fixed[atom.index]))
            addresses = [known.of(address) for address in addresses]
            guards = [replace(guard, value=known.of(guard.value)) for guard in guards]
        return enumerate_counters(algebra, addresses, guards, granularity, cells, fixed)
    except TooManyAtoms:
        return enumerate_counters(algebra, addresses, guards, granularity, cells, fixed)
    finally:
        algebra.forget(mark)


def enumerate_counters(
    algebra: Algebra,
    addresses: Sequence[Poly],
    guards: Sequence[Condition],
    granularity: int,
    cells: int,
    fixed: Mapping[int, int] | None = None,
) -> Plan:
    """Choose values for the counters on which the pattern of an access depends (not only its base).

    An access has one address, or the two of a copy. What moves one by a multiple of `granularity` bytes keeps its
    pattern. The counters in `fixed` have the number given: they are enumerated all the same where all rows are few
    enough, since guards may speak of earlier iterations, or else left out.
    """
    fixed = fixed or {}
    linear: dict[int, int] = {}
    entangled: set[int] = set()
    for coefficient, monomial in (term for address in addresses for term in algebra.terms(address)):
        alone = len(monomial) == 1 and monomial[0][1] == 1
        for index, _ in monomial:
            atom = algebra.atoms[index]
            if atom.kind is AtomKind.COUNTER:
                if alone:
                    linear[index] = gcd(linear.get(index, 0), coefficient, granularity)
                elif any(algebra.atoms[other].level is not Level.UNIFORM for other, _ in monomial) or all(
                    algebra.atoms[other].kind is AtomKind.COUNTER for other, _ in monomial
                ):
                    entangled.add(index)
            elif atom.operands:
                uniform = atom.level is Level.UNIFORM and atom.kind is not AtomKind.TABLE
                inner = [
                    a.index for operand in atom.operands for a in algebra.closure(operand) if a.kind is AtomKind.COUNTER
                ]
                if not uniform or alone:
                    entangled.update(inner)
    for guard in guards:
        before = [algebra.atoms[index] for index, when in guard.over if when is When.BEFORE]
        for part in conjuncts(algebra, guard.value):
            inside = [*algebra.closure(part), *before]
            if any(atom.kind is AtomKind.THREAD for atom in inside) or all(
                atom.kind in (AtomKind.COUNTER, AtomKind.OPERATION, AtomKind.TABLE) for atom in inside
            ):
                entangled.update(atom.index for atom in inside if atom.kind is AtomKind.COUNTER)
    ranges: dict[int, int] = {}
    averaged: set[int] = set()
    assumed: dict[str, None] = {}
    for index in sorted(entangled | set(linear)):
        atom = algebra.atoms[index]
        if atom.trips is None and index in fixed:
            continue
        if atom.trips is None:
            repeats = [periods.period(algebra, address, index, granularity) for address in addresses]
            found = [repeat for repeat in repeats if repeat is not None]
            if len(found) == len(repeats) and lcm(*found) > 1:
                ranges[index] = lcm(*found)
                averaged.add(index)
                assumed[f"averaged over the values of `{atom.name}`"] = None
            continue
        period = granularity // gcd(linear.get(index, 0), granularity)
        if index in entangled:
            ranges[index] = atom.trips
        elif period > 1:
            averaged.add(index)
            ranges[index] = atom.trips if atom.trips <= 4 * SECTOR or atom.trips % period else period
    sampled = False
    limit = max(1, min(MAX_COMBINATIONS, MAX_CELLS // cells))
    crowded = prod(ranges.values()) > limit
    for index in [index for index in ranges if index in fixed]:
        if crowded or fixed[index] >= ranges[index]:
            del ranges[index]
            averaged.discard(index)
    counts = dict(ranges)
    while prod(counts.values()) > limit:
        largest = max(counts, key=lambda index: counts[index])
        counts[largest] = max(1, counts[largest] // 2)
        sampled = True
    if sampled:
        assumed[f"sampled {prod(counts.values())} combinations of loop iterations and blocks"] = None
    wraps = [atom for atom in algebra.closure(*addresses) if atom.operator == "wrap"]
    values = [
        np.unique(np.linspace(0, ranges[index] - 1, counts[index]).astype(np.int64))
        if counts[index] < ranges[index]
        else np.arange(ranges[index], dtype=np.int64)
        for index in counts
    ]
    residues = frozenset(index for index in counts if algebra.atoms[index].trips is None)
    if wraps:  # far enough from 0 for nothing to wrap around there
        values = [v + 64 * ranges[i] if i in residues else v for i, v in zip(counts, values, strict=True)]
        inside = [atom for atom in wraps if any(a.index in residues for a in algebra.closure(*atom.operands))]
        assumed.update(dict.fromkeys(f"the {atom.bits}-bit index does not wrap around" for atom in inside))
    counts = {index: len(numbers) for index, numbers in zip(counts, values, strict=True)}
    whole = frozenset(index for index, number in counts.items() if number == algebra.atoms[index].trips)
    combined = np.array(list(product(*values)), dtype=np.int64).reshape(-1, len(values)) if values else None
    arrays = (
        {}
        if combined is None
        else {index: combined[:, column].reshape(-1, 1, 1) for column, index in enumerate(counts)}
    )
    combinations = 1 if combined is None else len(combined)
    return Plan(arrays, combinations, frozenset(averaged), sampled, assumed, counts, whole, residues)
