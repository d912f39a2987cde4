"""Which lanes pass the guards of an access."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.algebra.printing import Printer
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.conditions import Condition, When, disjuncts
from coalint.analysis.warps import windows
from coalint.analysis.warps.counters.plan import Plan
from coalint.analysis.warps.guard_parts import GuardParts
from coalint.analysis.warps.lanes.fulfilled import fulfilled
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, Undecided, same_in_warp
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray


from coalint.analysis.warps.results import GuardPart


class PassingLanes:
    """The lanes that pass guards, one guard after the other.

    `active` are those that passed all so far, shape (E, W, 32), changed in place. `suppositions` are what was taken to
    hold of guards that are not followed. `parts` are the guards' parts, as `tested` has taken them apart; `fixed` are
    atoms with a number of the user's.
    `numbers` are those of atoms with which it is these lanes, where guards are taken together. `narrowed` says that an
    alternative was supposed not to hold, or that guards were taken together: other lanes than these may pass; then
    `few_lanes` is the most of a warp that pass.
    """

    def __init__(
        self,
        algebra: Algebra,
        evaluator: LaneEvaluator,
        plan: Plan,
        fixed: Mapping[int, int],
        active: NDArray[np.bool_],
        tested: GuardParts | None = None,
    ) -> None:
        self.algebra = algebra
        self.evaluator = evaluator
        self.plan = plan
        self.fixed = fixed
        self.active = active
        self.tested = GuardParts(algebra, plan, fixed) if tested is None else tested
        self.suppositions: dict[str, None] = dict(plan.assumed)
        self.parts: list[GuardPart] = []
        self.numbers: tuple[tuple[int, int], ...] = ()
        self.narrowed = False
        self.few_lanes: int | None = None

    def restrict(self, guard: Condition) -> bool:
        """Take out the lanes that fail the guard; return False where what is left is only an upper bound."""
        exact = True
        for tested in self.tested.of(guard.value):
            part, atoms = tested.value, tested.atoms
            followed = None if tested.sampled or tested.is_open else self._followed(part, guard, atoms)
            self.parts.append(GuardPart(part, guard, followed is not None))
            if followed is not None:
                self.active &= followed
            elif tested.is_uniform:
                # A bound that is not known is passed by most blocks and iterations, a known one perhaps by few.
                exact = exact and not (tested.sampled and not any(atom.kind is AtomKind.UNIFORM for atom in atoms))
            elif not guard.over and self._single_lane(part):
                self.suppositions[Supposition(f"one lane passes `{guard.text}`", Supposed.GUARD)] = None
            elif not guard.over and self._one_of(part):
                exact = False
            else:
                self.suppositions[Supposition(f"every lane passes `{guard.text}`", Supposed.GUARD)] = None
                exact = exact and self.tested.passed_by_most(tested) and self._has_full_warp(part, atoms)
        return exact

    def _has_full_warp(self, part: Poly, atoms: Sequence[Atom]) -> bool:
        """Whether all active lanes of some warp may pass a condition: not if none does in the first block.

        That is asked where the index of the block is all that is not known. Sizes are compared with what grows with it.
        """
        if any(atom.kind is AtomKind.UNIFORM for atom in atoms):
            return True
        for atom in atoms:
            if atom.is_block_index and atom.trips is None:
                part = Substitution(self.algebra, atom, self.algebra.zero).of(part)
        holds = fulfilled(self.evaluator, part, self.active.shape)
        return holds is None or bool((self.active.any(axis=2) & (holds | ~self.active).all(axis=2)).any())

    def jointly(self) -> bool:
        """Take out lanes that cannot pass all guards at once that are not followed; return False where there are any.

        What is left is the most that any value of what is not known lets pass.
        """
        open_parts = [
            part
            for part in self.parts
            if not part.followed
            and self.algebra.level(part.value) is not Level.UNIFORM
            and all(when is not When.BEFORE for _, when in part.guard.over)
        ]
        passing = windows.at_most(self.evaluator, [part.value for part in open_parts], self.active)
        if not passing.told:
            return True
        self.numbers, self.narrowed = passing.numbers, True
        texts = dict.fromkeys(part.guard.text for part in open_parts if part.value in passing.told)
        for text in texts:
            self.suppositions.pop(f"every lane passes `{text}`", None)
        most = int(passing.active.sum(axis=2).max(initial=0))
        self.few_lanes = most
        named = " and ".join(f"`{text}`" for text in texts)
        told_text = f"no more than {most} of a warp's lanes pass {named}"
        self.suppositions[Supposition(told_text, Supposed.GUARD)] = None
        self.active &= passing.active
        return False

    def _one_of(self, part: Poly) -> bool:
        """Keep the lanes that pass the known alternatives of `known || unknown`; False where most lanes may pass.

        An alternative that is one for all threads and not known is supposed not to hold.
        """
        alternatives = disjuncts(self.algebra, part)
        if len(alternatives) < 2:
            return False
        before, passed = self.active.copy(), np.zeros_like(self.active)
        not_held: list[Poly] = []
        for alternative in alternatives:
            if self.algebra.level(alternative) is Level.UNIFORM:
                not_held.append(alternative)
                continue
            try:
                value = self.evaluator.value(alternative)
            except Undecided:
                value = {}
            if set(value) == {CONSTANT}:
                passed |= before & np.not_equal(value[CONSTANT], 0)
            elif self._single_lane(alternative):
                passed |= self.active
            else:
                passed = before
            self.active[...] = before
        if not passed.any() or (passed == before).all():
            return False
        self.active &= passed
        self.narrowed = True
        printer = Printer(self.algebra)
        texts = (f"`{printer.text(one)}` does not hold" for one in not_held)
        self.suppositions.update(dict.fromkeys(Supposition(text, Supposed.GUARD) for text in texts))
        return True

    def _followed(self, part: Poly, guard: Condition, atoms: Sequence[Atom]) -> NDArray[np.bool_] | None:
        """Return the lanes for which a condition holds; None where that is not known."""
        if any(atom.index in self.evaluator.permuted for atom in atoms):
            return None
        holds = fulfilled(self.evaluator, part, self.active.shape)
        return None if holds is None else self.plan.follow(holds, guard.over)

    def _single_lane(self, part: Poly) -> bool:
        """Keep the threads that pass `threadIdx.x == unknown` together with the first; False for other conditions."""
        atoms = self.algebra.atoms_of(part)
        if len(atoms) != 1 or atoms[0].operator != "==" or part != generator(atoms[0].index):
            return False
        try:
            difference = self.evaluator.value(atoms[0].operands[0])
        except Undecided:
            return False
        if not all(same_in_warp(n) for key, n in difference.items() if key != CONSTANT):
            return False
        lane = np.broadcast_to(difference.get(CONSTANT, 0), self.active.shape)
        self.active &= lane == lane[:, :1, :1]
        return True
