"""How many rows of a whole grid pass guards: `(y < 1 || y >= h - 1) && y < h` lets two pass, whatever `h` is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import constant, generator, term
from coalint.analysis.domain.conditions import Condition, conjuncts, disjuncts
from coalint.core.records import record

MOST = 16
"""Values of an index that are few of those of a grid whose size is not known."""


@record(frozen=True, slots=True)
class _Bound:
    """What a comparison says of an index: that it is at least `low`, or less than `high`, numbers of the launch."""

    index: Poly
    low: Poly | None
    high: Poly | None


@record(frozen=True, slots=True)
class _Said:
    """What one guard says of indices: bounds that hold in any case, and alternatives that each have some."""

    certain: tuple[_Bound, ...]
    alternatives: tuple[tuple[list[_Bound], ...], ...]


class Borders:
    """Counts rows under the guards of one kernel's accesses; what a guard says is found once for all of them."""

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra
        self._said: dict[Poly, _Said] = {}

    def forget_from(self, first: int) -> None:
        """Forget what was found of atoms from an index on, which are gone."""
        self._said = {value: said for value, said in self._said.items() if value.lies_below(first)}

    def rows(self, guards: Iterable[Condition]) -> int | None:
        """Return how many values of one index of the grid's threads pass the guards, if few for every size; else None.

        The index moves with threads and with blocks, of which there are as many as the launch likes. It does not go
        back.
        """
        said = [self._says(guard.value) for guard in guards if not guard.over]
        certain = [bound for one in said for bound in one.certain]
        counts = [_count(certain, (), bound.index) for bound in certain]
        for ways in (ways for one in said for ways in one.alternatives):
            indices = {bound.index for way in ways for bound in way}
            counts += [_sum(_count(certain, way, index) for way in ways) for index in indices]
        return min((count for count in counts if count is not None and 0 < count <= MOST), default=None)

    def _says(self, value: Poly) -> _Said:
        said = self._said.get(value)
        if said is None:
            algebra = self.algebra
            clauses = [disjuncts(algebra, part) for part in conjuncts(algebra, value)]
            certain = [bound for clause in clauses if len(clause) == 1 for bound in _bounds(algebra, clause)]
            alternatives = [
                tuple(_bounds(algebra, conjuncts(algebra, alternative)) for alternative in clause)
                for clause in clauses
                if len(clause) > 1
            ]
            said = self._said[value] = _Said(tuple(certain), tuple(ways for ways in alternatives if any(ways)))
        return said


def _sum(counts: Iterable[int | None]) -> int | None:
    known = list(counts)
    return None if None in known else sum(count for count in known if count is not None)


def _count(certain: Sequence[_Bound], more: Sequence[_Bound], index: Poly) -> int | None:
    """Return the least number of values that lie between a lower and an upper bound of an index."""
    bounds = [bound for bound in (*certain, *more) if bound.index == index]
    lows = [constant(0), *(bound.low for bound in bounds if bound.low is not None)]
    highs = [bound.high for bound in bounds if bound.high is not None]
    sizes = ((high - low).number for low in lows for high in highs)
    return min((max(size, 0) for size in sizes if size is not None), default=None)


def _bounds(algebra: Algebra, parts: Iterable[Poly]) -> list[_Bound]:
    return [bound for part in parts for bound in _bound(algebra, part)]


def _bound(algebra: Algebra, part: Poly) -> list[_Bound]:
    """Return what a comparison says of an index of the grid's threads; nothing for other conditions."""
    atoms = algebra.atoms_of(part)
    if len(atoms) != 1 or atoms[0].operator not in ("<", "==") or len(atoms[0].operands) != 1:
        return []
    holds = part == generator(atoms[0].index)
    if not holds and (part != 1 - generator(atoms[0].index) or atoms[0].operator == "=="):
        return []
    index, rest = _split(algebra, atoms[0].operands[0])
    if _is_index(algebra, index):
        low, high = (None, -rest) if holds else (-rest, None)
    elif _is_index(algebra, -index):
        index = -index
        low, high = (rest + 1, None) if holds else (None, rest + 1)
    else:
        return []
    if atoms[0].operator == "==":
        at = -rest if low is None else rest
        return [_Bound(index, at, at + 1)]
    return [_Bound(index, low, high)]


def _split(algebra: Algebra, value: Poly) -> tuple[Poly, Poly]:
    """Return a sum's terms that differ between threads or blocks, and the others."""
    index, rest = constant(0), constant(0)
    for monomial, coefficient in value.items():
        alone = term(monomial, coefficient)
        moves = any(atom.is_block_index for atom in algebra.atoms_of(alone))
        if moves or algebra.level(alone) is not Level.UNIFORM:
            index += alone
        else:
            rest += alone
    return index, rest


def _is_index(algebra: Algebra, value: Poly) -> bool:
    """Whether a sum is an index of threads over blocks of which there may be many: 16*blockIdx.y + threadIdx.y."""
    atoms = algebra.atoms_of(value)
    linear = all(len(monomial) == 1 and monomial[0][1] == 1 and factor > 0 for monomial, factor in value.items())
    blocks = [atom for atom in atoms if atom.is_block_index]
    threads = [atom for atom in atoms if atom.kind is AtomKind.THREAD]
    return linear and bool(threads) and len(blocks) == 1 and blocks[0].trips is None and len(atoms) == len(threads) + 1
