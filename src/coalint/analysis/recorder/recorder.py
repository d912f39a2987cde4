"""What an evaluation finds: accesses, barriers, launches, gaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.values import Address, Base, Region, Value
from coalint.analysis.recorder.barriers import Barriers
from coalint.analysis.recorder.copy_recorder import CopyRecorder
from coalint.analysis.recorder.instructions import Instruction
from coalint.analysis.recorder.service import PLAIN, Manner
from coalint.analysis.recorder.unsynchronised import Unsynchronised
from coalint.analysis.warps.countable import instruction_bytes
from coalint.analysis.warps.model import WarpModel
from coalint.core import ir
from coalint.core.facts.access import Operation, RecordField
from coalint.core.facts.launch import LaunchRecord, Specialization
from coalint.core.facts.slow_paths import SlowPath
from coalint.core.findings import Note
from coalint.core.source.spans import Span
from coalint.machine.nvcc.struct_loads import REGISTER, instructions

if TYPE_CHECKING:
    from coalint.analysis.domain.site import Site


def _narrowed(place: Lvalue, region: Region) -> int:
    """Return the bytes of a load that every nvcc 13 narrows, as part of an integer is all that is used; 0 for others.

    nvcc 13.2 loads single bytes and halves of integers in global memory too; nvcc 13.0 mostly loads a register of
    64-bit ones, and all of smaller ones.
    """
    if region is Region.SHARED:
        return place.narrowed
    if region is not Region.GLOBAL or place.type.size <= REGISTER:
        return 0
    return max(place.narrowed, REGISTER) if place.narrowed else 0


class MemoryTouched(Exception):
    """An access to memory in a run that is of use only without one."""


class Recorder(CopyRecorder):
    """Collects accesses and barriers of a kernel, or launches of a host function (`model` is None then)."""

    __deletable__ = ("unsynchronised", "barriers")  # what mypyc lets `release` delete

    def __init__(
        self,
        algebra: Algebra,
        sources: Mapping[str, list[str]],
        specialization: Specialization | None = None,
        model: WarpModel | None = None,
        threads: tuple[Poly, ...] = (),
    ) -> None:
        super().__init__(algebra, sources, specialization, model, threads)
        self.unsynchronised = Unsynchronised(self)
        self.barriers = Barriers(self, self.unsynchronised, self.order, self.reach)
        self.slow_paths: dict[tuple[int, tuple[Span, ...], bool], SlowPath] = {}
        self.launches: list[LaunchRecord] = []
        self.gaps: dict[Note, None] = {}
        self._told: set[str] = set()
        self._decided: dict[Poly, bool | None] = {}
        self.refuses_accesses = False  # in a run that an access makes useless

    def release(self) -> None:
        """Let go of the parts that refer to the recorder, so that all that it holds is freed at once.

        The collector of garbage would have to find it: thousands of objects for each evaluation.
        """
        del self.order, self.descriptions, self.unsynchronised, self.barriers
        self._made = None

    def gap(self, reason: str, span: Span, *, once: str = "") -> None:
        """Remember what was not analysed; of several for one cause, `once`, the first alone."""
        if once not in self._told:
            self.gaps[Note(reason, self.place_of(span))] = None
        if once:
            self._told.add(once)

    def called(self, site: Site) -> None:
        """Note a call of a function that may touch any memory: no value is kept over it, and nothing is merged."""
        if not site.dry:
            self.order.meetings += 1
            self.supposed_loops.calling |= {around.loop for around in self.loops}
            self.barriers.fence(site)

    def read_table(self, site: Site) -> None:
        """Note that a function reads a table in memory, which any pointer may lead to as far as the compiler knows."""
        if not site.dry:
            self.order.tables += 1
            self.supposed_loops.reading |= {around.loop for around in self.loops}

    def slow_path(self, site: Site, e: ir.Expression, *, has_loop: bool = False) -> None:
        """Note an operation that compilers make a function of, with branches of its own or even a loop."""
        if site.dry or self.model is None:
            return
        at = len(self.accesses), tuple(around.loop.span for around in self.loops), has_loop
        if at not in self.slow_paths:
            self.slow_paths[at] = SlowPath(at[0], self.text(e.span), at[1], has_loop)

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
        """Forget decisions about atoms that are gone."""
        first = len(self.algebra.atoms)
        self._decided = {value: known for value, known in self._decided.items() if value.lies_below(first)}
        self.descriptions.loops.forget()
        self.descriptions.borders.forget_from(first)
        self.uniformity.forget_from(first)

    def maximum(self, value: Poly) -> int | None:
        """Return the largest number among the threads."""
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
        """Record one access, in as many instructions as its size and alignment need; `value` is what is stored.

        Raises MemoryTouched where no access is wanted.
        """
        if self.refuses_accesses:
            raise MemoryTouched
        if site.dry or self.model is None or self.specialization is None:
            return
        own = manner is None or operation is Operation.ATOMIC
        by_loads = manner is not None and manner.by_loads
        self.order.touched(site, place, operation, e, value, own=own, by_loads=by_loads)
        address = self.where(site, place)
        size, width = place.type.size, instruction_bytes(place.type)
        if place.packed and operation is not Operation.ATOMIC:
            width = min(width, place.packed)  # in a packed struct a field may lie anywhere
        narrowed = _narrowed(place, address.base.region) if operation is Operation.LOAD and own else 0
        if narrowed != place.narrowed:
            place = replace(place, narrowed=narrowed)
        size, width = (narrowed, narrowed) if narrowed else (size, width)
        pieces = max(1, size // width) if width else 1
        if pieces > 64:
            pieces = 1
        if place.used and operation is Operation.LOAD and self._partly(site, place, address, e, width, manner):
            return
        for piece in range(pieces):
            at = Address(address.base, address.offset + piece * width, address.steps) if piece else address
            one = place if at is place.address else replace(place, address=at)
            self.record(site, Instruction(one, operation, e, width, (piece + 1, pieces), manner or PLAIN))

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
            at = Address(address.base, address.offset + part.offset, address.steps)
            if place.field is None:
                field = RecordField(
                    record=record.name,
                    record_bytes=record.size,
                    field=part.name,
                    offset=part.offset,
                    bytes=part.size,
                    declared=record.declared,
                    record_align=record.align,
                    is_library=record.layout is ir.Layout.LIBRARY,
                )
            else:
                name, within = ".".join(filter(None, (place.field.field, part.name))), place.field.offset + part.offset
                field = replace(place.field, field=name, offset=within, bytes=part.size)
            one = replace(place, address=at, field=field)
            loaded = Instruction(one, Operation.LOAD, e, part.size, (number, len(parts)), manner or PLAIN)
            self.record(site, loaded)
        return True

    def unfollowed(
        self,
        site: Site,
        address: Address,
        reason: str,
        e: ir.Expression,
        operation: Operation = Operation.LOAD,
        width: int | None = None,
    ) -> None:
        """Record that memory is handed to a function that is not followed.

        `width` is how many bytes a lane moves, where that is known; else they are taken for those of an element.
        """
        if site.dry or self.model is None or self.specialization is None:
            return
        element = address.base.memory.element_bytes if width is None else width
        lost = Base(address.base.region, address.base.memory, Level.DIVERGENT, reason)
        place = Lvalue(Address(lost, site.store.float_divergent), ir.Other("element", element))
        self.record(site, Instruction(place, operation, e, element))
