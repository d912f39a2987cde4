"""A loop, as far as it tells how often its body is executed."""

from __future__ import annotations

from coalint.analysis.domain.algebra.atoms import Atom
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.domain.sequences import Sequence
from coalint.core.records import record


@record(frozen=True, slots=True)
class CountedLoop:
    """A loop around an access.

    Attributes:
        counter: The atom of its counter, from 0; None where the loop has none.
        trips: The most iterations of any thread; None where that is not known.
        name: What messages call it.
        stays: The conditions under which a thread stays in the loop, where the compiler may copy its body.
        sequence: By what its iterations are counted where `trips` is open; None where they are not.
    """

    counter: Atom | None
    trips: int | None
    name: str
    stays: tuple[Condition, ...] = ()
    sequence: Sequence | None = None
