"""What an evaluation finds: accesses, barriers, launches, gaps."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.counts.execution_counts import CountedLoop, ExecutionCounts
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.derivations import provenance
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.implied import resolved
from coalint.analysis.domain.values import Address, Base, Region, Value
from coalint.analysis.recorder.atomics import addressed
from coalint.analysis.recorder.barriers import Barriers
from coalint.analysis.recorder.evaluated_kernel import EvaluatedKernel
from coalint.analysis.recorder.events import Order
from coalint.analysis.recorder.service import PLAIN, Manner
from coalint.analysis.recorder.unsynchronised import Unsynchronised
from coalint.analysis.warps.assumed_numbers import lacking
from coalint.analysis.warps.countable import SPACES, banks_known, instruction_bytes, is_countable
from coalint.analysis.warps.model import WarpModel
from coalint.analysis.warps.neighbours import neighbour_stride
from coalint.analysis.warps.quantities import in_iterations, open_names
from coalint.analysis.warps.results import LaneResult
from coalint.analysis.warps.strides import common, stride
from coalint.core import ir
from coalint.core.facts.access import Access, LoopStride, Operation, RecordField, Space
from coalint.core.facts.lanes import Service
from coalint.core.facts.launch import LaunchRecord, Specialization
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.findings import Note
from coalint.core.source import quoting
from coalint.core.source.spans import Span
from coalint.machine.nvcc.struct_loads import instructions

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site
    from coalint.analysis.portable.own_models import OwnModels

MAX_ACCESSES = 4000  # of one kernel
MAX_VALUES = 256  # of a loop's variable
ONE_SIDE = Supposition("lanes for which the pointer leads elsewhere are counted apart", Supposed.POINTER)


class TooLarge(Exception):
    """The kernel needs more evaluation than coalint allows."""


class Recorder(EvaluatedKernel):
    """Collects accesses and barriers of a kernel, or launches of a host function (`model` is None then)."""

    def __init__(
        self,
        algebra: Algebra,
        sources: Mapping[str, list[str]],
        specialization: Specialization | None = None,
        model: WarpModel | None = None,
        threads: tuple[Poly, ...] = (),
    ) -> None:
        super().__init__(algebra, sources, specialization, model, threads)
        self.accesses: dict[tuple[object, ...], Access] = {}
        self.unsynchronised = Unsynchronised(self)
        self.order = Order(self)
        self.barriers = Barriers(self, self.unsynchronised, self.order)
        self.launches: list[LaunchRecord] = []
        self.gaps: dict[Note, None] = {}
        self._values: dict[tuple[Poly, Poly], tuple[int, ...]] = {}
        self._decided: dict[Poly, bool | None] = {}
        self.counts: ExecutionCounts | None = None
        self.touched = 0  # accesses seen, those of dry runs too
        self.models: OwnModels | None = None

    def gap(self, reason: str, span: Span) -> None:
        """Remember what was not analysed."""
        self.gaps[Note(reason, span)] = None

    # --- questions of the interpreter

    def always(self, condition: Poly) -> bool | None:
        """Whether a condition is true (or false) for every thread of the block."""
        if self.model is None or self.algebra.level(condition) is Level.UNIFORM:
            return None
        if condition not in self._decided:
            self._decided[condition] = self.model.always(condition)
        return self._decided[condition]

    def single_warp(self) -> bool:
        """Whether the block is no more than one warp."""
        return self.specialization is not None and prod(self.specialization.block) <= 32

    def forget(self) -> None:
        """Forget decisions: atoms that they were about may be gone."""
        self._decided.clear()
        self._values.clear()
        if self.counts is not None:
            self.counts.forget()
        self.uniformity.forget()

    def maximum(self, value: Poly) -> int | None:
        """The largest number among the threads."""
        return None if self.model is None else self.model.maximum(value)

    # --- accesses

    def access(
        self,
        site: Site,
        place: Lvalue,
        operation: Operation,
        e: ir.Expression,
        manner: Manner | None = None,
        value: Value | None = None,
    ) -> None:
        """Record one access, in as many instructions as its size and alignment need; `value` is what is stored."""
        self.touched += 1
        if site.dry or self.model is None or self.specialization is None:
            return
        own = manner is None or operation is Operation.ATOMIC
        self.order.touched(site, place, operation, e, value, own=own)
        address = self._where(site, place)
        size, width = place.type.size, instruction_bytes(place.type)
        if place.packed and operation is not Operation.ATOMIC:
            width = min(width, place.packed)  # in a packed struct a field may lie anywhere
        pieces = max(1, size // width) if width else 1
        if pieces > 64:
            pieces = 1
        if place.used and operation is Operation.LOAD and self._partly(site, place, address, e, width, manner):
            return
        for piece in range(pieces):
            at = Address(address.base, address.offset + piece * width) if piece else address
            self._record(site, replace(place, address=at), operation, e, width, (piece + 1, pieces), manner)

    def _partly(
        self, site: Site, place: Lvalue, address: Address, e: ir.Expression, width: int, manner: Manner | None
    ) -> bool:
        """Record a load of the parts of a struct that are used; False where that is all of it, as it would be moved."""
        record = place.type
        if not isinstance(record, ir.Record) or not width or record.is_volatile:
            return False
        parts = instructions(place.used, record.size, width, record.name)
        if not parts or (all(part.size == width for part in parts) and len(parts) == record.size // width):
            return False
        for number, part in enumerate(parts, start=1):
            at = Address(address.base, address.offset + part.offset)
            if place.field is None:
                field = RecordField(record.name, record.size, part.name, part.offset, part.size, None, record.align)
            else:
                name, within = f"{place.field.field}.{part.name}", place.field.offset + part.offset
                field = replace(place.field, field=name, offset=within, bytes=part.size)
            one = replace(place, address=at, field=field)
            self._record(site, one, Operation.LOAD, e, part.size, (number, len(parts)), manner)
        return True

    def _where(self, site: Site, place: Lvalue) -> Address:
        """The address of an access, without the choices that the conditions around it decide."""
        address = place.address
        assert isinstance(address, Address)
        offset = resolved(self.algebra, address.offset, site.conditions())
        return address if offset == address.offset else Address(address.base, offset)

    def copy(self, site: Site, source: Lvalue, target: Lvalue, e: ir.Expression, service: Service) -> bool:
        """Record an asynchronous copy: a load and a store whose costs depend on each other.

        False where the lanes of either end are not known: nothing is recorded then.
        """
        if site.dry or self.model is None or self.specialization is None:
            return True
        source = replace(source, address=self._where(site, source))
        target = replace(target, address=self._where(site, target))
        assert isinstance(source.address, Address)
        assert isinstance(target.address, Address)
        bases = (source.address.base, target.address.base)
        if [base.region for base in bases] != [Region.GLOBAL, Region.SHARED]:
            return False
        if any(base.level is not Level.UNIFORM for base in bases):
            return False
        by_lines = service is Service.BYPASS
        found = self.model.pair(source.address.offset, target.address.offset, site.conditions(), by_lines=by_lines)
        if found is None:
            return False
        text = f"`{target.address.base.memory.name}` begins at a multiple of 128 bytes"
        begin = Supposition(text, Supposed.ALIGNMENT)
        names = open_names(self.algebra, source.address.offset, site.conditions())
        lacks = lacking(self.algebra, source.address.offset, found[0], names)
        ends = ((source, Operation.LOAD), (target, Operation.STORE))
        self.order.touched(site, target, Operation.STORE, e)
        for (place, operation), this, other in zip(ends, found, reversed(found), strict=True):
            if by_lines:  # rests on where each end lies within a line
                this = replace(this, exact=False, assumed=tuple(dict.fromkeys((*this.assumed, *other.assumed, begin))))
            manner = Manner(service, partner=other.lanes, since=(8, 0))
            end = (target if place is source else source).address
            assert isinstance(end, Address)
            self._record(site, place, operation, e, place.type.size, (1, 1), manner, [this], end.offset, lacks)
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
            (result, *_) = self._lanes(site, place, place.type.size, SPACES[base.region])
            if not is_countable(base, SPACES[base.region], place.type.size):
                return False
            names = open_names(self.algebra, offset, site.conditions())
            lacks |= dict.fromkeys(lacking(self.algebra, offset, result, names))
        if not lacks:
            return False
        unknown = [LaneResult(None, unknown=reason)]
        for place, end, operation in ((source, target, Operation.LOAD), (target, source, Operation.STORE)):
            if operation in ends:
                assert isinstance(end.address, Address)
                other = end.address.offset
                manner = Manner(service, since=(8, 0))
                self._record(site, place, operation, e, place.type.size, (1, 1), manner, unknown, other, tuple(lacks))
        return True

    def unfollowed(
        self,
        site: Site,
        address: Address,
        reason: str,
        e: ir.Expression,
        operation: Operation = Operation.LOAD,
    ) -> None:
        """Record that memory is handed to a function that is not followed."""
        if site.dry or self.model is None or self.specialization is None:
            return
        element = address.base.memory.element_bytes
        lost = Base(address.base.region, address.base.memory, Level.DIVERGENT, reason)
        place = Lvalue(Address(lost, site.store.float_divergent), ir.Other("element", element))
        self._record(site, place, operation, e, element, (1, 1))

    def doom(self, site: Site) -> None:
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
                self.accesses[key] = replace(access, doomed=True)

    def _record(
        self,
        site: Site,
        place: Lvalue,
        operation: Operation,
        e: ir.Expression,
        width: int,
        piece: tuple[int, int],
        manner: Manner | None = None,
        found: list[LaneResult] | None = None,
        other: Poly | None = None,
        lacks: tuple[str, ...] = (),
    ) -> None:
        assert self.model is not None
        assert self.specialization is not None
        assert isinstance(place.address, Address)
        base, offset = place.address.base, place.address.offset
        space = Space.GLOBAL if base.data_dependent else SPACES[base.region]  # pointers that memory holds are global
        span = self.place_of(e.span)
        executions = None
        if self.counts is not None:
            loops = [CountedLoop.around(self.algebra, counter, trips) for _, counter, trips, _ in self.loops]
            executions = self.counts.of(tuple(site.conditions()), loops, several=site.split)
        for alternative, result in enumerate(found or self._lanes(site, place, width, space)):
            given = manner or PLAIN
            atomic = addressed(given.atomic, self.algebra, self.specialization, offset, place.trace)
            served = given = replace(given, atomic=atomic)
            if result.lanes is not None:
                given, result = given.of(result, space)
            if site.split and result.lanes is not None:
                result = replace(result, exact=False, assumed=(*result.assumed, ONE_SIDE))
            strides = tuple(stride(self.algebra, offset, thread) for thread in self.threads)
            numbers = [None if s is None else self.algebra.number(s) for s in strides]
            texts = ["?" if s is None else self.printer.text(s) for s in strides]
            in_order = result.lanes is not None and result.lanes.groups is None and not result.permuted
            if strides[0] is None and in_order:
                numbers[0] = neighbour_stride(result, self.specialization.block)
                texts[0] = "?" if numbers[0] is None else str(numbers[0])
            constant = next((c for c, monomial in self.algebra.terms(offset) if not monomial), 0)
            names = open_names(self.algebra, offset, site.conditions())
            if lacks and other is not None:
                names = tuple(dict.fromkeys((*names, *open_names(self.algebra, other, ()))))
            needs = lacks
            if not needs and is_countable(base, space, width):
                needs = lacking(self.algebra, offset, result, names)
            model, why = None, ""
            if self.models is not None:
                model, why = self.models.of(offset, result, served, space, other)
                if model is None and needs:
                    guards = site.conditions()
                    model = self.models.supposing(offset, guards, alternative, needs, served, space, other)
            access = Access(
                kernel=self.specialization.kernel,
                specialization=self.specialization,
                space=space,
                op=operation,
                bytes=width,
                expression=quoting.written(self.sources, span) or self.text(span),
                span=span,
                memory=base.memory,
                stride=texts[0],
                strides=(numbers[0], numbers[1], numbers[2]),
                stride_texts=(texts[0], texts[1], texts[2]),
                lanes=result.lanes,
                guard=tuple(guard.condition.text for guard in site.guards),
                loops=self._loop_strides(offset),
                field=place.field,
                provenance=(*provenance(place.trace), *self.calls()),
                exact=result.exact,
                aligned_if=result.aligned_if,
                assumed=result.assumed,
                symbolic=result.symbolic,
                open=names,
                lacking=needs,
                permuted=result.permuted,
                unknown=result.unknown,
                data_dependent=result.data_dependent,
                index_load=result.index_load,
                offset_bytes=constant,
                piece=piece,
                common=common(self.algebra, self.printer, offset),
                service=given.service,
                partner=given.partner,
                since=given.since,
                atomic=given.atomic,
                aggregate=place.type if isinstance(place.type, ir.Record) and (piece[1] > 1 or place.used) else None,
                model=model,
                not_portable=why,
                executions=None if alternative or given.service is Service.SPINNING else executions,
            )
            key: tuple[object, ...] = (
                *(span, operation, space, width, piece, base.memory.name, offset, result.unknown, alternative),
                tuple(g.condition.value for g in site.guards),
            )
            if len(self.accesses) >= MAX_ACCESSES:
                raise TooLarge
            before = self.accesses.setdefault(key, access)
            if before is not access and before.executions is not None and access.executions is not None:
                self.accesses[key] = replace(before, executions=before.executions + access.executions)

    def _lanes(self, site: Site, place: Lvalue, width: int, space: Space) -> list[LaneResult]:
        assert self.model is not None
        assert isinstance(place.address, Address)
        base, offset = place.address.base, place.address.offset
        if width == 0:
            reason = place.type.reason if isinstance(place.type, ir.Other) else ""
            return [LaneResult(None, unknown=reason or "the type of the element is not known")]
        if base.region is Region.UNKNOWN or base.level is not Level.UNIFORM:
            reason = base.reason or "a pointer that could not be followed"
            loaded = base.data_dependent or base.level >= Level.LOADED
            return [LaneResult(None, unknown=reason, data_dependent=loaded)]
        if not is_countable(base, space, width):
            return [LaneResult(None)]
        results = self.model.lanes(offset, site.conditions(), sectors=space is Space.GLOBAL, width=width)
        if space is Space.SHARED:
            return [banks_known(result) for result in results]
        return results

    def _loop_strides(self, offset: Poly) -> tuple[LoopStride, ...]:
        found = []
        for loop, counter, trips, variable in self.loops:
            if counter is None:
                continue
            atom = self.algebra.atoms_of(counter)[0]
            values = self._values_of(variable, counter, trips)
            if any(
                inner is atom
                for other in self.algebra.atoms_of(offset)
                for o in other.operands
                for inner in self.algebra.closure(o)
            ):
                found.append(LoopStride(atom.name, None, "?", trips, loop.span, values))
                continue
            step = self.algebra.difference(offset, atom)
            number, text = self.algebra.number(step), self.printer.text(step)
            found.append(LoopStride(atom.name, number, text, trips, loop.span, values))
        return tuple(found)

    def _values_of(self, variable: Poly | None, counter: Poly, trips: int | None) -> tuple[int, ...]:
        """What a loop's variable holds in each iteration, the same for all threads; empty where that is not known."""
        if variable is None or trips is None or trips > MAX_VALUES or self.model is None:
            return ()
        key = (variable, counter)
        if key not in self._values:
            self._values[key] = in_iterations(self.algebra, variable, self.algebra.atoms_of(counter)[0], trips)
        return self._values[key]
