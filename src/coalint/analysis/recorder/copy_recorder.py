"""Notes down asynchronous copies: a load and a store whose costs depend on each other."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.values import Address, Region
from coalint.analysis.recorder.instruction_lanes import lanes_of
from coalint.analysis.recorder.instruction_recorder import InstructionRecorder
from coalint.analysis.recorder.instructions import Instruction
from coalint.analysis.recorder.service import Manner
from coalint.analysis.warps.assumed_numbers import lacking
from coalint.analysis.warps.countable import SPACES, is_countable
from coalint.analysis.warps.quantities import open_names
from coalint.analysis.warps.results import WarpResult
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.core.facts.lanes import Service
from coalint.core.facts.suppositions import Supposed, Supposition

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site


class CopyRecorder(InstructionRecorder):
    """Collects the accesses of a kernel, those of asynchronous copies too."""

    def copy(self, site: Site, source: Lvalue, target: Lvalue, e: ir.Expression, service: Service) -> bool:
        """Record an asynchronous copy: a load and a store whose costs depend on each other.

        False where the lanes of either end are not known: nothing is recorded then.
        """
        return self._copy(site, source, target, e, service, filled=False)

    def copy_filled(self, site: Site, source: Lvalue, target: Lvalue, e: ir.Expression, service: Service) -> bool:
        """Record an asynchronous copy of which only the lanes that pass the last guard read; others write zeros.

        Past L1 it is the load alone: the store is one of all lanes, whatever they read. False where the lanes of either
        end are not known: nothing is recorded then.
        """
        return self._copy(site, source, target, e, service, filled=True)

    def _copy(
        self, site: Site, source: Lvalue, target: Lvalue, e: ir.Expression, service: Service, *, filled: bool
    ) -> bool:
        if site.dry or self.model is None or self.specialization is None:
            return True
        source = replace(source, address=self.where(site, source))
        target = replace(target, address=self.where(site, target))
        assert isinstance(source.address, Address)
        assert isinstance(target.address, Address)
        bases = (source.address.base, target.address.base)
        if [base.region for base in bases] != [Region.GLOBAL, Region.SHARED]:
            return False
        if any(base.level is not Level.UNIFORM for base in bases):
            return False
        by_lines = service is Service.BYPASS
        offsets = source.address.offset, target.address.offset
        results = self.model.pair(*offsets, site.conditions(), by_lines=by_lines, filled=filled)
        if results is None:
            return False
        text = f"`{target.address.base.memory.name}` begins at a multiple of 128 bytes"
        begin = Supposition(text, Supposed.ALIGNMENT)
        names = open_names(self.algebra, source.address.offset, site.conditions())
        lacks = lacking(self.algebra, source.address.offset, results[0], names)
        ends = [(source, Operation.LOAD), (target, Operation.STORE)]
        if filled and by_lines:
            ends.pop()
        else:
            self.order.touched(site, target, Operation.STORE, e)
        for (place, operation), this, other in zip(ends, results, reversed(results), strict=False):
            if by_lines:  # rests on where each end lies within a line
                this = replace(this, exact=False, assumed=tuple(dict.fromkeys((*this.assumed, *other.assumed, begin))))
            manner = Manner(service, partner=other.lanes, since=(8, 0))
            end = (target if place is source else source).address
            assert isinstance(end, Address)
            instruction = Instruction(
                place=place,
                operation=operation,
                expression=e,
                width=place.type.size,
                manner=manner,
                other=end.offset,
                results=(this,),
                lacks=() if filled and place is target else lacks,
            )
            self.record(site, instruction)
        return True

    def copy_lacking(
        self,
        site: Site,
        source: Lvalue,
        target: Lvalue,
        e: ir.Expression,
        service: Service,
        ends: Collection[Operation],
        reason: str,
    ) -> bool:
        """Record these ends of an asynchronous copy as unknown for the reason, where numbers would make them known.

        False where none would: nothing is recorded then.
        """
        if site.dry or self.model is None or self.specialization is None:
            return False
        lacks: dict[str, None] = {}
        for place in (source, target):
            assert isinstance(place.address, Address)
            base, offset = place.address.base, place.address.offset
            (result, *_) = lanes_of(self.model, site, Instruction(place, Operation.LOAD, e, place.type.size))
            if not is_countable(base, SPACES[base.region], place.type.size):
                return False
            names = open_names(self.algebra, offset, site.conditions())
            lacks |= dict.fromkeys(lacking(self.algebra, offset, result, names))
        if not lacks:
            return False
        unknown = (WarpResult(None, unknown=reason),)
        for place, end, operation in ((source, target, Operation.LOAD), (target, source, Operation.STORE)):
            if operation in ends:
                assert isinstance(end.address, Address)
                instruction = Instruction(
                    place=place,
                    operation=operation,
                    expression=e,
                    width=place.type.size,
                    manner=Manner(service, since=(8, 0)),
                    other=end.address.offset,
                    results=unknown,
                    lacks=tuple(lacks),
                )
                self.record(site, instruction)
        return True
