"""The sides of branches that statements of a kernel stand in, as an evaluation comes to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.conditions import Condition
from coalint.analysis.domain.guards import POINTERS_CHOICE, GuardKind

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site

_MEETING = (GuardKind.BRANCH, GuardKind.LEAVE, GuardKind.CONTINUE)
"""Guards behind which the threads that pass them meet the others again."""


class BranchSides:
    """Numbers the sides of branches, each anew whenever it is come to."""

    def __init__(self) -> None:
        self._numbers: dict[int, tuple[int, Condition]] = {}  # each with its condition, whose identity it has

    def at(self, site: Site) -> tuple[int, ...]:
        """Return the sides that the current statement stands in, outermost first."""
        met = (guard.condition for guard in site.guards if guard.kind in _MEETING)
        conditions = (condition for condition in met if condition.text != POINTERS_CHOICE)
        return tuple(self._numbers.setdefault(id(one), (len(self._numbers), one))[0] for one in conditions)
