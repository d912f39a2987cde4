"""Notes down memory instructions as accesses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.counts.reaches import Reach
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import CROWDED, Poly
from coalint.analysis.formulas.open_addresses import OpenAddresses
from coalint.analysis.recorder.component_evidence import settled_components
from coalint.analysis.recorder.descriptions import Descriptions
from coalint.analysis.recorder.elimination.branches import Branches
from coalint.analysis.recorder.elimination.held_values import HeldValues
from coalint.analysis.recorder.elimination.occurrences import Occurrence
from coalint.analysis.recorder.events import Order
from coalint.analysis.recorder.instruction_lanes import lanes_of
from coalint.analysis.recorder.instructions import Instruction
from coalint.analysis.recorder.pitches import Pitches
from coalint.analysis.recorder.placed import Placed
from coalint.analysis.recorder.reach_recorder import ReachRecorder
from coalint.analysis.recorder.sides import sides_of
from coalint.analysis.recorder.supposed_loops import SupposedLoops
from coalint.analysis.recorder.whole_records import settled_records
from coalint.analysis.warps.model import WarpModel
from coalint.analysis.warps.results import WarpResult
from coalint.core import ir
from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.lanes import Service
from coalint.core.facts.launch import Specialization
from coalint.core.facts.suppositions import Supposition
from coalint.core.ir.late_loads import LateLoads

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site

EARLY = Supposition("the compiler does not load it later, where fewer threads or iterations need it")
MAX_ACCESSES = 4000
"""Of one kernel."""


class TooLarge(Exception):
    """The kernel needs more evaluation than coalint allows."""


class InstructionRecorder(ReachRecorder):
    """Collects the accesses of a kernel."""

    __deletable__ = ("order", "descriptions")

    def __init__(
        self,
        algebra: Algebra,
        sources: Mapping[str, list[str]],
        specialization: Specialization | None = None,
        model: WarpModel | None = None,
        threads: tuple[Poly, ...] = (),
    ) -> None:
        super().__init__(algebra, sources, specialization, model, threads)
        self.order = Order(self)
        self.descriptions = Descriptions(self)
        self.formulas: OpenAddresses | None = None
        self._reached: dict[tuple[object, ...], list[Occurrence]] = {}
        self._recorded = 0
        self.with_lanes = True
        self.as_compiled = False  # what hides an alignment from nvcc is told apart
        self.may_leave_loops = False
        self._placed: dict[tuple[object, ...], Placed] = {}
        self.supposed_loops = SupposedLoops(algebra)
        self.late_loads: LateLoads | None = None
        self._made: tuple[dict[tuple[object, ...], list[Occurrence]], HeldValues | None] | None = None

    def record(self, site: Site, instruction: Instruction) -> None:
        """Note down an instruction that is executed at a site."""
        assert self.model is not None
        self._recorded += 1
        reach = self.reach(site)
        uneven = self.uneven(site, reach)
        results = [
            replace(result, exact=False, aligned_if="", assumed=(*result.assumed, *uneven))
            if uneven and result.lanes is not None
            else result
            for result in instruction.results or self._lanes(site, instruction)
        ]
        is_late = instruction.operation is Operation.LOAD and self._may_be_late(site, instruction)
        if is_late:
            results = [
                replace(one, exact=False, assumed=(*one.assumed, EARLY)) if one.lanes else one for one in results
            ]
        guards = tuple(guard.condition.value for guard in site.guards)
        occurrence = Occurrence(
            operation=instruction.operation,
            base=instruction.base,
            offset=instruction.offset,
            width=instruction.width,
            expression=instruction.expression,
            loops=tuple(around.loop for around in self.loops),
            reach=reach,
            number=self._recorded,
            meetings=self.order.meetings,
            tables=self.order.tables,
            is_volatile=self.is_volatile(instruction.expression.span),
            decided=self.decided,
            branches=self.branch_sides.at(site),
            is_late=is_late,
        )
        placed = Placed(instruction.offset, guards, self.counters())
        for alternative, result in enumerate(results):
            access = self.descriptions.access(site, instruction, result, alternative)
            written = (access.span, access.op, access.space, access.bytes, access.piece, instruction.base.memory.name)
            if len(self.accesses) >= MAX_ACCESSES:
                raise TooLarge
            key = (*written, instruction.offset, access.result.unknown, alternative, guards)
            self.accesses.setdefault(key, access)
            self._placed.setdefault(key, placed)
            is_parted = instruction.operation is Operation.ATOMIC and (bool(uneven) or self.is_parted(site, result))
            self.supposed_loops.come_to(key, site, self.loops, occurrence, self.order.waits, is_parted=is_parted)
            if not alternative and access.served.service is not Service.CAS_LOOP:
                self._reached.setdefault(key, []).append(occurrence)

    def _lanes(self, site: Site, instruction: Instruction) -> tuple[WarpResult, ...]:
        """Return the lanes of an instruction, for each way that an open choice may go; none where none are wanted."""
        assert self.model is not None
        if self.with_lanes and self._is_lost_in_loop(instruction):
            return (WarpResult(None, unknown=CROWDED),)
        return lanes_of(self.model, site, instruction) if self.with_lanes else (WarpResult(None),)

    def _is_lost_in_loop(self, instruction: Instruction) -> bool:
        """Whether a loop walks shared memory, so that nvcc may merge its accesses, and its trips were not followed."""
        if instruction.space is not Space.SHARED or not self.algebra.crowded():
            return False
        counters = [around.counter for around in self.loops if around.trips is None and around.counter is not None]
        atoms = [self.algebra.atoms_of(counter)[0] for counter in counters]
        steps = [self.algebra.number(self.algebra.difference(instruction.offset, atom)) for atom in atoms]
        return instruction.width in steps or -instruction.width in steps

    def settled(self) -> tuple[Access, ...]:
        """Return the accesses with what their addresses are as formulas.

        They have `fitting` and `dense` numbers only where nothing shows that these are row lengths.
        """
        reached, held = self._eliminated()
        sides = {} if held is None else sides_of(self.accesses, reached, held.joined)
        made = [
            (self._with_loops(key, replace(access, sides=sides[key]) if key in sides else access), self._placed[key])
            for key, access in self.accesses.items()
        ]
        placed = list(settled_records(made))
        accesses = tuple(access for access, _ in placed)
        if any(access.open.fitting or access.open.dense for access in accesses):
            accesses = tuple(settled_components(Pitches(self.algebra, self.threads, placed)))
        if self.formulas is None:
            return accesses
        offsets = (where.offset for _, where in placed)
        return tuple(map(self.formulas.described, accesses, offsets))

    def _supposed(self, key: tuple[object, ...]) -> tuple[Supposition, ...]:
        """Return what the numbers of an access rest on by loops that are run otherwise than they are written."""
        return self.supposed_loops.supposed(key, self.accesses[key].result.lanes)

    def _with_loops(self, key: tuple[object, ...], access: Access) -> Access:
        supposed, result = self._supposed(key), access.result
        if not supposed or result.lanes is None:
            return access
        result = replace(result, exact=False, aligned_if="", assumed=(*result.assumed, *supposed))
        return replace(access, result=result)

    @property
    def reaches(self) -> list[tuple[Reach, ...]]:
        """Where each access stands, in their order; nothing for those whose executions no source tells."""
        reached, held = self._eliminated()
        if held is None:
            return [tuple(one.reach for one in reached.get(key, ())) for key in self.accesses]
        return [tuple(map(held.reach, reached.get(key, ()))) for key in self.accesses]

    def _eliminated(self) -> tuple[dict[tuple[object, ...], list[Occurrence]], HeldValues | None]:
        """Return how each access is come to, and what nvcc leaves out of that; None where it may leave out nothing."""
        if self._made is None:
            reached = {key: [self._resting(key, one) for one in all_] for key, all_ in self._reached.items()}
            held = None
            if self.may_leave_loops:
                everywhere = [one for occurrences in reached.values() for one in occurrences]
                invariant = self.supposed_loops.invariant(everywhere, self._is_counted_by_launch)
                held = HeldValues(self.algebra, everywhere, invariant, self._is_counted_by_launch, Branches(self.body))
            self._made = reached, held
        return self._made

    def _is_counted_by_launch(self, loop: ir.Loop) -> bool:
        return loop.condition is not None and self.rests_on_launch(loop.condition)

    def _resting(self, key: tuple[object, ...], occurrence: Occurrence) -> Occurrence:
        supposed = self._supposed(key)
        return replace(occurrence, reach=replace(occurrence.reach, supposed=supposed)) if supposed else occurrence

    @property
    def places(self) -> list[tuple[Poly, int]]:
        """The byte offset of each access and the bytes of a lane, in their order."""
        return [(self._placed[key].offset, access.bytes) for key, access in self.accesses.items()]

    def _may_be_late(self, site: Site, instruction: Instruction) -> bool:
        """Whether a load, or a call that leads to it, may be made later, where fewer threads come to."""
        if self.late_loads is None:
            return False
        frame, wanted = site.frame, id(instruction.expression)
        while wanted not in self.late_loads.of(frame.function):
            if frame.caller is None:
                return False
            frame, wanted = frame.caller, frame.call_id
        return True

    def mark_traps(self, site: Site) -> None:
        """Mark that all threads under the guards at hand end the kernel: what only they have done is an error's.

        Without a guard it is said of none: a kernel that ends so in any case is written for another architecture.
        """
        guards = tuple(guard.condition.value for guard in site.guards)
        if not guards or site.dry:
            return
        for key, access in self.accesses.items():
            under = key[-1]
            assert isinstance(under, tuple)
            if under[: len(guards)] == guards:
                self.accesses[key] = replace(access, traps=True)
