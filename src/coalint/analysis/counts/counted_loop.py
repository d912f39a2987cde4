"""A loop, as far as it tells how often its body is executed."""

from __future__ import annotations

from dataclasses import dataclass

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Poly
from coalint.analysis.domain.conditions import Condition


@dataclass(frozen=True, slots=True)
class CountedLoop:
    """A loop around an access.

    Attributes:
        counter: The atom of its counter, from 0; None where the loop has none.
        trips: The most iterations of any thread; None where that is not known.
        name: What messages call it.
        stays: The conditions under which a thread stays in the loop, where the compiler may copy its body.
    """

    counter: Atom | None
    trips: int | None
    name: str
    stays: tuple[Condition, ...] = ()

    @classmethod
    def around(
        cls, algebra: Algebra, counter: Poly | None, trips: int | None, stays: tuple[Condition, ...] = ()
    ) -> CountedLoop:
        """Return a loop of the interpreter: its counter, a single atom where it has one, and its most iterations."""
        atom = None if counter is None else algebra.atoms_of(counter)[0]
        return cls(atom, trips, "" if atom is None else atom.name, stays)
