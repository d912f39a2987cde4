"""Accesses that nvcc takes out of loops: a thread's own place that stays the same, which a register holds meanwhile.

A load leaves a loop if it is executed in every iteration, its address is the same in each, and nothing in the loop
stores to memory that it may lie in, but for stores to the same place, of which each iteration executes one: the
register takes over their value. A store leaves it if nothing else in the loop touches memory that it may lie in, but
for the same place. So does LLVM's pass for loop-invariant code (llvm.org/docs/Passes.html, `licm`). Seen on an H200:
32 loads of HeCBench's `interleave` that are added to are executed once, not 4,096 times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import replace

from coalint.analysis.counts.counted_loop import CountedLoop
from coalint.analysis.counts.reaches import Reach
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind
from coalint.analysis.domain.values import Region
from coalint.analysis.recorder.elimination.certain_nodes import CertainNodes, Waits
from coalint.analysis.recorder.elimination.first_iterations import MOST_COPIES, first_iteration, may_be_skipped
from coalint.analysis.recorder.elimination.loop_bodies import LoopBodies
from coalint.analysis.recorder.elimination.occurrences import Occurrence, loaded_as_constant, rests_on
from coalint.analysis.recorder.elimination.places import Places
from coalint.analysis.recorder.elimination.repeated_loads import copied_loops, with_repeats
from coalint.analysis.recorder.elimination.written_distances import WrittenDistances
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.core.facts.suppositions import Supposed, Supposition

LOADED_ONCE = Supposition("what is left after copies of the loop's body does not load it again", Supposed.UNROLLING)
MOST = 400
"""Instructions of a loop that are held against each other."""


class LoopInvariant:
    """Tells where a kernel's instructions are executed, after those that stay the same have left their loops.

    `nodes` tells what loops execute in each iteration, `calling` are those in which a function is called that may touch
    any memory, `reading` those in which one reads a table in memory.
    `restricted` are the parameters of which the source promises that no other pointer leads to what they store.
    `distances` tells which distances of addresses the launch alone gives, `rests_on_launch` of a loop whether its
    condition names what only the launch tells.
    """

    def __init__(
        self,
        algebra: Algebra,
        occurrences: Sequence[Occurrence],
        restricted: frozenset[str],
        nodes: CertainNodes,
        distances: WrittenDistances,
        calling: Set[ir.Loop] = frozenset(),
        reading: Set[ir.Loop] = frozenset(),
        rests_on_launch: Callable[[ir.Loop], bool] = lambda loop: False,
    ) -> None:
        self._algebra, self._restricted = algebra, restricted
        self._calling, self._reading = calling, reading
        self.places, self._rests_on_launch = Places(algebra, restricted, distances), rests_on_launch
        self._inside: dict[ir.Loop, list[Occurrence]] = {}
        for one in occurrences:
            for loop in one.loops:
                self._inside.setdefault(loop, []).append(one)
        self._bodies = LoopBodies(nodes, occurrences, restricted)

    def reach(self, one: Occurrence) -> Reach:
        """Return where an instruction is executed."""
        loops, reach, is_anew = one.loops, one.reach, False
        while loops and len(loops) == len(reach.loops) and not reach.several:
            loop, counted = loops[-1], reach.loops[-1]
            if not self._leaves(one, loop, counted):
                break
            first = first_iteration(self._algebra, reach, counted)
            if first is None:
                break
            is_anew = is_anew or self._is_loaded_anew(one, loop, counted)
            is_skipped = may_be_skipped(self._algebra, reach, first, counted)
            loops, reach = loops[:-1], first
            if is_skipped:
                break
        if is_anew:
            reach = replace(reach, supposed=(*reach.supposed, LOADED_ONCE))
        may_leave = bool(loops) and self._may_leave(one, loops[-1], reach.loops[-1])
        if may_leave != reach.may_leave:
            reach = replace(reach, may_leave=may_leave)
        if one.operation is not Operation.LOAD or reach.several or len(loops) != len(reach.loops):
            return reach
        nest = list(copied_loops(self._algebra, loops, reach, lambda loop: self._may_share(one, loop)))
        return with_repeats(self._algebra, one.offset, nest, reach)

    def _is_loaded_anew(self, one: Occurrence, loop: ir.Loop, counted: CountedLoop) -> bool:
        """Whether a load that leaves a loop may be made again before what is left after rounds of four iterations.

        nvcc copies the body of a loop whose length the launch gives. What the loop stores to the place in each
        iteration is in memory then: seen on an H200, `x[i] += x[i + m]` has two loads of `x[i]` for ten iterations.
        """
        if one.operation is not Operation.LOAD or not self._rests_on_launch(loop):
            return False
        stores = (
            each for each in self._inside[loop] if each.operation is Operation.STORE and self.places.are_same(one, each)
        )
        return any(not self._leaves(store, loop, counted) for store in stores)

    def is_loaded_once(self, one: Occurrence, loop: ir.Loop) -> bool:
        """Whether a load of a loop's own condition is made before the loop alone, by all that come to it."""
        if one.is_volatile or one.width <= 0 or loop in self._calling:
            return False
        counters = [counted.counter for counted in one.reach.loops[one.loops.index(loop) :]]
        if any(counter is not None and rests_on(self._algebra, one.offset, counter) for counter in counters):
            return False
        inside = self._inside.get(loop, [])
        if self._may_change(one) or len(inside) > MOST:
            return False
        return all(self.places.stay_apart(one, other) for other in inside if other.operation is not Operation.LOAD)

    def _may_share(self, one: Occurrence, loop: ir.Loop) -> bool:
        """Whether iterations of a loop find the same at one address, and each makes the load."""
        if (
            one.width <= 0
            or one.is_volatile
            or loop in self._calling
            or self._may_change(one)
            or not self._bodies.is_certain(one, loop)
        ):
            return False
        if len(self._inside[loop]) > MOST:
            return False
        others = (other for other in self._inside[loop] if other.operation is not Operation.LOAD)
        return all(self.places.stay_apart(one, other) for other in others)

    def _may_leave(self, one: Occurrence, loop: ir.Loop, counted: CountedLoop) -> bool:
        """Whether nvcc may keep in a register what some iterations alone touch: it parts and copies such loops."""
        if one.operation is Operation.ATOMIC or one.is_volatile or counted.counter is None or loop in self._calling:
            return False
        if rests_on(self._algebra, one.offset, counted.counter):
            return False
        if loaded_as_constant(one):
            return True
        others = [other for other in self._inside[loop] if other is not one]
        same = [other for other in others if self.places.are_same(one, other)]
        if self._is_short(loop, counted) and self._may_meet_once(one, others, counted.counter):
            return True
        if len(others) < MOST and self._is_kept_by(one, others):
            return False
        body = self._bodies.of(loop)
        if body is None:
            return False
        if self._is_read(one, loop):
            return True
        if self._bodies.is_held_back(one, body):
            return body.waits is Waits.EXCHANGE and (bool(same) or one.operation is Operation.LOAD)
        if one.operation is Operation.STORE and self._may_meet(one, others):
            return True
        if any(self.places.are_apart(one, other) and not self.places.stay_apart(one, other) for other in others):
            return True
        if id(one.expression) in body.certain:
            return not all(self._bodies.is_certain(other, loop) for other in same)
        return one.operation is Operation.STORE or bool(same) or self._is_under_same(one, counted.counter)

    def _is_under_same(self, one: Occurrence, counter: Atom) -> bool:
        """Whether the branches around a load go the same way in each iteration: nvcc may ask for them before the loop.

        A condition of the loop itself changes with its counter, a branch in it may not, nor with what is loaded.
        """
        branches = (guard.value for guard in one.reach.guards if not guard.over)
        return not any(
            atom is counter or atom.kind is AtomKind.OPAQUE
            for value in branches
            for atom in self._algebra.closure(value)
        )

    def _is_kept_by(self, one: Occurrence, others: Sequence[Occurrence]) -> bool:
        """Whether other places that a loop goes to may be an access's own, so that nvcc makes it where it stands.

        Of copies of a body that store to one place one after the other the last one is left, whatever else they store.
        """
        others = [other for other in others if other.operation is not one.operation]
        return self._may_meet(one, others)

    def _is_short(self, loop: ir.Loop, counted: CountedLoop) -> bool:
        """Whether a compiler may leave nothing of a loop but a copy of its body for each iteration."""
        return counted.trips is not None and counted.trips <= MOST_COPIES and not self._rests_on_launch(loop)

    def _may_meet_once(self, one: Occurrence, others: Sequence[Occurrence], counter: Atom) -> bool:
        """Whether a loop stores to a place from which the counter alone tells an access's own.

        Of copies of the body nvcc sees which of them store there: of `p[2]` in a loop that stores to `p[i]`.
        """
        stores = (other for other in others if other.operation is Operation.STORE and other.base == one.base)
        return any(set(self._algebra.closure(one.offset - other.offset)) == {counter} for other in stores)

    def _may_meet(self, one: Occurrence, others: Iterable[Occurrence]) -> bool:
        """Whether one of other accesses may be to the place of an access, and not to the very same."""
        return not all(self.places.are_same(one, other) or self.places.are_apart(one, other) for other in others)

    def _leaves(self, one: Occurrence, loop: ir.Loop, counted: CountedLoop) -> bool:
        if one.operation is Operation.ATOMIC or one.is_volatile or one.width <= 0 or loop in self._calling:
            return False
        if counted.counter is None and not counted.trips:
            return False
        if not self._bodies.is_certain(one, loop):
            return False
        if counted.counter is not None and rests_on(self._algebra, one.offset, counted.counter):
            return False
        if self._may_change(one) or len(self._inside[loop]) > MOST or self._is_read(one, loop):
            return False
        others = [other for other in self._inside[loop] if other is not one]
        if one.operation is Operation.LOAD:
            others = [other for other in others if other.operation is not Operation.LOAD]
        same = [other for other in others if self.places.are_same(one, other)]
        if not all(self.places.are_same(one, other) or self.places.stay_apart(one, other) for other in others):
            return False
        # Of a place that each iteration stores to, all accesses are to a register.
        return one.operation is Operation.STORE or not same or any(self._bodies.is_certain(s, loop) for s in same)

    def _is_read(self, one: Occurrence, loop: ir.Loop) -> bool:
        """Whether what a loop stores to an access's place may be read by a function that reads a table in memory.

        Of `x[i] = sinf(x[i])` an H200 counts a store in each iteration, and one for `sqrtf`. A sine reads its table as
        nvcc reads memory that a pointer may lead to, unless the source promises otherwise.
        """
        base = one.base
        if loop not in self._reading or base.region in (Region.SHARED, Region.LOCAL) or base.is_named:
            return False
        if base.memory.name in self._restricted:
            return False
        return any(each.operation is Operation.STORE and self.places.are_same(one, each) for each in self._inside[loop])

    def _may_change(self, one: Occurrence) -> bool:
        """Whether an address rests on what is followed by no loop's counter, and so may change in any of them."""
        known = {counted.counter.index for counted in one.reach.loops if counted.counter is not None}
        return any(
            atom.kind is AtomKind.OPAQUE
            or (atom.kind is AtomKind.COUNTER and atom.index not in known and not atom.is_block_index)
            for atom in self._algebra.closure(one.offset)
        )
