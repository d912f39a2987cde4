"""Notes down memory instructions as accesses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.counts.execution_counts import CountedLoop, ExecutionCounts
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.implied import resolved
from coalint.analysis.domain.values import Address
from coalint.analysis.recorder.descriptions import Descriptions
from coalint.analysis.recorder.evaluated_kernel import EvaluatedKernel
from coalint.analysis.recorder.events import Order
from coalint.analysis.recorder.instruction_lanes import lanes_of
from coalint.analysis.recorder.instructions import Instruction
from coalint.analysis.warps.model import WarpModel
from coalint.core.facts.executions import Executions
from coalint.core.facts.lanes import Service
from coalint.core.facts.launch import Specialization

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site

MAX_ACCESSES = 4000
"""Of one kernel."""


class TooLarge(Exception):
    """The kernel needs more evaluation than coalint allows."""


class InstructionRecorder(EvaluatedKernel):
    """Collects the accesses of a kernel."""

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
        self.counts: ExecutionCounts | None = None

    def record(self, site: Site, instruction: Instruction) -> None:
        """Note down an instruction that is executed at a site."""
        assert self.model is not None
        results = instruction.results or lanes_of(self.model, site, instruction)
        guards = tuple(guard.condition.value for guard in site.guards)
        executions = self._executions(site)
        for alternative, result in enumerate(results):
            access = self.descriptions.access(site, instruction, result, alternative)
            written = (access.span, access.op, access.space, access.bytes, access.piece, instruction.base.memory.name)
            if len(self.accesses) >= MAX_ACCESSES:
                raise TooLarge
            if executions is not None and not alternative and access.served.service is not Service.CAS_LOOP:
                access = replace(access, executions=executions)
            key = (*written, instruction.offset, access.result.unknown, alternative, guards)
            before = self.accesses.setdefault(key, access)
            if before is not access and before.executions is not None and access.executions is not None:
                self.accesses[key] = replace(before, executions=before.executions + access.executions)

    def _executions(self, site: Site) -> Executions | None:
        """Return how often the launch executes the current statement."""
        if self.counts is None:
            return None
        loops = [CountedLoop.around(self.algebra, counter, trips) for _, counter, trips, _ in self.loops]
        return self.counts.of(tuple(site.conditions()), loops, several=site.split)

    def where(self, site: Site, place: Lvalue) -> Address:
        """The address of an access, without the choices that the conditions around it decide."""
        address = place.address
        assert isinstance(address, Address)
        offset = resolved(self.algebra, address.offset, site.conditions())
        return address if offset == address.offset else Address(address.base, offset)

    def mark_traps(self, site: Site) -> None:
        """All threads under the guards at hand end the kernel now, and what only such threads have done is an error's.

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
