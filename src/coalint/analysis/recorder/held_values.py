"""Loads of what the thread holds in a register: it loaded or stored that before, and nothing may have stored since.

In `v[i] += v[i] * x` the source loads `v[i]` twice and nvcc once (LLVM's pass `gvn`). Seen on an H200: of the two loads
of HeCBench's `goulash`, one is executed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from coalint.analysis.counts.reaches import NONE_KEPT, Reach
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.recorder.events import rests_on_loads
from coalint.analysis.recorder.loop_invariant import Occurrence
from coalint.core.facts.access import Operation

MOST_BETWEEN = 200
"""Stores between two accesses that are held against these."""
MOST_BRANCHES = 16
"""Accesses to one place that are held against each other."""


class HeldValues:
    """Tells which loads of a kernel find what they load in a register, and what several branches do alike.

    Of what both branches of a condition load from one place, or store there, nvcc may make one instruction before or
    after them (HeCBench's `reaction`: three stores of a border and an interior are one).
    """

    def __init__(
        self,
        algebra: Algebra,
        occurrences: Sequence[Occurrence],
        are_apart: Callable[[Occurrence, Occurrence], bool],
    ) -> None:
        self._held: set[int] = set()
        self._shared: set[int] = set()
        earlier: dict[tuple[object, ...], list[Occurrence]] = {}
        stores: list[Occurrence] = []
        for one in sorted(occurrences, key=lambda each: each.number):
            if one.operation is not Operation.LOAD:
                stores.append(one)
            if one.operation is Operation.ATOMIC or one.is_volatile or one.width <= 0 or one.reach.several:
                continue
            key = (one.base, one.offset, one.width, one.meetings, tuple(map(id, one.loops)))
            before = earlier.setdefault(key, [])
            for other in before[-MOST_BRANCHES:]:
                if other.operation is one.operation and _exclude(one, other):
                    self._shared |= {one.number, other.number}
            if one.operation is Operation.LOAD:
                rests = rests_on_loads(algebra, one.offset)
                for other in reversed(before):
                    if not _is_under(one, other):
                        continue
                    between = [s for s in stores if other.number < s.number < one.number]
                    if len(between) <= MOST_BETWEEN and (
                        not between if rests else all(are_apart(one, store) for store in between)
                    ):
                        self._held.add(one.number)
                    break
            before.append(one)

    def reach(self, one: Occurrence, otherwise: Callable[[Occurrence], Reach]) -> Reach:
        """Return where an access is executed; `otherwise` says it of what is in no register."""
        if one.number in self._held:
            return replace(one.reach, kept=NONE_KEPT)
        reach = otherwise(one)
        return replace(reach, may_merge=True) if one.number in self._shared else reach


def _exclude(one: Occurrence, other: Occurrence) -> bool:
    """Whether two accesses stand in different branches of one condition."""
    conditions = {guard.value for guard in one.reach.guards if not guard.over}
    return any(1 - guard.value in conditions for guard in other.reach.guards if not guard.over)


def _is_under(one: Occurrence, other: Occurrence) -> bool:
    """Whether each thread that comes to an access has come to another before: under no condition of its own."""
    conditions = {(guard.value, guard.over) for guard in one.reach.guards}
    return all((guard.value, guard.over) in conditions for guard in other.reach.guards)
