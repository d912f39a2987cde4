"""Values that a loop carries and that are no multiples of its counter: s = n/2, n/4, ... while s > 0."""

from __future__ import annotations

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.core.records import record


@record(frozen=True, slots=True)
class CarriedValue:
    """One variable of a loop, the same for all threads of a block.

    Attributes:
        mark: The atom, by its index, that stands for its value at the start of an iteration.
        start: Its value before the first iteration.
        after: Its value after an iteration, in terms of the marks.
        held: The atom that the loop's body has for it; None where that is no single one.
    """

    mark: int
    start: Poly
    after: Poly
    held: int | None


@record(frozen=True, slots=True)
class Sequence:
    """The values that decide how many iterations a loop makes, and how.

    Attributes:
        values: The variables.
        counter: The number of the iteration, by the index of its atom.
        condition: Under which it goes on, in terms of the marks: of an iteration's start.
        test_first: Whether the condition is tested before an iteration, and not after it.
    """

    values: tuple[CarriedValue, ...]
    counter: int
    condition: Poly
    test_first: bool

    @property
    def polynomials(self) -> tuple[Poly, ...]:
        """All that must have a number for the iterations to be followed, but for the marks."""
        return (self.condition, *(poly for value in self.values for poly in (value.start, value.after)))
