"""Where an access stands, as far as that decides how often it is executed."""

from __future__ import annotations

from coalint.analysis.counts.counted_loop import CountedLoop
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.conditions import Condition
from coalint.core.facts.suppositions import Supposition
from coalint.core.records import record

NONE_KEPT = (0, 1)
"""Of all executions none: what is loaded is in a register."""


@record(frozen=True, slots=True)
class Reach:
    """The guards and loops around an access.

    Attributes:
        guards: The conditions that hold where it is executed.
        loops: The loops around it, outermost first.
        several: Whether the guards do not tell all: a pointer may lead elsewhere for some lanes.
        may_leave: Whether the compiler may execute it less often, as it stays the same in a loop.
        kept: Of how many executions the compiler keeps how many, in loops that it copies to the end: of those at one
            address the first.
        may_merge: Whether the compiler may make one instruction of it and of what another branch does to its place.
        supposed: What its executions rest on by loops that the compiler or the hardware runs otherwise.
        is_mean: Whether those that are kept may cost another mean than all.
    """

    guards: tuple[Condition, ...]
    loops: tuple[CountedLoop, ...]
    several: bool = False
    may_leave: bool = False
    kept: tuple[int, int] = (1, 1)
    is_mean: bool = False
    may_merge: bool = False
    supposed: tuple[Supposition, ...] = ()

    @property
    def sizes(self) -> tuple[Poly, ...]:
        """All values that sizes may be in: of the guards, and of loops that are counted by numbers."""
        counted = (loop.sequence for loop in self.loops)
        return (
            *(guard.value for guard in self.guards),
            *(value for sequence in counted if sequence is not None for value in sequence.polynomials),
        )

    @property
    def stands_for(self) -> frozenset[int]:
        """The atoms, by their indices, that stand for the values of variables by which loops are counted."""
        values = (value for loop in self.loops if loop.sequence is not None for value in loop.sequence.values)
        return frozenset(index for value in values for index in (value.mark, value.held) if index is not None)

    @property
    def key(self) -> tuple[object, ...]:
        """Return what tells it from others."""
        return (
            tuple((guard.value, guard.over) for guard in self.guards),
            tuple(
                (
                    loop.counter.index if loop.counter else None,
                    loop.trips,
                    tuple((c.value, c.over) for c in loop.stays),
                    loop.sequence,
                )
                for loop in self.loops
            ),
            self.several,
            self.may_leave,
            self.kept,
            self.is_mean,
            self.may_merge,
            self.supposed,
        )
