"""Loads of what the thread holds in a register, and stores of what it overwrites before anyone may have read it.

In `v[i] += v[i] * x` the source loads `v[i]` twice and nvcc once (LLVM's pass `gvn`). Seen on an H200: of the two loads
of HeCBench's `goulash`, one is executed. Of `s[t] = 0; s[t] += a; s[t] += b` one store is left (LLVM's pass `dse`),
also where a loop adds to `s[t]`, which holds it in a register meanwhile (tests/support/overwritten.cu).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

from coalint.analysis.counts.reaches import NONE_KEPT, Reach
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.recorder.elimination.branches import Branches
from coalint.analysis.recorder.elimination.first_iterations import first_offset
from coalint.analysis.recorder.elimination.loop_invariant import LoopInvariant
from coalint.analysis.recorder.elimination.made_accesses import (
    Made,
    are_adjacent,
    are_beside,
    between,
    exclude,
    follows,
    in_order,
    is_under,
)
from coalint.analysis.recorder.elimination.occurrences import Occurrence
from coalint.analysis.recorder.events import rests_on_loads
from coalint.core import ir
from coalint.core.facts.access import Join, Operation

MOST_BETWEEN = 200
"""Accesses between two that are held against these."""
MOST_BRANCHES = 16
"""Accesses to one place that are held against each other."""
MOST_EARLIER = 64
"""Accesses to its place that a load is held against."""


class HeldValues:
    """Tells which accesses of a kernel the compiler leaves out, and what several branches do alike.

    Of what both branches of a condition load from one place, or store there, nvcc may make one instruction before or
    after them (HeCBench's `reaction`: three stores of a border and an interior are one), and of what one of them does
    one for the threads alone that have not come to the other.

    `rests_on_launch` says of a loop whether its condition names what only the launch tells, `branches` of what is in
    different branches whether these may be made one. `joined` are the numbers of each two accesses that nvcc may join
    where a condition parts their threads; where the first holds what the second loads, that is HELD.
    """

    def __init__(
        self,
        algebra: Algebra,
        occurrences: Sequence[Occurrence],
        invariant: LoopInvariant,
        rests_on_launch: Callable[[ir.Loop], bool],
        branches: Branches,
    ) -> None:
        self._algebra, self._branches, self._rests_on_launch = algebra, branches, rests_on_launch
        self._places = invariant.places
        self.joined: list[tuple[int, int, Join]] = []
        self._held: set[int] = set()
        self._shared: set[int] = set()
        made = in_order(occurrences, invariant, rests_on_launch)
        self._reaches = {each.one.number: each.reach for each in made}
        earlier: dict[tuple[object, ...], list[Made]] = {}
        anywhere: dict[tuple[object, ...], list[Made]] = {}
        others: list[Made] = []
        sides: list[tuple[Made, Made]] = []
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
                    and exclude(each, other)
                    and branches.may_merge(one.operation, one.expression, other.one.expression)
                ):
                    self._may_join(other.one, one, Join.ONE_PLACE)
                    sides.append((each, other))
            if one.operation is Operation.LOAD:
                self._find(each, before, others)
                self._find_in_loops(each, anywhere.get(place, ()), others)
                self._find_in_first(each, anywhere, others)
            else:
                self._overwrite(each, before, others)
            before.append(each)
            anywhere.setdefault(place, []).append(each)
            others.append(each)
        self._share_loads(sides, made)
        self._share(branches.stores, Operation.STORE, made)
        self._leave_out_with_stores(made)

    def _share_loads(self, sides: Sequence[tuple[Made, Made]], made: Sequence[Made]) -> None:
        """Note loads of which nvcc may make one, of either address: for stores that it may make one, or a choice."""
        stores = [pair for pair in sides if pair[0].one.operation is Operation.STORE]
        pairs = [[self._branches.loaded_for(each.one.expression) for each in pair] for pair in stores]
        pairs += map(list, self._branches.choices)
        pairs += map(list, self._branches.loads)
        self._share(pairs, Operation.LOAD, made)

    def _leave_out_with_stores(self, made: Sequence[Made]) -> None:
        """Note loads for stores that some iterations of a loop leave out: nvcc may leave them out, too."""
        stores = {id(each.one.expression): each for each in made if each.one.operation is Operation.STORE}
        for each in made:
            if each.one.operation is not Operation.LOAD:
                continue
            store = stores.get(self._branches.fed.get(id(each.one.expression), 0))
            if store is not None and (store.reach.may_leave or len(store.loops) < len(each.loops)):
                self._shared.add(each.one.number)

    def _share(self, pairs: Iterable[Sequence[int | None]], operation: Operation, made: Sequence[Made]) -> None:
        """Note accesses of each pair of expressions, by their identities, of which nvcc may make one."""
        pairs = list(pairs)
        accesses: dict[int | None, list[Occurrence]] = {}
        for each in made if pairs else ():
            if each.one.operation is operation:
                accesses.setdefault(id(each.one.expression), []).append(each.one)
        for one, other in pairs:
            for first, second in product(accesses.get(one, ()), accesses.get(other, ())):
                if first.base.region is second.base.region and first.width == second.width:
                    self._may_join(first, second, Join.TWO_PLACES)

    def _may_join(self, first: Occurrence, second: Occurrence, join: Join) -> None:
        self._shared |= {first.number, second.number}
        self.joined.append((first.number, second.number, join))

    def _find(self, each: Made, before: Sequence[Made], others: Sequence[Made]) -> None:
        """Note a load that finds in a register what an access to its place has left there, or may do so."""
        for other in reversed(before[-MOST_EARLIER:]):
            is_sure, is_followed = is_under(each, other), follows(each, other)
            if is_sure and not is_followed and not are_adjacent(other, each, others):
                continue
            if (is_sure or is_under(other, each)) and self._stays(other, each, others):
                is_held = is_sure and is_followed and not other.one.is_late
                is_held = is_held and self._places.are_told_alike(other.one, each.one)
                (self._held if is_held else self._shared).add(each.one.number)
                if not is_sure:
                    self.joined.append((other.one.number, each.one.number, Join.HELD))
            if is_sure and is_followed and not other.one.is_late:
                break

    def _find_in_loops(self, each: Made, before: Sequence[Made], others: Sequence[Made]) -> None:
        """Note a load that may find in a register what a loop before it has come to in some iterations."""
        around = len(each.loops)
        for other in before[-MOST_BRANCHES:]:
            is_inside = len(other.loops) > around and other.loops[:around] == each.loops
            if is_inside and is_under(other, each) and self._stays(other, each, others):
                self._shared.add(each.one.number)
                self.joined.append((other.one.number, each.one.number, Join.HELD))

    def _find_in_first(
        self, each: Made, anywhere: Mapping[tuple[object, ...], Sequence[Made]], others: Sequence[Made]
    ) -> None:
        """Note a load that may find in a register, in the first iteration of a loop, what was accessed before it.

        nvcc copies the body of a short loop for each: of `v = p[0]; for (i = 0; i < 4; i++) w += p[i];` four are left.
        """
        one = each.one
        if not each.loops or len(each.loops) != len(each.reach.loops) or self._rests_on_launch(each.loops[-1]):
            return
        first = first_offset(self._algebra, one.offset, each.reach.loops[-1])
        for other in () if first is None else anywhere.get((one.base, first, one.width, one.meetings), ()):
            is_before = other.loops == each.loops[:-1] and is_under(each, other)
            if is_before and follows(each, other) and self._stays(other, each, others):
                self._shared.add(one.number)

    def _stays(self, other: Made, each: Made, others: Sequence[Made]) -> bool:
        """Whether nothing between an access and a load of its place may have changed what is there."""
        stores = [
            s for s in between(other, each, others) if s.one.operation is not Operation.LOAD and not exclude(s, other)
        ]
        if rests_on_loads(self._algebra, each.one.offset):
            return not stores
        return len(stores) <= MOST_BETWEEN and all(self._places.are_apart(each.one, store.one) for store in stores)

    def _overwrite(self, each: Made, before: Sequence[Made], others: Sequence[Made]) -> None:
        """Note the last store to a place before another one, where nothing may have read it between the two.

        Nothing may have been stored in branches or loops between them either: there nvcc looks no further. Where
        a branch holds nothing but the later one nvcc may make one store of the two behind it.
        """
        other = next((one for one in reversed(before) if one.one.operation is Operation.STORE), None)
        if other is None or not is_under(each, other) or not are_adjacent(other, each, others):
            return
        inside = between(other, each, others)
        if len(inside) > MOST_BETWEEN or any(self._may_read(one, other) for one in inside):
            return
        is_table_read = each.one.tables != other.one.tables  # a sine between them: of some types nvcc makes both stores
        if is_table_read or not self._places.are_told_alike(other.one, each.one):
            self._may_join(other.one, each.one, Join.ONE_PLACE)
        elif not is_under(other, each):
            if all(is_under(other, one) for one in inside) and len(each.loops) == len(each.one.loops):
                self._may_join(other.one, each.one, Join.ONE_PLACE)
        elif all(one.one.operation is Operation.LOAD or are_beside(one, other) for one in inside):
            self._held.add(other.one.number)

    def _may_read(self, one: Made, stored: Made) -> bool:
        """Whether an access may read what a store has left in memory."""
        if one.one.operation is Operation.STORE:
            return one.one.is_volatile
        return one.one.number not in self._held and not self._places.are_apart(stored.one, one.one)

    def reach(self, one: Occurrence) -> Reach:
        """Return where an access is executed."""
        if one.number in self._held:
            return replace(one.reach, kept=NONE_KEPT)
        reach = self._reaches[one.number]
        return replace(reach, may_merge=True) if one.number in self._shared else reach
