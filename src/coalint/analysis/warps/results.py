"""The lanes of one address as a result, with what they were computed under."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from coalint.analysis.domain.algebra.atoms import Atom, Poly
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.warps.counters.plan import Plan
from coalint.core.facts.lane_result import LaneResult
from coalint.core.records import record


@record(frozen=True, slots=True)
class GuardPart:
    """One of the values of a guard that must not be 0.

    `followed` says that the lanes for which it is 0 are left out.
    """

    value: Poly
    guard: Condition
    followed: bool


@record(frozen=True, slots=True)
class Basis:
    """What the lanes of an address were computed under.

    `parts` are the guards' parts, each with whether the lanes that fail it were left out. `choices` are conditions with
    what they were taken to be. `shared` tells of an atom that is no operation whether the lanes of a warp share it.
    `numbers` are those of atoms (by index) with which it is these lanes that pass the parts. `reading` are parts that
    lanes of a copy must pass to read, where the others fill in zeros.
    """

    plan: Plan
    parts: tuple[GuardPart, ...]
    shared: Callable[[Atom], bool]
    choices: tuple[tuple[Poly, int], ...] = ()
    numbers: tuple[tuple[int, int], ...] = ()
    reading: tuple[GuardPart, ...] = ()


@record(frozen=True, slots=True)
class WarpResult(LaneResult):
    """The lanes of one address with what they were computed under, which is not handed on.

    Attributes:
        basis: What the lanes were computed under; None where there are none, or they have no formula.
    """

    basis: Basis | None = None

    def handed_on(self) -> LaneResult:
        """Return the result without its basis."""
        return LaneResult(**{field.name: getattr(self, field.name) for field in fields(LaneResult)})


def same_lanes(a: WarpResult, b: WarpResult) -> bool:
    """Whether two results are alike: the same reason, or lanes at offsets that differ by a multiple of 128 bytes."""
    if a.lanes is None or b.lanes is None:
        return a.lanes is b.lanes and a.unknown == b.unknown
    if a.lanes.offsets.shape != b.lanes.offsets.shape or not (a.lanes.active == b.lanes.active).all():
        return False
    shift = a.lanes.offsets - b.lanes.offsets
    return bool((shift == shift.flat[0]).all()) and int(shift.flat[0]) % 128 == 0
