"""Gives accesses their models: for the block shape that was analysed, and for every other where that is possible."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Kind, Level, Poly
from coalint.analysis.domain.conditions import conjuncts
from coalint.analysis.domain.values import Address, Place
from coalint.analysis.interpreter.calls.atomics import addressed
from coalint.analysis.portable.exporter import Basis, Exporter, without_open
from coalint.analysis.portable.replay import Replay, agree, named_supposed, named_symbols, settled
from coalint.analysis.recorder.recorder import Recorder
from coalint.analysis.recorder.service import PLAIN, Manner
from coalint.analysis.warps.assumed_numbers import ROUNDS, lacking, supposed
from coalint.analysis.warps.countable import SPACES
from coalint.analysis.warps.enumeration import BANK, LINE, SECTOR, Plan
from coalint.analysis.warps.model import LaneResult, WarpModel
from coalint.analysis.warps.quantities import open_names
from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.lanes import Service
from coalint.core.facts.portable_model import Model, Node, NotPortable

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.algebra import Algebra
    from coalint.analysis.domain.conditions import Condition
    from coalint.analysis.interpreter.lvalues import Places
    from coalint.core import ir
    from coalint.core.facts.lanes import Lanes
    from coalint.core.facts.launch import Specialization
    from coalint.core.source.spans import Span

Key = tuple["Span", Operation, Space, int, tuple[int, int], str]
NOTHING_FITS = "no numbers in place of what is not known give the pattern that was found"
TOO_MUCH = "the kernel has too many accesses for that"
FEW, MANY = 8, 40  # tries of numbers
PER_NODE = 2000  # lanes that take as long as a node does by itself
MOST_WORK = 100_000_000  # nodes times lanes of one kernel: some ten seconds
_NOTHING = Plan({}, 1, frozenset(), False, {}, {}, frozenset())
MOST_THREADS = (1024, 1024, 64)  # of a block in x, y, z (guide, table of technical specifications)


class OwnModels:
    """Models for the block shape that is analysed."""

    def __init__(self, warps: WarpModel, threads: Sequence[Poly]) -> None:
        self.warps = warps
        self.block = warps.block
        self.threads = threads
        self.hints: dict[str, int] = {}
        self.work = 0
        self.exporter = Exporter(warps.algebra, _axes(warps.algebra, "t", threads))

    def of(
        self, offset: Poly, result: LaneResult, manner: Manner, space: Space, other: Poly | None
    ) -> tuple[Model | None, str]:
        """The model of an access, or why there is none; neither where its lanes are not known."""
        if result.lanes is None or result.basis is None:
            return None, ""
        try:
            found = self._fitting(offset, result.basis, result.lanes, manner, space, other)
        except NotPortable as reason:
            return None, str(reason)
        self.hints |= named_symbols(found)
        return found, ""

    def supposing(
        self,
        offset: Poly,
        conditions: Sequence[Condition],
        alternative: int,
        lacks: Sequence[str],
        manner: Manner,
        space: Space,
        other: Poly | None,
    ) -> Model | None:
        """The model of an access with numbers supposed for what it lacks.

        It gives what an analysis with these numbers gives. None where that does not know the lanes either. Of patterns
        between which a condition chooses it is that of the number `alternative`. A copy has an `other` end.
        """
        algebra = self.warps.algebra
        names = {
            *open_names(algebra, offset, conditions),
            *(open_names(algebra, other, ()) if other is not None else ()),
        }
        given: dict[str, int] = {}
        for _ in range(ROUNDS):
            given |= {name: supposed(space) for name in lacks}
            warps = WarpModel(algebra, self.block, self.threads, {**self.warps.given, **given})
            if other is not None:
                ends = (offset, other) if space is Space.GLOBAL else (other, offset)
                pair = warps.pair(*ends, conditions, by_lines=manner.service is Service.BYPASS)
                if pair is None:
                    return None
                result, end = pair if space is Space.GLOBAL else pair[::-1]
                manner = replace(manner, partner=end.lanes)
                break
            results = warps.lanes(offset, conditions, sectors=space is Space.GLOBAL)
            result = results[min(alternative, len(results) - 1)]
            lacks = [name for name in lacking(algebra, offset, result, names) if name not in given]
            if not lacks:
                break
        if not given.keys() <= names:
            return None  # an expression that holds what is not known by name
        if result.lanes is None or result.basis is None or result.lanes.groups is not None:
            return None
        served, result = manner.of(result, space)
        assert result.lanes is not None
        assert result.basis is not None
        try:
            return self._fitting(offset, result.basis, result.lanes, served, space, other, given)
        except NotPortable:
            return None

    def _fitting(
        self,
        offset: Poly,
        basis: Basis,
        lanes: Lanes,
        manner: Manner,
        space: Space,
        other: Poly | None,
        given: Mapping[str, int] | None = None,
    ) -> Model:
        """A model of these lanes, with the numbers that are given. Raises NotPortable."""
        alike = _granularities(space)
        whole, usual = (
            _in_manner(self.exporter.model(offset, basis, other, manner.rows, keep_open=keep), manner, space)
            for keep in (True, False)
        )
        candidates = tuple(dict.fromkeys((whole, usual, without_open(usual, basis))))
        for candidate in candidates:
            if self.work > MOST_WORK:
                raise NotPortable(TOO_MUCH)
            self.work += len(candidate.nodes) * (PER_NODE + lanes.offsets.size)
            most = MANY if candidate is candidates[-1] else FEW
            found = settled(candidate, self.block, lanes, manner.partner, alike, self.hints, most, given)
            if found is not None:
                return found
        raise NotPortable(NOTHING_FITS)


class FreeRecorder(Recorder):
    """Collects models for every block shape: threadIdx and blockDim are known to it by their names alone."""

    def __init__(
        self, algebra: Algebra, sources: dict[str, list[str]], specialization: Specialization, axes: dict[int, Node]
    ) -> None:
        zeros = (algebra.zero,) * 3
        largest = replace(specialization, block=(MOST_THREADS[0], 1, 1))
        super().__init__(algebra, sources, largest, WarpModel(algebra, largest.block, zeros), zeros)
        self.exporter = Exporter(algebra, axes, free=True)
        self.found: dict[Key, list[Model]] = defaultdict(list)

    def copy(self, run: Places, source: Place, target: Place, e: ir.Expression, service: Service) -> bool:
        """Both ends of an asynchronous copy."""
        if not run.dry:
            ends = ((source, target, Operation.LOAD), (target, source, Operation.STORE))
            for place, other, operation in ends:
                if isinstance(other.address, Address):
                    size, manner = place.type.size, Manner(service, folds=False, since=(8, 0))
                    self._record(run, place, operation, e, size, (1, 1), manner, other=other.address.offset)
        return True

    def _record(
        self,
        run: Places,
        place: Place,
        operation: Operation,
        e: ir.Expression,
        width: int,
        piece: tuple[int, int],
        manner: Manner | None = None,
        found: list[LaneResult] | None = None,
        other: Poly | None = None,
        lacks: tuple[str, ...] = (),
    ) -> None:
        address = place.address
        if not isinstance(address, Address) or address.base.level is not Level.UNIFORM:
            return
        space = Space.GLOBAL if address.base.data_dependent else SPACES[address.base.region]
        parts = tuple(
            (part, condition, False)
            for condition in run.conditions()
            for part in conjuncts(self.algebra, condition.value)
        )
        try:
            basis = Basis(_NOTHING, parts, lambda _: False)
            given = manner or PLAIN
            atomic = addressed(given.atomic, self.algebra, self.specialization, address.offset, place.trace)
            if atomic != given.atomic and (given.folds or (given.atomic and given.atomic.is_combined)):
                return  # whether lanes are combined is decided by what the block's shape leaves of the address
            given = replace(given, atomic=atomic)
            model = _in_manner(self.exporter.model(address.offset, basis, other, given.rows), given, space)
        except NotPortable:
            return
        key = (self.place_of(e.span), operation, space, width, piece, address.base.memory.name)
        if model not in self.found[key]:
            self.found[key].append(model)


def free_registers(algebra: Algebra) -> tuple[dict[tuple[str, str], Poly], dict[int, Node]]:
    """threadIdx and blockDim as atoms, and the nodes that stand for them."""
    registers: dict[tuple[str, str], Poly] = {}
    axes: dict[int, Node] = {}
    for axis, (name, most) in enumerate(zip("xyz", MOST_THREADS, strict=True)):
        thread = algebra.atom(Kind.THREAD, f"threadIdx.{name}", Level.DIVERGENT, low=0, high=most - 1)
        extent = algebra.atom(Kind.UNIFORM, f"blockDim.{name}", Level.UNIFORM, low=1, high=most)
        registers |= {("threadIdx", name): thread, ("blockDim", name): extent}
        axes |= {algebra.atoms_of(thread)[0].index: ("t", axis), algebra.atoms_of(extent)[0].index: ("b", axis)}
    return registers, axes


def freed(accesses: Iterable[Access], found: dict[Key, list[Model]]) -> tuple[Access, ...]:
    """The accesses with models for every block shape, where these give the same for the one that was analysed."""
    return tuple(_freed(access, found) for access in accesses)


def _freed(access: Access, found: dict[Key, list[Model]]) -> Access:
    own = access.model
    if own is None or own.choices:
        return access
    block, hints, given = access.specialization.block, named_symbols(own), named_supposed(own)
    lanes, partner = access.lanes, access.partner
    if lanes is None or given:
        lanes, partner = Replay(own, block).lanes(dict(own.symbols))
    memory = "" if access.memory is None else access.memory.name
    key = (access.span, access.op, access.space, access.bytes, access.piece, memory)
    alike = _granularities(access.space)
    candidates = [_with_values(candidate, own) for candidate in found.get(key, ())]
    if len(candidates) > 1:  # those of other instructions of the place may fit by chance
        candidates.sort(key=lambda model: not agree(own, model, block))
    for model in candidates:
        for taking in dict.fromkeys((model, _taking(model, own))):
            fits = settled(taking, block, lanes, partner, alike, hints, FEW, given)
            if fits is not None:
                return replace(access, model=fits)
    return access


def _granularities(space: Space) -> tuple[int, ...]:
    """Bytes that lanes may be moved by all together without another cost: whole lines at best."""
    return (LINE, SECTOR) if space is Space.GLOBAL else (LINE, BANK)


def _taking(model: Model, own: Model) -> Model:
    """The model with those conditions taken to hold that the other one takes so."""
    kept = tuple(part for part in model.parts if part.text not in own.taken)
    return replace(model, parts=kept, taken=tuple(dict.fromkeys((*model.taken, *own.taken))))


def _with_values(model: Model, own: Model) -> Model:
    """The model with the enumerated numbers of another one, for the counters of the same names in the same order."""
    nodes = list(model.nodes)
    places: dict[str, list[int]] = defaultdict(list)
    for number, node in model.of_kind("c").items():
        places[node[2]].append(number)
    values = []
    for number, numbers in own.values:
        node = own.nodes[number]
        if not places[node[2]]:
            places[node[2]].append(len(nodes))
            nodes.append(("c", -1 - number, *node[2:]))
        values.append((places[node[2]].pop(0), numbers))
    return replace(model, nodes=tuple(nodes), values=tuple(values))


def _in_manner(model: Model, manner: Manner, space: Space) -> Model:
    copied = manner.service in (Service.COPY, Service.BYPASS)
    there = manner if copied else manner.in_space(space)
    combined = there.atomic.is_combined if there.atomic is not None else None
    first = bool(combined) and there.service in (Service.PLAIN, Service.TURNS) and not there.least
    return replace(model, service=there.service, folds=there.folds and combined is None, combined=first)


def _axes(algebra: Algebra, kind: str, values: Sequence[Poly]) -> dict[int, Node]:
    return {
        algebra.atoms_of(value)[0].index: (kind, axis) for axis, value in enumerate(values) if algebra.atoms_of(value)
    }
