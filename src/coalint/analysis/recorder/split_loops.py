"""The loops of a kernel that the compiler may split, and what numbers rest on in them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from coalint.analysis.counts.split_loops import splitting, supposed_one
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.conditions import Condition
from coalint.core.facts.suppositions import Supposition

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site
    from coalint.analysis.recorder.evaluated_kernel import LoopAround
    from coalint.core import ir


class SplitLoops:
    """Loops are told by accesses under a condition that parts their iterations; all others in them are split, too."""

    def __init__(self, algebra: Algebra) -> None:
        self._algebra = algebra
        self._split: dict[ir.Loop, tuple[str, Condition]] = {}
        self._within: dict[Hashable, ir.Loop] = {}

    def come_to(self, key: Hashable, site: Site, loops: Sequence[LoopAround]) -> None:
        """Note that an access is come to, known by a key, with the loops around it, outermost first."""
        if len(loops) != 1 or loops[0].counter is None:
            return
        around, counter = loops[0], self._algebra.atoms_of(loops[0].counter)[0]
        self._within[key] = around.loop
        if around.loop not in self._split:
            condition = splitting(self._algebra, around.loop, counter, site.guards)
            if condition is not None:
                self._split[around.loop] = counter.name, condition

    def supposed(self, key: Hashable) -> tuple[Supposition, ...]:
        """Return what the numbers of an access rest on."""
        found = self._split.get(self._within[key]) if key in self._within else None
        return () if found is None else (supposed_one(*found),)
