"""Accesses that nvcc takes out of loops: a thread's own place that stays the same, which a register holds meanwhile.

A load leaves a loop if it is executed in every iteration, its address is the same in each, and nothing in the loop
stores to memory that it may lie in, but for stores of the same value's place further on, whose value the register
takes over. A store leaves it if nothing else in the loop touches memory that it may lie in, but for the same place.
So does LLVM's pass for loop-invariant code (llvm.org/docs/Passes.html, `licm`). Seen on an H200: 32 loads of HeCBench's
`interleave` that are added to are executed once, not 4,096 times.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from coalint.analysis.counts.counted_loop import CountedLoop
from coalint.analysis.counts.reaches import Reach
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Poly
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.conditions import Condition, When
from coalint.analysis.domain.values import Base, Region
from coalint.analysis.recorder.certain_nodes import CertainNodes
from coalint.analysis.recorder.repeated_loads import copied_loops, with_repeats
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.core.records import record

MOST = 400
"""Instructions of a loop that are held against each other."""


@record(frozen=True, slots=True)
class Occurrence:
    """An instruction as it is come to.

    Attributes:
        operation: What it does.
        base: The object that it goes to.
        offset: Bytes from its start.
        width: Bytes of a lane.
        expression: What is written for it.
        loops: The loops around it, outermost first.
        reach: Its guards, and the same loops as they are counted.
        number: Its place in the order of evaluation.
        meetings: How often threads have met before, or may have, or memory may have been changed in ways not followed.
        is_volatile: Whether it is made as it is written.
        decided: The branches around it that the launch has decided, by their numbers.
    """

    operation: Operation
    base: Base
    offset: Poly
    width: int
    expression: ir.Expression
    loops: tuple[ir.Loop, ...]
    reach: Reach
    number: int
    meetings: int
    is_volatile: bool = False
    decided: tuple[int, ...] = ()


class LoopInvariant:
    """Tells where a kernel's instructions are executed, after those that stay the same have left their loops.

    `nodes` tells what loops execute in each iteration, `calling` are those in which a function is called that may touch
    any memory.
    `restricted` are the parameters of which the source promises that no other pointer leads to what they store.
    """

    def __init__(
        self,
        algebra: Algebra,
        occurrences: Sequence[Occurrence],
        restricted: frozenset[str],
        nodes: CertainNodes,
        calling: Set[ir.Loop] = frozenset(),
    ) -> None:
        self._algebra, self._restricted, self._calling, self._nodes = algebra, restricted, calling, nodes
        self._inside: dict[ir.Loop, list[Occurrence]] = {}
        for one in occurrences:
            for loop in one.loops:
                self._inside.setdefault(loop, []).append(one)
        self._certain: dict[ir.Loop, frozenset[int] | None] = {}

    def reach(self, one: Occurrence) -> Reach:
        """Return where an instruction is executed."""
        loops, reach = one.loops, one.reach
        while loops and len(loops) == len(reach.loops) and not reach.several:
            loop, counted = loops[-1], reach.loops[-1]
            if not self._leaves(one, loop, counted):
                break
            first = self._first(reach, counted)
            if first is None:
                break
            may_be_skipped = self._may_be_skipped(reach, first, counted)
            loops, reach = loops[:-1], first
            if may_be_skipped:
                break
        may_leave = bool(loops) and self._may_leave(one, loops[-1], reach.loops[-1])
        if may_leave != reach.may_leave:
            reach = replace(reach, may_leave=may_leave)
        if one.operation is not Operation.LOAD or reach.several or len(loops) != len(reach.loops):
            return reach
        nest = list(copied_loops(self._algebra, loops, reach, lambda loop: self._may_share(one, loop)))
        return with_repeats(self._algebra, one.offset, nest, reach)

    def is_loaded_once(self, one: Occurrence, loop: ir.Loop) -> bool:
        """Whether a load of a loop's own condition is made before the loop alone, by all that come to it."""
        if one.is_volatile or one.width <= 0 or loop in self._calling:
            return False
        counters = [counted.counter for counted in one.reach.loops[one.loops.index(loop) :]]
        if any(counter is not None and _rests_on(self._algebra, one.offset, counter) for counter in counters):
            return False
        inside = self._inside.get(loop, [])
        if self._may_change(one) or len(inside) > MOST:
            return False
        return all(self.are_apart(one, other) for other in inside if other.operation is not Operation.LOAD)

    def _may_share(self, one: Occurrence, loop: ir.Loop) -> bool:
        """Whether iterations of a loop find the same at one address, and each makes the load."""
        if (
            one.width <= 0
            or one.is_volatile
            or loop in self._calling
            or self._may_change(one)
            or not self._is_certain(one, loop)
        ):
            return False
        if len(self._inside[loop]) > MOST:
            return False
        others = (other for other in self._inside[loop] if other.operation is not Operation.LOAD)
        return all(self.are_apart(one, other) for other in others)

    def _may_leave(self, one: Occurrence, loop: ir.Loop, counted: CountedLoop) -> bool:
        """Whether nvcc may keep in a register what some iterations alone touch: it parts and copies such loops."""
        if one.operation is Operation.ATOMIC or one.is_volatile or counted.counter is None or loop in self._calling:
            return False
        is_certain = self._comes_to(loop, one.expression)
        if _rests_on(self._algebra, one.offset, counted.counter):
            return False
        others = [other for other in self._inside[loop] if other is not one]
        same = [other for other in others if _is_same(one, other)]
        if len(others) < MOST and self._is_kept_by(one, others):
            return False
        if self._certain[loop] is None:
            return bool(same) and self._nodes.may_keep(loop)
        if is_certain:
            return not all(self._is_certain(other, loop) for other in same)
        return one.operation is Operation.STORE or bool(same)

    def _is_kept_by(self, one: Occurrence, others: Sequence[Occurrence]) -> bool:
        """Whether other places that a loop goes to may be an access's own, so that nvcc makes it where it stands."""
        if one.operation is Operation.LOAD:
            others = [other for other in others if other.operation is not Operation.LOAD]
        return not all(_is_same(one, other) or self.are_apart(one, other) for other in others)

    def _leaves(self, one: Occurrence, loop: ir.Loop, counted: CountedLoop) -> bool:
        if one.operation is Operation.ATOMIC or one.is_volatile or one.width <= 0 or loop in self._calling:
            return False
        if counted.counter is None and not counted.trips:
            return False
        if not self._is_certain(one, loop):
            return False
        if counted.counter is not None and _rests_on(self._algebra, one.offset, counted.counter):
            return False
        if self._may_change(one):
            return False
        if len(self._inside[loop]) > MOST:
            return False
        others = [other for other in self._inside[loop] if other is not one]
        if one.operation is Operation.LOAD:
            others = [other for other in others if other.operation is not Operation.LOAD]
        return all(
            self.are_apart(one, other) or (_is_same(one, other) and self._is_certain(other, loop)) for other in others
        )

    def _may_change(self, one: Occurrence) -> bool:
        """Whether an address rests on what is followed by no loop's counter, and so may change in any of them."""
        known = {counted.counter.index for counted in one.reach.loops if counted.counter is not None}
        return any(
            atom.kind is AtomKind.OPAQUE
            or (atom.kind is AtomKind.COUNTER and atom.index not in known and not atom.is_block_index)
            for atom in self._algebra.closure(one.offset)
        )

    def are_apart(self, a: Occurrence, b: Occurrence) -> bool:
        """Whether two instructions of one thread touch no byte in common, as the compiler sees it."""
        if a.base != b.base:
            regions = {a.base.region, b.base.region}
            if Region.UNKNOWN in regions:
                return False
            promised = any(base.memory.name in self._restricted for base in (a.base, b.base))
            return len(regions) == 2 or regions <= {Region.SHARED, Region.LOCAL} or promised
        distance = self._algebra.number(b.offset - a.offset)
        return distance is not None and (distance >= a.width or -distance >= b.width)

    def _first(self, reach: Reach, counted: CountedLoop) -> Reach | None:
        """Return where the first iteration stands; None where the guards do not tell."""
        loops = reach.loops[:-1]
        if counted.counter is None:
            return Reach(reach.guards, loops, reach.several)
        conditions: list[Condition] = []
        known = [Substitution(self._algebra, counted.counter, self._algebra.zero)]
        guards = reach.guards
        if counted.sequence is not None:
            for carried in counted.sequence.values:
                stand_ins = (index for index in (carried.mark, carried.held) if index is not None)
                known += [Substitution(self._algebra, self._algebra.atoms[i], carried.start) for i in stand_ins]
            if counted.sequence.test_first:  # a table may hold nothing for which it fails: then no guard has it
                guards = (*guards, Condition(counted.sequence.condition, counted.name))
        for guard in guards:
            over = dict(guard.over)
            when = over.pop(counted.counter.index, None)
            if when is When.EVER:
                return None
            if when is When.BEFORE:
                continue
            value = guard.value
            for start in known:
                value = start.of(value)
            if self._algebra.number(value) == 0:
                return None
            if self._algebra.number(value) is None:
                conditions.append(Condition(value, guard.text, tuple(over.items())))
        return Reach(tuple(conditions), loops, reach.several)

    def _may_be_skipped(self, reach: Reach, first: Reach, counted: CountedLoop) -> bool:
        """Whether a loop has no iteration in some iterations of those around it."""
        if counted.counter is None:
            return False
        tested = [g for g in reach.guards if _rests_on(self._algebra, g.value, counted.counter)]
        own = {guard.text for guard in tested}
        around = [loop.counter for loop in first.loops if loop.counter is not None]
        return any(_rests_on(self._algebra, g.value, c) for g in first.guards if g.text in own for c in around)

    def _is_certain(self, one: Occurrence, loop: ir.Loop) -> bool:
        """Whether each iteration of a loop around an instruction executes it, by loops inside that have iterations."""
        at = one.loops.index(loop)
        inside = one.loops[at + 1 :]
        if any(not counted.trips for counted in one.reach.loops[at + 1 :]):
            return False
        nodes: tuple[ir.Expression | ir.Loop, ...] = (*inside, one.expression)
        return all(self._comes_to(around, node) for around, node in zip(one.loops[at:], nodes, strict=True))

    def _comes_to(self, loop: ir.Loop, node: ir.Expression | ir.Loop) -> bool:
        """Whether a loop executes an expression, or comes to a loop inside of it, in every iteration.

        Not where calls may touch any memory or wait for others, or a jump may leave.
        """
        if loop not in self._certain:
            self._certain[loop] = self._nodes.of(loop)
        certain = self._certain[loop]
        return certain is not None and id(node) in certain


def _is_same(a: Occurrence, b: Occurrence) -> bool:
    is_alike = a.base == b.base and a.offset == b.offset and a.width == b.width
    return is_alike and b.operation is not Operation.ATOMIC and not b.is_volatile


def _rests_on(algebra: Algebra, value: Poly, counter: Atom) -> bool:
    return any(atom is counter for atom in algebra.closure(value))
