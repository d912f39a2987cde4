"""Trials with numbers: whether lanes part at a warp primitive for any of those that are tried.

What parts lanes by itself may not do so where another condition holds: `i < n` under `i / 32 < n / 32`. That is no
proof, but it takes the ground from under a warning.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly, TooManyAtoms
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.conditions import When, conjuncts
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.uniformity.signatures import Signatures
from coalint.analysis.warps.model import WarpModel
from coalint.analysis.warps.threads import LANES
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZES = (1, 2, 31, 32, 33, 63, 64, 65, 97, 128, 1000, 1024, 1056, 2048, 2100)
ITERATIONS = (0, 1, 2)
MOST = 1000  # trials

Part = tuple[Poly, bool]
"""A condition on the way, and whether who does not fulfil it has left the kernel."""


class Trials:
    """The conditions on the way to one primitive with one mask, to be tried with numbers for what is open in them."""

    def __init__(self, algebra: Algebra, model: WarpModel, mask: Poly, guards: Sequence[Guard]) -> None:
        self._algebra, self._model, self._mask = algebra, model, mask
        self._parts: list[Part] = [
            (value, guard.kind is GuardKind.RETURN)
            for guard in guards
            for value in conjuncts(algebra, guard.condition.value)
        ]
        loops = [when for guard in guards for _, when in guard.condition.over]
        self._is_simple = all(when is When.UNTIL for when in loops)

    def part_nobody(self, parting: Sequence[Poly]) -> bool:
        """Whether lanes that the mask names come together in each trial, and two of them at least do come in one.

        `parting` are conditions that part lanes by themselves: these must be followed. Others count where they speak of
        nothing else: what they leave out may only part more.
        """
        atoms = self._open((self._mask, *parting))
        counts = (len(ITERATIONS if atom.kind is AtomKind.COUNTER else SIZES) for atom in atoms)
        if not self._is_simple or not atoms or prod(counts) > MOST:
            return False
        parts = [part for part in self._parts if part[0] in parting or set(self._open(part[:1])) <= set(atoms)]
        have_met = False
        for numbers in product(*(ITERATIONS if atom.kind is AtomKind.COUNTER else SIZES for atom in atoms)):
            mark = self._algebra.mark()
            try:
                outcome = self._outcome(parts, dict(zip(atoms, numbers, strict=True)), parting)
            except TooManyAtoms:
                return False
            finally:
                self._algebra.forget(mark)
            if outcome is None:
                return False
            have_met |= outcome
        return have_met

    def _open(self, values: Sequence[Poly]) -> list[Atom]:
        """Return what numbers are tried for in some values."""
        found: dict[Atom, None] = {}
        pending, seen = list(values), set[Poly]()
        while pending:
            value = pending.pop()
            if value in seen:  # all that it is made of has come, since operands come before what waits
                continue
            seen.add(value)
            for atom in self._algebra.atoms_of(value):
                if _is_open(atom):
                    found[atom] = None
                else:
                    pending.extend(atom.operands)
        return list(found)

    def _outcome(self, parts: Sequence[Part], numbers: dict[Atom, int], parting: Sequence[Poly]) -> bool | None:
        """Return whether lanes that the mask names come together; None where lanes part, or it is not followed."""
        signatures = Signatures(self._algebra, self._model)
        mask = signatures.number(self._with(self._mask, numbers))
        if mask is None:
            return None
        exists = np.asarray(self._model.exists)
        here = alive = exists
        for value, is_exit in parts:
            holds = signatures.number(self._with(value, numbers))
            if holds is None and value in parting:
                return None
            if holds is not None:
                fulfilled = np.not_equal(holds, 0)
                alive = alive & (fulfilled | ~here) if is_exit else alive
                here = here & fulfilled
        named: NDArray[np.bool_] = (mask >> np.arange(LANES)) & 1 == 1
        come = here & named
        if (named & alive & exists & ~here & come.any(axis=-1, keepdims=True)).any():
            return None
        return bool((come.sum(axis=-1) > 1).any())

    def _with(self, value: Poly, numbers: dict[Atom, int]) -> Poly:
        for atom, number in numbers.items():
            value = Substitution(self._algebra, atom, self._algebra.constant(number)).of(value)
        return value


def _is_open(atom: Atom) -> bool:
    """Whether an atom is a number that all threads share: a parameter, a counter, or what is read from one place."""
    if atom.kind is AtomKind.COUNTER:
        return True
    return atom.level is Level.UNIFORM and atom.kind in (AtomKind.UNIFORM, AtomKind.LOAD)
