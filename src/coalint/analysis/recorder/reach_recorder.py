"""Where the instructions of a kernel stand: conditions, loops, and whether the lanes of a warp come there together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.counts.counted_loop import CountedLoop
from coalint.analysis.counts.reaches import Reach
from coalint.analysis.counts.uneven_loops import conditions_to_stay, is_left_unevenly, supposed_whole
from coalint.analysis.counts.uneven_trials import Known
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Poly
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.implied import resolved
from coalint.analysis.domain.values import Address
from coalint.analysis.recorder.evaluated_kernel import EvaluatedKernel
from coalint.analysis.warps.counters.enumeration import MAX_CELLS
from coalint.analysis.warps.model import WarpModel
from coalint.analysis.warps.quantities import given_numbers
from coalint.analysis.warps.results import WarpResult
from coalint.core.facts.launch import Specialization
from coalint.core.facts.suppositions import Supposition

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site


class ReachRecorder(EvaluatedKernel):
    """Tells of a site in a kernel who comes to it."""

    def __init__(
        self,
        algebra: Algebra,
        sources: Mapping[str, list[str]],
        specialization: Specialization | None = None,
        model: WarpModel | None = None,
        threads: tuple[Poly, ...] = (),
    ) -> None:
        super().__init__(algebra, sources, specialization, model, threads)
        self._uneven_loops: dict[object, tuple[Supposition, ...]] = {}
        self._left_unevenly = Known()

    def reach(self, site: Site) -> Reach:
        """Return the guards and loops around the current statement."""
        loops = []
        for around in self.loops:
            atom = None if around.counter is None else self.algebra.atoms_of(around.counter)[0]
            stays = conditions_to_stay(around.loop, atom, site.guards)
            name = "" if atom is None else atom.name
            loops.append(CountedLoop(atom, around.trips, name, stays, around.sequence))
        left = (condition for around in self.loops for condition in around.left_together)
        return Reach((*site.conditions(), *left), tuple(loops), site.split)

    def uneven(self, site: Site, reach: Reach) -> tuple[Supposition, ...]:
        """Return what numbers rest on by loops that lanes of a warp leave in different iterations."""
        if not any(loop.stays for loop in reach.loops):
            return ()
        reach = replace(reach, guards=tuple(site.conditions()))
        if reach.key not in self._uneven_loops:
            assert self.model is not None
            fixed = given_numbers(self.algebra, self.model.given, (), reach.guards)
            self._uneven_loops[reach.key] = tuple(
                supposed_whole(loop)
                for loop in reach.loops
                if is_left_unevenly(self.model, reach.guards, loop, fixed, MAX_CELLS, self._left_unevenly)
            )
        return self._uneven_loops[reach.key]

    def counters(self) -> tuple[Atom, ...]:
        """Return the counters of the loops around the current statement that may have several iterations."""
        counted = (around.counter for around in self.loops if around.trips != 1)
        return tuple(self.algebra.atoms_of(counter)[0] for counter in counted if counter is not None)

    def is_parted(self, site: Site, result: WarpResult) -> bool:
        """Whether some lanes of a warp come to an instruction without others, or may do so."""
        if result.lanes is None or not result.exact:
            return not all(self.uniform(guard.condition.value) for guard in site.guards)
        count = result.lanes.active.sum(axis=-1)
        return bool(((count > 0) & (count < result.lanes.active.shape[-1])).any())

    def where(self, site: Site, place: Lvalue) -> Address:
        """Return the address of an access, without the choices that the conditions around it decide."""
        address = place.address
        assert isinstance(address, Address)
        offset = resolved(self.algebra, address.offset, site.conditions())
        return address if offset == address.offset else Address(address.base, offset, address.steps)
