"""Loops that the compiler or the hardware runs otherwise than they are written, and what numbers rest on in them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.recorder.condition_loads import ConditionLoads
from coalint.analysis.recorder.elimination.certain_nodes import CertainNodes
from coalint.analysis.recorder.elimination.loop_invariant import LoopInvariant
from coalint.analysis.recorder.elimination.occurrences import Occurrence
from coalint.analysis.recorder.elimination.written_distances import WrittenDistances
from coalint.analysis.recorder.spin_loops import SpinLoops
from coalint.analysis.recorder.split_loops import SplitLoops
from coalint.core import ir
from coalint.core.facts.lanes import Lanes
from coalint.core.facts.suppositions import Supposition

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site
    from coalint.analysis.recorder.evaluated_kernel import LoopAround


class SupposedLoops:
    """All that is noted of a kernel's loops while its accesses are come to.

    `restricted` are the parameters of which the source promises that no other pointer leads to what they store,
    `nodes` tells what the kernel's loops execute in each iteration, `calling` are those in which a function is called
    that may touch any memory, `reading` those in which one reads a table in memory, `distances` which distances of
    addresses the launch alone gives.
    """

    def __init__(self, algebra: Algebra) -> None:
        self.restricted: frozenset[str] = frozenset()
        self.nodes = CertainNodes({})
        self.calling: set[ir.Loop] = set()
        self.reading: set[ir.Loop] = set()
        self.distances = WrittenDistances(None)
        self._algebra = algebra
        self._made: list[tuple[Hashable, Occurrence]] = []
        self._split, self._spin, self._tested = SplitLoops(algebra), SpinLoops(), ConditionLoads()
        self._invariant: tuple[int, LoopInvariant] | None = None

    @property
    def count(self) -> int:
        """How many accesses were come to so far."""
        return len(self._made)

    def come_to(
        self,
        key: Hashable,
        site: Site,
        loops: Sequence[LoopAround],
        occurrence: Occurrence,
        waits: int,
        *,
        is_parted: bool,
    ) -> None:
        """Note that an access is come to, known by a key; `waits` is how often threads have waited before.

        `is_parted`: some lanes of a warp come to it without others.
        """
        self._made.append((key, occurrence))
        self._split.come_to(key, site, loops)
        self._spin.come_to(key, occurrence, waits, is_parted=is_parted)

    def tested(self, loop: ir.Loop, text: str, since: int, until: int, *, may_change: bool) -> None:
        """Note that the condition of a loop, as it is written, has made the accesses between two counts."""
        self._tested.tested(loop, text, self._made[since:until], may_change=may_change)

    def supposed(self, key: Hashable, lanes: Lanes | None) -> tuple[Supposition, ...]:
        """Return what the numbers of an access rest on, which these lanes make."""
        tested = self._tested.supposed(key, lanes, self._found)
        return (*self._split.supposed(key), *self._spin.supposed(key), *tested)

    def _found(self) -> LoopInvariant:
        """Return what stays the same in loops, by all accesses so far."""
        if self._invariant is None or self._invariant[0] != self.count:
            self._invariant = self.count, self.invariant([one for _, one in self._made])
        return self._invariant[1]

    def invariant(
        self, occurrences: Sequence[Occurrence], rests_on_launch: Callable[[ir.Loop], bool] = lambda loop: False
    ) -> LoopInvariant:
        """Return what stays the same in loops, by these accesses."""
        told = self.restricted, self.nodes, self.distances, self.calling, self.reading
        return LoopInvariant(self._algebra, occurrences, *told, rests_on_launch)
