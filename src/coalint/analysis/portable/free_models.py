"""Gives accesses portable models that hold for every block shape, where that is possible."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level
from coalint.analysis.domain.conditions import conjuncts
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.registers import Registers
from coalint.analysis.domain.values import Address
from coalint.analysis.portable.exporter import Exporter
from coalint.analysis.portable.own_models import FEW, _granularities, _in_manner
from coalint.analysis.portable.replay import Replay, agree, named_supposed, named_symbols, settled
from coalint.analysis.recorder.atomics import addressed
from coalint.analysis.recorder.instructions import Instruction
from coalint.analysis.recorder.recorder import Recorder
from coalint.analysis.recorder.service import Manner
from coalint.analysis.warps.counters.plan import Plan
from coalint.analysis.warps.model import WarpModel
from coalint.analysis.warps.results import Basis, GuardPart
from coalint.core import ir
from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.lanes import Service
from coalint.core.facts.portable_model import Model, Node, NotPortable

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.algebra import Algebra
    from coalint.analysis.domain.site import Site
    from coalint.core import ir
    from coalint.core.facts.launch import Specialization
    from coalint.core.source.spans import Span

Key = tuple["Span", Operation, Space, int, tuple[int, int], str]
_NOTHING = Plan({}, 1, frozenset(), False, {}, {}, frozenset())
MOST_THREADS = (1024, 1024, 64)  # of a block in x, y, z (guide, table of technical specifications)


class FreeRecorder(Recorder):
    """Collects models for every block shape: threadIdx and blockDim are known to it by their names alone."""

    def __init__(
        self, algebra: Algebra, sources: dict[str, list[str]], specialization: Specialization, axes: dict[int, Node]
    ) -> None:
        zeros = (algebra.zero,) * 3
        largest = replace(specialization, block=(MOST_THREADS[0], 1, 1))
        super().__init__(algebra, sources, largest, WarpModel(algebra, largest.block, zeros), zeros)
        self.exporter = Exporter(algebra, axes, free=True)
        self.models: dict[Key, list[Model]] = defaultdict(list)

    def copy(self, site: Site, source: Lvalue, target: Lvalue, e: ir.Expression, service: Service) -> bool:
        """Free both ends of an asynchronous copy."""
        self._free_end(site, source, target, Operation.LOAD, e, service)
        self._free_end(site, target, source, Operation.STORE, e, service)
        return True

    def copy_filled(self, site: Site, source: Lvalue, target: Lvalue, e: ir.Expression, service: Service) -> bool:
        """Free what an asynchronous copy reads; what it writes rests on which lanes read, and stays as it is."""
        self._free_end(site, source, target, Operation.LOAD, e, service)
        return True

    def _free_end(
        self, site: Site, place: Lvalue, other: Lvalue, operation: Operation, e: ir.Expression, service: Service
    ) -> None:
        if not site.dry and isinstance(other.address, Address):
            size, manner = place.type.size, Manner(service, since=(8, 0))
            self.record(site, Instruction(place, operation, e, size, manner=manner, other=other.address.offset))

    def record(self, site: Site, instruction: Instruction) -> None:
        """Keep the model of an instruction for every block shape, where it has one."""
        place = instruction.place
        address = place.address
        if not isinstance(address, Address) or address.base.level is not Level.UNIFORM:
            return
        space = instruction.space
        parts = tuple(
            GuardPart(part, condition, followed=False)
            for condition in site.conditions()
            for part in conjuncts(self.algebra, condition.value)
        )
        try:
            basis = Basis(_NOTHING, parts, lambda _: False)
            given = instruction.manner
            atomic = addressed(given.atomic, self.algebra, self.specialization, address.offset, place.trace)
            if atomic != given.atomic and (given.folds or (given.atomic and given.atomic.is_combined)):
                return  # whether lanes are combined is decided by what the block's shape leaves of the address
            given = replace(given, atomic=atomic)
            model = _in_manner(self.exporter.model(address.offset, basis, instruction.other, given.rows), given, space)
        except NotPortable:
            return
        span, name = self.place_of(instruction.expression.span), address.base.memory.name
        key = (span, instruction.operation, space, instruction.width, instruction.piece, name)
        if model not in self.models[key]:
            self.models[key].append(model)


def free_registers(algebra: Algebra, spelling: ir.Spelling) -> tuple[Registers, dict[int, Node]]:
    """Return the thread index and the block extent as atoms, and the nodes that stand for them."""
    registers: Registers = {}
    axes: dict[int, Node] = {}
    for number, (axis, most) in enumerate(zip(ir.AXES, MOST_THREADS, strict=True)):
        index_name, extent_name = (
            spelling.component_of(register, axis) for register in (ir.Register.THREAD_INDEX, ir.Register.BLOCK_EXTENT)
        )
        thread = algebra.atom(AtomKind.THREAD, index_name, Level.DIVERGENT, low=0, high=most - 1)
        extent = algebra.atom(AtomKind.UNIFORM, extent_name, Level.UNIFORM, low=1, high=most)
        registers |= {(ir.Register.THREAD_INDEX, axis): thread, (ir.Register.BLOCK_EXTENT, axis): extent}
        axes |= {algebra.atoms_of(thread)[0].index: ("t", number), algebra.atoms_of(extent)[0].index: ("b", number)}
    return registers, axes


def freed(accesses: Iterable[Access], models: dict[Key, list[Model]]) -> tuple[Access, ...]:
    """Return the accesses with models for every block shape, where these give what was found for the analysed one."""
    return tuple(_freed(access, models) for access in accesses)


def _freed(access: Access, models: dict[Key, list[Model]]) -> Access:
    own = access.portable.model
    if own is None or own.choices:
        return access
    block, hints, given = access.specialization.block, named_symbols(own), named_supposed(own)
    lanes, partner = access.result.lanes, access.served.partner
    if lanes is None or given:
        lanes, partner = Replay(own, block).lanes(dict(own.symbols))
    memory = "" if access.memory is None else access.memory.name
    key = (access.span, access.op, access.space, access.bytes, access.piece, memory)
    alike = _granularities(access.space)
    candidates = [_with_values(candidate, own) for candidate in models.get(key, ())]
    if len(candidates) > 1:  # those of other instructions of the place may fit by chance
        candidates.sort(key=lambda model: not agree(own, model, block))
    for model in candidates:
        for taking in dict.fromkeys((model, _taking(model, own))):
            fits = settled(taking, block, lanes, partner, alike, hints, FEW, given)
            if fits is not None:
                return replace(access, portable=replace(access.portable, model=fits))
    return access


def _taking(model: Model, own: Model) -> Model:
    """Return the model with those conditions taken to hold that the other one takes so."""
    kept = tuple(part for part in model.parts if part.text not in own.taken)
    return replace(model, parts=kept, taken=tuple(dict.fromkeys((*model.taken, *own.taken))))


def _with_values(model: Model, own: Model) -> Model:
    """Return the model with the enumerated numbers of another one, for the same counters in the same order."""
    nodes = list(model.nodes)
    places: dict[str, list[int]] = defaultdict(list)
    for number, node in model.of_kind("c").items():
        places[node[2]].append(number)
    values, weights, weighted = [], [], dict(own.weights)
    for number, numbers in own.values:
        node = own.nodes[number]
        if not places[node[2]]:
            places[node[2]].append(len(nodes))
            nodes.append(("c", -1 - number, *node[2:]))
        place = places[node[2]].pop(0)
        values.append((place, numbers))
        if number in weighted:
            weights.append((place, weighted[number]))
    return replace(model, nodes=tuple(nodes), values=tuple(values), weights=tuple(weights))
