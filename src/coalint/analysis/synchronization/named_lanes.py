"""What the masks of one kernel name: constants, and masks that are made from who comes to a place."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.conditions import conjuncts
from coalint.analysis.domain.guards import Guard
from coalint.core.records import record

FULL = 0xFFFFFFFF


@record(frozen=True, slots=True)
class Named:
    """The lanes that a computed mask names: who came to the place where it was made, under `guards`.

    Of those only the lanes that `mask` names (None: all) with a true `predicate` (None: all); `some`: not all of these,
    but who agrees on a value.
    """

    guards: tuple[Guard, ...]
    predicate: Poly | None = None
    mask: Poly | None = None
    some: bool = False


class NamedLanes:
    """What is known of the masks of one kernel."""

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra
        self._named: dict[Atom, Named] = {}

    def remember(self, mask: Poly, named: Named) -> None:
        """Say what a mask that is made of one atom names."""
        atoms = self.algebra.atoms_of(mask)
        if len(atoms) == 1 and mask == generator(atoms[0].index):
            self._named[atoms[0]] = named

    def constant(self, mask: Poly) -> int | None:
        """Return the bits of a mask that is a number; None for one that is computed."""
        number = self.algebra.number(mask)
        return None if number is None else number & FULL

    def named_by(self, mask: Poly) -> Named | None:
        """Return where a computed mask comes from, seen through conversions."""
        atoms = self.algebra.atoms_of(mask)
        if len(atoms) != 1 or mask != generator(atoms[0].index):
            return None
        if atoms[0].operator == "wrap":
            return self.named_by(atoms[0].operands[0])
        return self._named.get(atoms[0])

    def covered(self, mask: Poly) -> Iterator[Poly]:
        """Yield conditions that every lane that the mask names is known to fulfil."""
        atoms = self.algebra.atoms_of(mask)
        if len(atoms) == 1 and atoms[0].operator == "&" and mask == generator(atoms[0].index):
            for operand in atoms[0].operands:
                yield from self.covered(operand)
        named = self.named_by(mask)
        if named is None:
            return
        for guard in named.guards:
            yield from conjuncts(self.algebra, guard.condition.value)
        if named.predicate is not None:
            yield from conjuncts(self.algebra, named.predicate)
        if named.mask is not None:
            yield from self.covered(named.mask)
