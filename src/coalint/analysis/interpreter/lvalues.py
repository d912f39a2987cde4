"""Lvalues and memory: where an expression stands, what is loaded from there and stored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.domain.derivations import Definition
from coalint.analysis.domain.frames import Exit, Frame, Lvalue
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.domain.store.part_names import Parts
from coalint.analysis.domain.store.store import Store
from coalint.analysis.domain.values import (
    NOT_FOLLOWED,
    NULL,
    Address,
    AggregateValue,
    Base,
    Closure,
    FunctionValue,
    PointerSelect,
    Region,
    Value,
    replace_base,
    without_null,
)
from coalint.analysis.interpreter.effects import escape
from coalint.analysis.interpreter.effects.used_parts import Uses
from coalint.analysis.interpreter.loops.changed_variables import Assignments
from coalint.analysis.interpreter.loops.pointers.reached import Reached
from coalint.analysis.recorder.recorder import Recorder
from coalint.core import ir
from coalint.core.facts.access import Memory, Operation, RecordField
from coalint.core.source import quoting
from coalint.core.source.spans import Span
from coalint.machine.nvcc.struct_loads import Part

MAX_STEPS = 400_000  # expressions evaluated for one kernel at one specialization


class LvalueEvaluator(ABC):
    """The state of one evaluation, and the places that expressions name.

    `guards` are the conditions of the current statement, outermost first; `exits` the returns, breaks and continues
    that were passed; `trace` the definitions that the expression at hand has read; `dry` suppresses recording.
    """

    def __init__(
        self, module: ir.Module, algebra: Algebra, recorder: Recorder, registers: dict[tuple[str, str], Poly]
    ) -> None:
        self.module = module
        self.assignments = Assignments(module.functions)
        self.uses = Uses(module.functions)
        self.algebra = algebra
        self.recorder = recorder
        self.registers = registers
        self.store = Store(algebra, Parts(module))
        self.frame = Frame("")
        self.guards: tuple[Guard, ...] = ()
        self.exits: list[Exit] = []
        self.trace: list[Definition] = []
        self.alive = True
        self.dry = 0
        self.split = False
        self.epoch = 0
        self.steps = 0
        self.most_steps = MAX_STEPS
        self.depth = 0
        self.globals: dict[str, Base] = {}
        self.global_storages: set[int] = set()
        self.launching: dict[str, bool] = {}
        self.captured: dict[str, tuple[ir.Variable, ...]] = {}  # what lambdas see, by their keys
        self.escaped: set[int] = set()  # variables that pointers may lead to which are not followed
        self.may_store_unknown = True  # whether something may be written through such pointers
        self.discovering = 0  # loops around of which it is found out what they change
        self.reached = Reached()
        self._locals: dict[int, tuple[ir.Type, Address]] = {}

    def begin(self) -> int:
        """Start a statement: what it reads is in `trace` from the returned mark on."""
        if self.depth == 0:
            self.trace.clear()
        return len(self.trace)

    def text(self, span: Span) -> str:
        """The source text of a span, on one line."""
        return self.recorder.text(span)

    def condition_text(self, value: Poly, span: Span) -> str:
        """A condition as it is written, or as its value says where a macro tears it apart."""
        written = quoting.written(self.recorder.sources, span)
        return written or self.recorder.printer.text(value).removeprefix("(").removesuffix(")")

    def under(
        self, value: Poly, span: Span, kind: GuardKind, trace: Sequence[Definition] = (), negate: bool = False
    ) -> None:
        """Add a condition to the guards."""
        text = self.condition_text(value, span)
        if negate:
            value, text = 1 - value, f"!({text})"
        self.guards = (*self.guards, Guard(Condition(value, text), kind, span, tuple(trace)))

    def conditions(self) -> list[Condition]:
        """The guards' conditions."""
        return [guard.condition for guard in self.guards]

    def place(self, e: ir.Expression) -> Lvalue:
        """Where an lvalue stands."""
        mark = len(self.trace)
        place = self._place(e)
        trace = tuple(dict.fromkeys(self.trace[mark:]))
        return replace(place, trace=trace) if trace and trace != place.trace else place

    def _place(self, e: ir.Expression) -> Lvalue:
        match e:
            case ir.Name():
                return self._variable(e)
            case ir.Subscript():
                return self._subscript(e)
            case ir.Dereference():
                pointer = self.value(e.pointer)
                return Lvalue(self.as_address(pointer, e.pointer), e.type)
            case ir.Member():
                return self._member(e)
            case ir.Builtin() if (e.register, e.axis) not in self.registers:
                return self._register(e)
            case ir.Cast():
                inner = self.place(e.operand) if not isinstance(e.operand.type, ir.Pointer) else None
                if inner is not None:
                    return Lvalue(inner.address, e.type, inner.field)
            case ir.Assign():
                return self.assign(e)
            case ir.Increment() if e.prefix:
                self.increment(e)
                return self.place(e.target)
            case ir.Call():
                return self._called(e)
            case ir.Conditional():
                return self._conditional_place(e)
            case ir.Sequence() if e.value is not None:
                for statement in e.statements:
                    self.execute(statement)
                return self.place(e.value)
        return self.temporary(self.value(e), e.type)

    def _called(self, e: ir.Call, used: tuple[Part, ...] = ()) -> Lvalue:
        result = self.called(e, used)
        return result if isinstance(result, Lvalue) else self.temporary(result, e.type)

    def _register(self, e: ir.Builtin) -> Lvalue:
        """A special register as a whole (`uint3 t = threadIdx`): a variable that holds its three components."""
        storage = self.store.new()
        for offset, axis in enumerate("xyz"):
            definition = None
            if e.register == "threadIdx":
                span = self.recorder.place_of(e.span)
                definition = Definition(f"`{e.register}.{axis}` differs from lane to lane", span, is_thread=True)
            at = self.algebra.constant(4 * offset)
            self.store.write(storage, at, 4, self.registers[(e.register, axis)], definition)
        return Lvalue(self.local(storage, e.register, e.type), e.type)

    def _conditional_place(self, e: ir.Conditional) -> Lvalue:
        condition = self.condition(e.condition)
        known = self.algebra.number(condition)
        if known is not None:
            return self.place(e.then if known else e.otherwise)
        then, otherwise = self.place(e.then), self.place(e.otherwise)
        address = self.store.select(condition, then.address, otherwise.address)
        assert isinstance(address, Address | PointerSelect)
        return Lvalue(address, e.type)

    def temporary(self, value: Value, type_: ir.Type) -> Lvalue:
        """A fresh variable that holds the value."""
        storage = self.store.new()
        self.store.write(storage, self.algebra.zero, type_.size, value)
        return Lvalue(self.local(storage, "temporary", type_), type_)

    def local(self, storage: int, name: str, type_: ir.Type, span: Span | None = None) -> Address:
        """The address of a local variable."""
        known, address = self._locals.get(storage, (None, None))
        if address is None or known is not type_:
            extents, element = extents_of(type_)
            address = Address(
                Base(Region.LOCAL, Memory(name, element, extents, span), storage=storage), self.algebra.zero
            )
            self._locals[storage] = type_, address
        return address

    def as_address(self, value: Value, e: ir.Expression) -> Address | PointerSelect:
        """The value as a pointer."""
        if isinstance(value, Address | PointerSelect):
            return value
        level = self.store.level(value)
        if isinstance(value, AggregateValue | Closure | FunctionValue):
            return Address(replace_base(NOT_FOLLOWED, level, "a pointer that could not be followed"), self.algebra.zero)
        atoms = self.algebra.atoms_of(value)
        reason = next((atom.reason for atom in atoms if atom.reason), "a pointer that could not be followed")
        loaded = any(atom.kind is AtomKind.LOAD for atom in atoms)
        if loaded and level is not Level.UNIFORM:
            reason = f"pointer loaded from memory (`{self.text(e.span)}`)"
        elif loaded or (level is Level.UNIFORM and all(atom.kind is AtomKind.UNIFORM for atom in atoms) and atoms):
            type_ = e.type
            return self.store.pointer(self.text(e.span), type_, level, ("value", value))
        base = replace_base(NOT_FOLLOWED, level, reason, loaded)
        return Address(base, self.algebra.zero)

    def _variable(self, e: ir.Name) -> Lvalue:
        variable = e.variable
        found = self.frame.find(variable.key)
        if isinstance(found, Lvalue):
            return found
        type_ = variable.type.target if isinstance(variable.type, ir.Reference) else variable.type
        if found is not None:
            return Lvalue(self.local(found, variable.name, type_, variable.span), type_)
        base = self.globals.get(variable.key)
        if base is None:
            extents, element = extents_of(type_)
            region = {
                ir.Storage.SHARED: Region.SHARED,
                ir.Storage.CONSTANT: Region.CONSTANT,
                ir.Storage.GLOBAL: Region.GLOBAL,
            }.get(variable.storage, Region.LOCAL)
            storage = -1
            if region is Region.LOCAL:
                storage = self.store.new()
                self.store.parameters[storage] = variable.name
                self.store.variables[storage] = variable
            dynamic = isinstance(type_, ir.Array) and extents[:1] == (None,)
            memory = Memory(variable.name, element, extents, variable.span, dynamic, variable.type_name)
            base = self.globals[variable.key] = Base(region, memory, storage=storage)
            self.global_storages.add(storage)
        initializer = self.module.globals.get(variable.key)
        if initializer is not None and self.recorder.model is None and not self.store.cells.get(base.storage):
            self.store.write(base.storage, self.algebra.zero, type_.size, self.value(initializer))
        return Lvalue(Address(base, self.algebra.zero), type_)

    def _subscript(self, e: ir.Subscript) -> Lvalue:
        field: RecordField | None = None
        within: tuple[int, int] | None = None
        packed = 0
        array = e.base.operand if isinstance(e.base, ir.Cast) else e.base
        if isinstance(array.type, ir.Array):
            outer = self.place(array)
            address, field, within, packed = outer.address, outer.field, self._extent(outer), outer.packed
        else:
            address = self.as_address(self.value(e.base), e.base)
        index = self.scalar(e.index)
        by = self.distance(self._modulo(index, e.index.type), e.type, e)
        return Lvalue(self.moved(address, by), e.type, field, within=within, packed=packed)

    def _extent(self, array: Lvalue) -> tuple[int, int] | None:
        """The bytes that an index into a local array stays in."""
        if array.within is not None or not isinstance(array.address, Address):
            return array.within
        at = self.algebra.number(array.address.offset) if array.address.base.region is Region.LOCAL else None
        return None if at is None or not array.type.size else (at, at + array.type.size)

    def distance(self, index: Poly, element: ir.Type, e: ir.Expression) -> Poly:
        """The bytes that so many elements take; unknown where their size is, unless they are none."""
        if element.size or index == 0:
            return index * element.size
        while isinstance(element, ir.Array):
            element = element.element
        reason = element.reason if isinstance(element, ir.Other) else ""
        return self.algebra.opaque(
            self.text(e.span), Level.DIVERGENT, reason or "the size of the elements is not known"
        )

    def moved(self, address: Address | PointerSelect, by: Poly) -> Address | PointerSelect:
        """An address some bytes further."""
        if isinstance(address, Address):
            return Address(address.base, address.offset + by)
        then, otherwise = address.then, address.otherwise
        assert isinstance(then, Address | PointerSelect)
        assert isinstance(otherwise, Address | PointerSelect)
        return PointerSelect(address.condition, self.moved(then, by), self.moved(otherwise, by))

    def _modulo(self, index: Poly, type_: ir.Type) -> Poly:
        """An index as pointer arithmetic sees it: modulo 2**64, which is what it is already for 64-bit types."""
        if isinstance(type_, ir.Integer) and not type_.signed and type_.bits < 64:
            return self.algebra.unsigned(index, type_.bits)
        return index

    def _member(self, e: ir.Member) -> Lvalue:
        record = e.object.type
        if isinstance(e.object, ir.Call) and e.offset is not None and e.type.size and not e.bit_bytes:
            outer = self._called(e.object, (Part(e.offset, e.type.size, e.field),))
        else:
            outer = self.place(e.object)
        if e.offset is None:
            base = replace_base(NOT_FOLLOWED, Level.DIVERGENT, f"the layout of `{e.field}`'s struct is not known")
            return Lvalue(Address(base, self.algebra.zero), e.type)
        address = self.moved(outer.address, self.algebra.constant(e.offset))
        if outer.field is not None:
            field = replace(
                outer.field,
                field=f"{outer.field.field}.{e.field}",
                offset=outer.field.offset + e.offset,
                bytes=e.type.size,
            )
        else:
            name = record.name if isinstance(record, ir.Record) else "struct"
            align = record.align if isinstance(record, ir.Record) else 1
            field = RecordField(name, record.size, e.field, e.offset, e.type.size, record_align=align)
        packed = record.align if isinstance(record, ir.Record) and record.size else 0
        packed = min(packed, outer.packed) if packed and outer.packed else packed or outer.packed
        return Lvalue(address, e.type, field, bit_bytes=e.bit_bytes, within=outer.within, packed=packed)

    def load(self, place: Lvalue, e: ir.Expression | None) -> Value:
        """What stands at a place; `e` (None: do not count it) is the access as written."""
        if isinstance(place.address, PointerSelect):
            return self._either_way(place, e)
        address, type_ = place.address, place.type
        base = address.base
        if base.region is Region.LOCAL:
            name = self.text(e.span) if e is not None else base.memory.name
            if place.bit_bytes:
                return self._bits(place, address, name)
            value, definition = self.store.read(base.storage, address.offset, type_, name, place.within)
            if isinstance(type_, ir.Pointer) and isinstance(value, Polynomial):
                self._lose_track(base.storage)
            if definition is not None:
                self.trace.append(definition)
            return value
        if e is not None:
            self.recorder.access(self, place, Operation.LOAD, e)
        return self.loaded(place, e)

    def _lose_track(self, storage: int) -> None:
        """Remember that a pointer may be any of those in a variable."""
        for cell in self.store.cells.get(storage, {}).values():
            escape.mark_escaped(self, cell.value)

    def loaded(self, place: Lvalue, e: ir.Expression | None) -> Value:
        """The value that a load from memory gives: unknown, and as uniform as its address."""
        assert isinstance(place.address, Address)
        address, type_ = place.address, place.type
        level = max(address.base.level, self.algebra.level(address.offset))
        written = self.recorder.unsynchronised.since(address) if level is Level.UNIFORM else None
        level = level if level is Level.UNIFORM and written is None else Level.LOADED
        name = self.text(e.span) if e is not None else address.base.memory.name
        if isinstance(type_, ir.Floating):
            return self.store.floating(level)
        key = ("load", address.base, address.offset, type_, self.epoch)
        if isinstance(type_, ir.Pointer):
            return self.store.pointer(
                name, type_, level, key, f"pointer loaded from memory (`{name}`)" if level else ""
            )
        operands = (address.offset, *self._pointer(address.base))
        race = "" if written is None else f"`{name}` is read with no barrier since line {written.line} has written it"
        atom = self.algebra.atom(AtomKind.LOAD, name, level, key=key, operands=operands, varies=race)
        if isinstance(type_, ir.Record | ir.Array):
            return AggregateValue({}, atom)
        return atom

    def _pointer(self, base: Base) -> tuple[Poly, ...]:
        """A pointer that differs between threads, as an operand of what is loaded through it."""
        if base.level is Level.UNIFORM:
            return ()
        varies = f"`{base.memory.name}` points elsewhere in each thread" if base.data_dependent else ""
        name, key = base.memory.name, ("pointer", id(base))
        return (self.algebra.atom(AtomKind.OPAQUE, name, base.level, key=key, reason=base.reason, varies=varies),)

    def _either_way(self, place: Lvalue, e: ir.Expression | None) -> Value:
        values: list[tuple[Poly, Value]] = []
        for condition, side in self.sides(place.address, e.span if e is not None else None):
            values.append((condition, self.load(replace(place, address=side), e)))
        result = values[-1][1]
        for condition, value in reversed(values[:-1]):
            result = self.store.select(condition, value, result)
        return result

    def sides(self, address: Address | PointerSelect, span: Span | None) -> Iterator[tuple[Poly, Address]]:
        """Where a pointer leads that is dereferenced, each with its condition, which is a guard meanwhile.

        `split` is set where lanes of one warp may go different ways: then no side is the whole instruction.
        """
        address = without_null(address)
        if isinstance(address, Address):
            yield self.algebra.one, address
            return
        guards, split, model = self.guards, self.split, self.recorder.model
        parts = model is not None and not model.same_for_warps(address.condition)
        for side, condition in ((address.then, address.condition), (address.otherwise, 1 - address.condition)):
            assert isinstance(side, Address | PointerSelect)
            if span is not None:
                chosen = Guard(Condition(condition, "the pointer's choice"), GuardKind.BRANCH, span)
                self.guards = (*guards, chosen)
            self.split = split or parts
            for inner, leaf in self.sides(side, span):
                yield self.algebra.both(condition, inner), leaf
            self.guards, self.split = guards, split

    def _bits(self, place: Lvalue, address: Address, name: str, value: Value | None = None) -> Poly:
        """A bit-field of a variable, or the bytes that it lies in with a value in it: only the level is followed."""
        type_ = ir.Array(ir.Integer(8, False), place.bit_bytes)
        level = max(
            self.store.level(self.store.read(address.base.storage, address.offset, type_, name)[0]),
            self.store.level(value),
        )
        return self.algebra.opaque(name, level, f"`{name}` is a bit-field, and these are not followed")

    def write(self, place: Lvalue, value: Value, e: ir.Expression, definition: Definition | None = None) -> None:
        """Store a value at a place; `e` is the lvalue as written."""
        if isinstance(place.address, PointerSelect):
            for condition, side in self.sides(place.address, e.span):
                at = replace(place, address=side)
                kept = value
                if side.base.region is Region.LOCAL:
                    kept = self.store.select(condition, value, self.load(at, None))
                self.write(at, kept, e, definition)
            return
        base = place.address.base
        if base.region is Region.LOCAL:
            if base.storage in self.store.parameters:
                self.store.keep_given(base.storage, place.address.offset, place.type)
            if place.bit_bytes:
                value = self._bits(place, place.address, self.text(e.span), value)
            size = place.bit_bytes or place.type.size
            if isinstance(place.type, ir.Pointer) and self.algebra.number(place.address.offset) is None:
                self._lose_track(base.storage)
                escape.mark_escaped(self, value)
            self.store.write(base.storage, place.address.offset, size, value, definition, place.within)
            return
        if base.region is Region.UNKNOWN and base is not NULL:
            escape.store_through_unknown(self, self.text(e.span))
        escape.mark_escaped(self, value)
        self.epoch += 1
        self.recorder.unsynchronised.wrote(self, place.address, value, e.span)
        self.recorder.access(self, place, Operation.STORE, e, value=value)

    def define(self, span: Span, mark: int, name: str = "") -> Definition | None:
        """A definition from what was read since `mark`; None where threadIdx had no part in it."""
        parents = tuple(dict.fromkeys(self.trace[mark:]))
        if not parents:
            return None
        return Definition(f"`{name}` comes from here" if name else "from here", span, parents) if name else parents[0]

    def definition(self, e: ir.Assign | ir.Increment | ir.Declare, mark: int) -> Definition | None:
        """The step of a derivation that an assignment makes."""
        parents = tuple(dict.fromkeys(self.trace[mark:]))
        if not parents:
            return None
        at = self.recorder.place_of(e.span)
        if at != e.span:  # in coalint's own headers: the user's call stands for all that happens inside
            inside = (parent.parents if parent.span == at else (parent,) for parent in parents)
            parents = tuple(dict.fromkeys(one for some in inside for one in some)) or parents
            if len(parents) == 1:
                return parents[0]
        return Definition(f"`{self.text(at)}`", at, parents)

    # --- what the interpreter of values adds

    @abstractmethod
    def value(self, e: ir.Expression) -> Value:
        """The value of an expression."""

    @abstractmethod
    def scalar(self, e: ir.Expression) -> Poly:
        """The value of an expression that should be a number."""

    @abstractmethod
    def as_scalar(self, value: Value, e: ir.Expression) -> Poly:
        """The value as a number; an opaque one where it is an address or a struct."""

    @abstractmethod
    def kept(self, e: ir.Expression, variable: ir.Variable, frame: Frame) -> Value:
        """What a variable of a call is set to; of a struct in memory only the used parts are read."""

    @abstractmethod
    def partly(self, e: ir.Expression, used: tuple[Part, ...]) -> Value:
        """The value of an expression of which only these parts are used; all where there are none."""

    @abstractmethod
    def combine(
        self, operator: str, left: Value, right: Value, left_type: ir.Type, right_type: ir.Type, e: ir.Expression
    ) -> Value:
        """left operator right, for numbers, floating point and addresses."""

    @abstractmethod
    def condition(self, e: ir.Expression) -> Poly:
        """The truth value of an expression."""

    @abstractmethod
    def execute(self, statement: ir.Statement) -> None:
        """Run one statement, unless every thread has left already."""

    @abstractmethod
    def called(self, e: ir.Call, used: tuple[Part, ...] = ()) -> Value | Lvalue:
        """The result of a call; `used` are the parts that are used of it, none where it may be all."""

    @abstractmethod
    def assign(self, e: ir.Assign) -> Lvalue:
        """Assign, and give the target."""

    @abstractmethod
    def increment(self, e: ir.Increment) -> Value:
        """Increment or decrement, and give the value."""


def extents_of(type_: ir.Type) -> tuple[tuple[int | None, ...], int]:
    """Array extents, outermost first, and the size of the innermost element in bytes."""
    extents: list[int | None] = []
    while isinstance(type_, ir.Array):
        extents.append(type_.count)
        type_ = type_.element
    return tuple(extents), type_.size
