"""Loads of what the thread holds in a register, and stores of what it overwrites before anyone may have read it.

In `v[i] += v[i] * x` the source loads `v[i]` twice and nvcc once (LLVM's pass `gvn`). Seen on an H200: of the two loads
of HeCBench's `goulash`, one is executed. Of `s[t] = 0; s[t] += a; s[t] += b` one store is left (LLVM's pass `dse`),
also where a loop adds to `s[t]`, which holds it in a register meanwhile (tests/support/overwritten.cu).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from coalint.analysis.counts.reaches import NONE_KEPT, Reach
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.recorder.branches import Branches
from coalint.analysis.recorder.events import rests_on_loads
from coalint.analysis.recorder.loop_invariant import LoopInvariant, Occurrence
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.core.records import record

MOST_BETWEEN = 200
"""Accesses between two that are held against these."""
MOST_BRANCHES = 16
"""Accesses to one place that are held against each other."""


@record(frozen=True, slots=True)
class _Made:
    """An access where the compiled kernel makes it.

    A load that leaves loops stands before the outermost of these, a store behind it.

    Attributes:
        one: The access as it is come to.
        reach: Where it is executed.
        order: Its place in the order of execution: whether it comes before or after what a loop does, and its number.
        loops: The loops that are left around it.
        decided: What the launch has decided that it comes to: branches, and loops that it has left.
    """

    one: Occurrence
    reach: Reach
    order: tuple[int, int, int]
    loops: tuple[ir.Loop, ...]
    decided: frozenset[int]


class HeldValues:
    """Tells which accesses of a kernel the compiler leaves out, and what several branches do alike.

    Of what both branches of a condition load from one place, or store there, nvcc may make one instruction before or
    after them (HeCBench's `reaction`: three stores of a border and an interior are one), and of what one of them does
    one for the threads alone that have not come to the other.

    `rests_on_launch` says of a loop whether its condition names what only the launch tells, `branches` of what is in
    different branches whether these may be made one.
    """

    def __init__(
        self,
        algebra: Algebra,
        occurrences: Sequence[Occurrence],
        invariant: LoopInvariant,
        rests_on_launch: Callable[[ir.Loop], bool],
        branches: Branches,
    ) -> None:
        self._algebra, self._are_apart, self._branches = algebra, invariant.are_apart, branches
        self._held: set[int] = set()
        self._shared: set[int] = set()
        made = _in_order(occurrences, invariant, rests_on_launch)
        self._reaches = {each.one.number: each.reach for each in made}
        earlier: dict[tuple[object, ...], list[_Made]] = {}
        anywhere: dict[tuple[object, ...], list[_Made]] = {}
        others: list[_Made] = []
        sides: list[tuple[_Made, _Made]] = []
        for each in made:
            one = each.one
            if one.operation is Operation.ATOMIC or one.is_volatile or one.width <= 0 or one.reach.several:
                others.append(each)
                continue
            place = (one.base, one.offset, one.width, one.meetings)
            before = earlier.setdefault((*place, tuple(map(id, each.loops))), [])
            for other in before[-MOST_BRANCHES:]:
                if (
                    other.one.operation is one.operation
                    and _exclude(each, other)
                    and branches.may_merge(one.operation, one.expression, other.one.expression)
                ):
                    self._shared |= {one.number, other.one.number}
                    sides.append((each, other))
            if one.operation is Operation.LOAD:
                self._find(each, before, others)
                self._find_in_loops(each, anywhere.get(place, ()), others)
            else:
                self._overwrite(each, before, others)
            before.append(each)
            anywhere.setdefault(place, []).append(each)
            others.append(each)
        self._share_loads(sides, made)

    def _share_loads(self, sides: Sequence[tuple[_Made, _Made]], made: Sequence[_Made]) -> None:
        """Note the loads beside stores of which nvcc may make one: it may then make one of these, of either address."""
        loads: dict[object, list[int]] = {}
        for each in made if sides else ():
            if each.one.operation is Operation.LOAD:
                loads.setdefault(self._branches.around(each.one.expression), []).append(each.one.number)
        for one, other in sides:
            if one.one.operation is Operation.STORE:
                beside = [loads.get(self._branches.around(each.one.expression), ()) for each in (one, other)]
                if all(beside):
                    self._shared.update(*beside)

    def _find(self, each: _Made, before: Sequence[_Made], others: Sequence[_Made]) -> None:
        """Note a load that finds in a register what an access to its place has left there, or may do so."""
        for other in reversed(before):
            is_under = _is_under(each, other)
            if (is_under or _is_under(other, each)) and self._stays(other, each, others):
                (self._held if is_under else self._shared).add(each.one.number)
            if is_under:
                break

    def _find_in_loops(self, each: _Made, before: Sequence[_Made], others: Sequence[_Made]) -> None:
        """Note a load that may find in a register what a loop before it has come to in some iterations."""
        around = len(each.loops)
        for other in before[-MOST_BRANCHES:]:
            is_inside = len(other.loops) > around and other.loops[:around] == each.loops
            if is_inside and _is_under(other, each) and self._stays(other, each, others):
                self._shared.add(each.one.number)

    def _stays(self, other: _Made, each: _Made, others: Sequence[_Made]) -> bool:
        """Whether nothing between an access and a load of its place may have changed what is there."""
        between = [s for s in _between(other, each, others) if s.one.operation is not Operation.LOAD]
        if rests_on_loads(self._algebra, each.one.offset):
            return not between
        return len(between) <= MOST_BETWEEN and all(self._are_apart(each.one, store.one) for store in between)

    def _overwrite(self, each: _Made, before: Sequence[_Made], others: Sequence[_Made]) -> None:
        """Note the last store to a place before another one, where nothing may have read it between the two.

        Nothing may have been stored in branches or loops between them either: there nvcc looks no further. Where
        a branch holds nothing but the later one nvcc may make one store of the two behind it.
        """
        other = next((one for one in reversed(before) if one.one.operation is Operation.STORE), None)
        if other is None or not _is_under(each, other):
            return
        between = _between(other, each, others)
        if len(between) > MOST_BETWEEN or any(self._may_read(one, other) for one in between):
            return
        if not _is_under(other, each):
            if all(_is_under(other, one) for one in between) and len(each.loops) == len(each.one.loops):
                self._shared |= {each.one.number, other.one.number}
        elif all(one.one.operation is Operation.LOAD or _are_beside(one, other) for one in between):
            self._held.add(other.one.number)

    def _may_read(self, one: _Made, stored: _Made) -> bool:
        """Whether an access may read what a store has left in memory."""
        if one.one.operation is Operation.STORE:
            return one.one.is_volatile
        return one.one.number not in self._held and not self._are_apart(stored.one, one.one)

    def reach(self, one: Occurrence) -> Reach:
        """Return where an access is executed."""
        if one.number in self._held:
            return replace(one.reach, kept=NONE_KEPT)
        reach = self._reaches[one.number]
        return replace(reach, may_merge=True) if one.number in self._shared else reach


def _in_order(
    occurrences: Sequence[Occurrence], invariant: LoopInvariant, rests_on_launch: Callable[[ir.Loop], bool]
) -> list[_Made]:
    """Return accesses as they are made, in the order of execution."""
    ends: dict[ir.Loop, tuple[int, int]] = {}
    for one in occurrences:
        for loop in one.loops:
            first, last = ends.get(loop, (one.number, one.number))
            ends[loop] = min(first, one.number), max(last, one.number)
    made = []
    for one in occurrences:
        reach = invariant.reach(one)
        left = one.loops[len(reach.loops) :] if len(one.loops) == len(one.reach.loops) else ()
        order, decided = (one.number, 0, 0), frozenset(one.decided)
        if left:
            first, last = ends[left[0]]
            order = (first, -1, one.number) if one.operation is Operation.LOAD else (last, 1, one.number)
            decided |= {-id(loop) for loop in left if rests_on_launch(loop)}
        made.append(_Made(one, reach, order, one.loops[: len(one.loops) - len(left)], decided))
    return sorted(made, key=lambda each: each.order)


def _between(one: _Made, other: _Made, others: Sequence[_Made]) -> list[_Made]:
    return [each for each in others if one.order < each.order < other.order]


def _exclude(one: _Made, other: _Made) -> bool:
    """Whether two accesses stand in different branches of one condition."""
    conditions = {guard.value for guard in one.one.reach.guards if not guard.over}
    return any(1 - guard.value in conditions for guard in other.one.reach.guards if not guard.over)


def _are_beside(one: _Made, other: _Made) -> bool:
    """Whether the same threads come to two accesses, under the same conditions and in the same loops."""
    return one.loops == other.loops and _is_under(one, other) and _is_under(other, one)


def _is_under(one: _Made, other: _Made) -> bool:
    """Whether each thread that comes to an access comes to another: that has no condition or branch of its own."""
    conditions = {(guard.value, guard.over) for guard in one.reach.guards}
    return other.decided <= one.decided and all((guard.value, guard.over) in conditions for guard in other.reach.guards)
