"""What the variables of a thread can hold: stand-ins for what is not known, and what comes from outside the kernel."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import islice

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly, Sharing
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.store.part_names import Parts
from coalint.analysis.domain.store.quantities import Quantity, pointer_name, quantity
from coalint.analysis.domain.values import (
    Address,
    AggregateValue,
    Base,
    Cell,
    Closure,
    FunctionValue,
    PointerSelect,
    Region,
    Value,
)
from coalint.core import ir
from coalint.core.facts.access import Memory

MOST_FLOATS = 1024  # atoms of a kernel up to which loaded floating-point values are told apart


class Outside:
    """Stand-ins for floating-point values, pointers and parameters: the same one for what is the same."""

    def __init__(self, algebra: Algebra, parts: Parts) -> None:
        self.algebra = algebra
        self.parts = parts
        self.variables: dict[int, ir.Variable] = {}  # what the storages are in the source
        self.stated: Mapping[str, int] = {}  # numbers of quantities inside of parameters
        self.multiples: Mapping[str, int] = {}  # what divides those that have no numbers
        self.asked: set[int] = set()  # storages of parameters of which something was read that nothing has written
        self.tables: dict[int, dict[int, Cell]] = {}  # contents of storages that nothing changes, by byte offset
        self._given: dict[tuple[int, int], Cell] = {}  # what stood in parameters before something was written there
        self._pointers: dict[object, Address] = {}
        self.suppositions: dict[int, str] = {}  # about what the pointers in these storages lead to
        self.float_uniform: Poly = algebra.opaque("floating point", Level.UNIFORM, "")
        self.float_divergent: Poly = algebra.opaque("floating point", Level.DIVERGENT, "")
        self.float_loaded: Poly = algebra.opaque("floating point", Level.LOADED, "")
        self.floats = {
            Level.UNIFORM: self.float_uniform,
            Level.DIVERGENT: self.float_divergent,
            Level.LOADED: self.float_loaded,
            Level.EXCHANGED: algebra.opaque("floating point", Level.EXCHANGED, ""),
        }
        self._stand_ins = frozenset(self.floats.values())

    def floating(self, level: Level, *, warp_uniform: bool = False, reason: str = "") -> Poly:
        """Return a floating-point value, of which only the level is followed.

        `warp_uniform` says that the lanes of each warp agree on it; `reason` says why all threads may do so.
        """
        is_plain = level not in (Level.DIVERGENT, Level.LOADED) or not (warp_uniform or reason)
        if is_plain or self.algebra.crowded():
            return self.floats[level]
        sharing, key = Sharing(warp_uniform=warp_uniform), ("float", level, warp_uniform, reason)
        return self.algebra.atom(
            AtomKind.OPAQUE, "floating point", level, key=key, reason=reason, sharing=sharing, is_float=True
        )

    def loaded_float(self, name: str, level: Level, key: tuple[object, ...], operands: tuple[Poly, ...]) -> Poly:
        """Return a floating-point value that was loaded: the same key gives the same one. `operands` are its address.

        In a kernel of many quantities it is one like all others of its level.
        """
        if level is Level.UNIFORM or len(self.algebra.atoms) > MOST_FLOATS:
            return self.floating(level)
        key = ("float", *key)
        return self.algebra.atom(AtomKind.LOAD, name, level, key=key, operands=operands, is_float=True)

    def is_float(self, value: Poly) -> bool:
        """Whether a value stands for a floating-point number."""
        indices = value.indices
        return len(indices) == 1 and (self.algebra.atoms[indices[0]].is_float or value in self._stand_ins)

    def level(self, value: Value | None) -> Level:
        """Whether a value is the same for all threads of the block."""
        if isinstance(value, Polynomial):  # as most are
            return self.algebra.level(value)
        if value is None or isinstance(value, Closure | FunctionValue):
            return Level.UNIFORM
        if isinstance(value, Address):
            return max(value.base.level, self.algebra.level(value.offset))
        if isinstance(value, PointerSelect):
            return max(self.algebra.level(value.condition), self.level(value.then), self.level(value.otherwise))
        inside = max((self.level(cell.value) for cell in value.cells.values()), default=Level.UNIFORM)
        return inside if value.rest is None else max(inside, self.algebra.level(value.rest))

    def doubt(self, values: Iterable[Value]) -> str:
        """Return why values are not known that threads may have alike; empty where some surely differ."""
        reasons: list[str] = []
        pending = [value for value in values if self.level(value) is not Level.UNIFORM]
        if any(value in self._stand_ins for value in pending if isinstance(value, Polynomial)):
            return ""
        while pending:
            value = pending.pop()
            match value:
                case AggregateValue(cells=cells, rest=rest):
                    pending += [*(cell.value for cell in cells.values()), *(() if rest is None else (rest,))]
                case PointerSelect(condition=condition, then=then, otherwise=otherwise):
                    pending += [condition, then, otherwise]
                case Address(offset=offset):
                    pending.append(offset)
                case Polynomial() if self.algebra.level(value) is not Level.UNIFORM:
                    own = [atom for atom in self.algebra.closure(value) if atom.level is not Level.UNIFORM]
                    reason = next((atom.reason for atom in own if atom.reason and not atom.varies), "")
                    if not reason:
                        return ""
                    reasons.append(reason)
        return reasons[0] if reasons else ""

    def unknown(self, type_: ir.Type, name: str, level: Level, reason: str) -> Value:
        """Return a value of a type of which only the level is known."""
        if isinstance(type_, ir.Floating) and not reason:
            return self.floating(level)
        poly = self.algebra.opaque(name, level, reason, is_quoted=True)
        if isinstance(type_, ir.Record | ir.Array):
            return AggregateValue({}, poly)
        return poly

    def _parameter(self, storage: int, offset: Poly, type_: ir.Type, name: str) -> Value:
        """Return a part of a by-value parameter that nothing has written: one unknown for the whole grid."""
        self.asked.add(storage)
        level = self.algebra.level(offset)
        key = ("parameter", storage, offset)
        part = self._quantity(storage, offset, type_)
        if part is not None:
            if part.name in self.stated:
                return self.algebra.constant(self.stated[part.name])
            if part.name in self.multiples:
                divisor = self.multiples[part.name]
                return divisor * self.algebra.atom(AtomKind.UNIFORM, f"({part.name} / {divisor})", level, key=key)
            if part.is_unit_stride:
                return self._supposed(part.name, 1, key)
            name = part.name
        if isinstance(type_, ir.Pointer):
            name = self._pointer_name(storage, offset) or name
            return self.pointer(name, type_, level, key, supposed=self.suppositions.get(storage, ""))
        if isinstance(type_, ir.Record | ir.Array):
            return AggregateValue({}, self.algebra.atom(AtomKind.UNIFORM, name, level, key=(*key, type_.size)))
        if isinstance(type_, ir.Floating):
            return self.floating(level)
        low = 0 if isinstance(type_, ir.Integer) and not type_.signed else None
        high = 1 if isinstance(type_, ir.Integer) and type_.bits == 1 else None
        return self.algebra.atom(AtomKind.UNIFORM, name, level, key=key, low=low, high=high)

    def _pointer_name(self, storage: int, offset: Poly) -> str:
        at, variable = self.algebra.number(offset), self.variables.get(storage)
        return "" if at is None or variable is None else pointer_name(self.parts, variable, at)

    def _quantity(self, storage: int, offset: Poly, type_: ir.Type) -> Quantity | None:
        at, variable = self.algebra.number(offset), self.variables.get(storage)
        if at is None or variable is None or not isinstance(type_, ir.Integer):
            return None
        return quantity(self.parts, variable, at, type_)

    def _supposed(self, name: str, number: int, key: tuple[object, ...]) -> Poly:
        """Return a number that is supposed for a quantity: what rests on it says so."""
        return self.algebra.atom(
            AtomKind.TABLE,
            name,
            Level.UNIFORM,
            key=key,
            operands=(self.algebra.zero,),
            values=(number,),
            low=number,
            high=number,
            supposed=f"`{name}` is {number}",
        )

    def pointer(
        self,
        name: str,
        type_: ir.Type,
        level: Level,
        key: object,
        reason: str = "",
        *,
        supposed: str = "",
        loaded_at: tuple[Poly, ...] = (),
    ) -> Address:
        """Return a pointer that came from outside (a parameter, a field of one): the same key gives the same base."""
        address = self._pointers.get(key)
        if address is None:
            if level is not Level.UNIFORM:
                reason = reason or f"threads may take different pointers (`{name}`)"
            pointee = type_.pointee if isinstance(type_, ir.Pointer) else None
            is_number = isinstance(pointee, ir.Integer | ir.Floating)
            memory = Memory(name, pointee.size if pointee is not None else 1, supposed=supposed, is_number=is_number)
            is_loaded = level is not Level.UNIFORM
            at = loaded_at if is_loaded else ()
            base = Base(Region.GLOBAL, memory, level, reason, data_dependent=is_loaded, loaded_at=at)
            address = self._pointers[key] = Address(base, self.algebra.zero)
        return address

    @property
    def pointer_count(self) -> int:
        """How many pointers from outside are known, for `forget_since`."""
        return len(self._pointers)

    def outside_known(self) -> frozenset[object]:
        """Return the pointers and parameters that were met so far, for `forget_outside`."""
        return frozenset((*self._pointers, *self._given))

    def forget_outside(self, kept: frozenset[object]) -> None:
        """Drop the pointers and what stood in parameters that only a dry run has seen."""
        self._pointers = {key: address for key, address in self._pointers.items() if key in kept}
        self._given = {at: cell for at, cell in self._given.items() if at in kept}

    def forget_since(self, storage: int, pointers: int, kept: Container[int]) -> None:
        """Drop what is known of storages made later and not kept, and the pointers that were met later."""
        self._given = {at: cell for at, cell in self._given.items() if at[0] <= storage or at[0] in kept}
        self._pointers = dict(islice(self._pointers.items(), pointers))

    def given(self) -> Iterator[Value]:
        """Return what parameters held before something was written there."""
        return (cell.value for cell in self._given.values())
