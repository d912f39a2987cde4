"""The lanes of one address as a result, with what they were computed under."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Atom, Poly
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.warps.counters.plan import Plan
from coalint.core.facts.lanes import Lanes

if TYPE_CHECKING:
    from coalint.analysis.domain.conditions import Condition
    from coalint.analysis.warps.counters.plan import Plan
if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True)
class GuardPart:
    """One of the values of a guard that must not be 0.

    `followed` says that the lanes for which it is 0 are left out.
    """

    value: Poly
    guard: Condition
    followed: bool


@dataclass(frozen=True, slots=True)
class Basis:
    """What the lanes of an address were computed under.

    `parts` are the guards' parts, each with whether the lanes that fail it were left out. `choices` are conditions with
    what they were taken to be. `shared` tells of an atom that is no operation whether the lanes of a warp share it.
    `numbers` are those of atoms (by index) with which it is these lanes that pass the parts.
    """

    plan: Plan
    parts: tuple[GuardPart, ...]
    shared: Callable[[Atom], bool]
    choices: tuple[tuple[Poly, int], ...] = ()
    numbers: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class LaneResult:
    """The lanes of one address, or the reason why they are not known.

    `exact` says that the lanes are those of every execution. `assumed` are the suppositions that they rest on, in
    words. `symbolic` names the quantities that make up an unknown pitch between lanes. `unknown` is the reason, where
    there are no lanes; `data_dependent` says that the address rests on what memory holds, and `index_load` what was
    read to make it. `permuted` says that the lanes of a warp are these, but in an order that is not known. `basis` is
    what they were computed under. `aligned_if` is the one condition, in words, that keeps the lanes from being exact.
    """

    lanes: Lanes | None
    exact: bool = False
    assumed: tuple[str, ...] = ()
    symbolic: tuple[str, ...] = ()
    unknown: str | None = None
    data_dependent: bool = False
    permuted: bool = False
    index_load: str = ""
    basis: Basis | None = None
    aligned_if: str = ""


def same_lanes(a: LaneResult, b: LaneResult) -> bool:
    """Whether two results are alike: the same reason, or lanes at offsets that differ by a multiple of 128 bytes."""
    if a.lanes is None or b.lanes is None:
        return a.lanes is b.lanes and a.unknown == b.unknown
    if a.lanes.offsets.shape != b.lanes.offsets.shape or not (a.lanes.active == b.lanes.active).all():
        return False
    shift = a.lanes.offsets - b.lanes.offsets
    return bool((shift == shift.flat[0]).all()) and int(shift.flat[0]) % 128 == 0
