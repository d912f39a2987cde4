"""The parts of guards, with what holds of them whichever way open conditions are decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.domain.conditions import conjuncts
from coalint.analysis.warps.counters import periods
from coalint.analysis.warps.counters.plan import Plan
from coalint.analysis.warps.quantities import OPEN
from coalint.core.records import record


@record(frozen=True, slots=True)
class PartFacts:
    """A value of a guard that must not be 0.

    `atoms` are all that it rests on. `sampled` says that it changes within a counter of which only one period is tried,
    `is_open` that it is one value for the block and rests on what no number stands for. `is_uniform`: it is one value
    for the block.
    """

    value: Poly
    atoms: Sequence[Atom]
    sampled: bool
    is_uniform: bool
    is_open: bool


class GuardParts:
    """The parts of guards under one plan, each found once. `fixed` are atoms with a number of the user's."""

    def __init__(self, algebra: Algebra, plan: Plan, fixed: Mapping[int, int]) -> None:
        self._algebra, self._plan, self._fixed = algebra, plan, fixed
        self._known: dict[Poly, tuple[PartFacts, ...]] = {}
        self._passed_by_most: dict[Poly, bool] = {}

    def of(self, guard: Poly) -> tuple[PartFacts, ...]:
        """Return the parts of a guard that must all hold."""
        known = self._known.get(guard)
        if known is None:
            known = self._known[guard] = tuple(map(self._tested, conjuncts(self._algebra, guard)))
        return known

    def passed_by_most(self, part: PartFacts) -> bool:
        """Whether most threads should pass a condition.

        It compares with a size that is not known, rests on no data, and mixes no bits of threads with others.
        """
        known = self._passed_by_most.get(part.value)
        if known is None:
            known = self._passed_by_most[part.value] = _passed_by_most(part.atoms)
        return known

    def _tested(self, part: Poly) -> PartFacts:
        algebra, plan = self._algebra, self._plan
        atoms = algebra.closure(part)
        residues = [atom.index for atom in atoms if atom.index in plan.residues]
        is_uniform = algebra.level(part) is Level.UNIFORM
        return PartFacts(
            value=part,
            atoms=atoms,
            sampled=any(not periods.unchanged(algebra, part, i, plan.counts[i]) for i in residues),
            is_uniform=is_uniform,
            is_open=is_uniform and any(atom.kind in OPEN and atom.index not in self._fixed for atom in atoms),
        )


def _passed_by_most(atoms: Sequence[Atom]) -> bool:
    rests_on_data = any(
        atom.level is not Level.UNIFORM and atom.kind in (AtomKind.LOAD, AtomKind.OPAQUE) for atom in atoms
    )
    is_bounded = any(atom.kind is AtomKind.UNIFORM or (atom.trips is None and atom.is_block_index) for atom in atoms)
    mixes_bits = any(atom.operator == "^" and atom.level is not Level.UNIFORM for atom in atoms)
    return is_bounded and not rests_on_data and not mixes_bits
