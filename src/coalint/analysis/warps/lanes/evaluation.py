"""What the parts of an evaluation of lanes see of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from coalint.analysis.domain.algebra.arithmetic import Number
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.warps.lanes.lane_numbers import LaneValue
from coalint.core.facts.suppositions import Supposed

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.algebra import Algebra


class Assuming(Protocol):
    """An evaluation that notes what it assumes; `approximate` says that its numbers rest on such."""

    algebra: Algebra
    approximate: bool

    def suppose(self, text: str, kind: Supposed, *, about_lanes: bool = False) -> None:
        """Note an assumption, in words; `about_lanes` where it is one about how the lanes lie to each other."""


class Evaluation(Assuming, Protocol):
    """An evaluation of polynomials for all lanes of a block.

    A `strict` one supposes nothing. `choices` says which side is taken of conditions that are open (atom index -> 0 or
    1); those without an entry are collected in `open_choices`. `asked` are the conditions that were decided so, in the
    order in which they were asked for first, with the side.
    """

    strict: bool
    choices: dict[int, int]
    open_choices: list[int]
    asked: dict[Poly, int]

    def value(self, poly: Poly) -> LaneValue:
        """Return the polynomial's value per lane. Raises Undecided."""

    def number(self, poly: Poly) -> Number | None:
        """Return the value when it is a known number in every lane, else None. Raises Undecided."""

    def uniform_in_warp(self, operands: tuple[Poly, ...]) -> bool:
        """Whether all lanes of a warp hold the same values, for all that is known."""
