"""Lvalues: the object and the byte offset that an expression names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.derivations import Definition, Step
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.store.extents import WHOLE
from coalint.analysis.domain.values import (
    NOT_FOLLOWED,
    Address,
    Base,
    Cell,
    PointerSelect,
    Region,
    Value,
    replace_base,
)
from coalint.analysis.interpreter.expressions.assignments import assign, increment
from coalint.analysis.interpreter.memory.addresses import distance, pointer_index, told_by_source
from coalint.core import ir
from coalint.core.facts.access import Memory, RecordField
from coalint.machine.nvcc.struct_loads import StructPart

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

_OUT_OF_SIGHT = "the function that it stands in is not followed"


def extents_of(type_: ir.Type) -> tuple[tuple[int | None, ...], int]:
    """Return the extents of an array, outermost first, and the size of the innermost element in bytes."""
    extents: list[int | None] = []
    while isinstance(type_, ir.Array):
        extents.append(type_.count)
        type_ = type_.element
    return tuple(extents), type_.size


def place(state: State, e: ir.Expression) -> Lvalue:
    """Return where an lvalue stands, with the definitions that were read to find it."""
    mark = len(state.trace)
    common = _PLACES.get(type(e))
    place = _place(state, e) if common is None else common(state, e)
    if len(state.trace) == mark:
        return place
    trace = tuple(dict.fromkeys(state.trace[mark:]))
    return place.read_with(trace) if trace != place.trace else place


def _dereferenced(state: State, e: ir.Dereference) -> Lvalue:
    pointer = state.value(e.pointer)
    return Lvalue(state.as_address(pointer, e.pointer), e.type)


def _place(state: State, e: ir.Expression) -> Lvalue:
    match e:
        case ir.Builtin() if (e.register, e.axis) not in state.registers:
            return register(state, e)
        case ir.Cast():
            inner = state.place(e.operand) if not isinstance(e.operand.type, ir.Pointer) else None
            if inner is not None:
                return Lvalue(inner.address, e.type, inner.field)
        case ir.Assign():
            return assign(state, e)
        case ir.Increment() if e.prefix:
            increment(state, e)
            return state.place(e.target)
        case ir.Call():
            return called(state, e)
        case ir.Conditional():
            return conditional(state, e)
        case ir.Sequence() if e.value is not None:
            for statement in e.statements:
                state.execute(statement)
            return state.place(e.value)
    return temporary(state, state.value(e), e.type)


def called(state: State, e: ir.Call, used: tuple[StructPart, ...] = ()) -> Lvalue:
    """Return the object that a call returns: its reference, or a temporary with its value."""
    result = state.called(e, used)
    return result if isinstance(result, Lvalue) else temporary(state, result, e.type)


def register(state: State, e: ir.Builtin) -> Lvalue:
    """Return a special register as a whole (a copy of the thread index): a variable that holds its three components."""
    storage = state.store.new()
    spelling = state.module.spelling
    for offset, axis in enumerate(ir.AXES):
        definition = None
        if e.register is ir.Register.THREAD_INDEX:
            span = state.recorder.place_of(e.span)
            name = spelling.component_of(e.register, axis)
            definition = Definition(name, span, step=Step.THREAD)
        at = state.algebra.constant(4 * offset)
        state.store.write(storage, at, 4, state.registers[(e.register, axis)], definition)
    return Lvalue(state.local(storage, spelling.register(e.register), e.type), e.type)


def conditional(state: State, e: ir.Conditional) -> Lvalue:
    """Return the place that `condition ? a : b` names."""
    condition = state.condition(e.condition)
    known = state.algebra.number(condition)
    if known is not None:
        return state.place(e.then if known else e.otherwise)
    then, otherwise = state.place(e.then), state.place(e.otherwise)
    address = state.store.select(condition, then.address, otherwise.address)
    assert isinstance(address, Address | PointerSelect)
    return Lvalue(address, e.type)


def temporary(state: State, value: Value, type_: ir.Type) -> Lvalue:
    """Return a new variable that holds the value."""
    storage = state.store.new()
    state.store.write(storage, state.algebra.zero, type_.size, value)
    return Lvalue(state.local(storage, "temporary", type_), type_)


def variable(state: State, e: ir.Name) -> Lvalue:
    """Return the place of a variable; global ones are created when they are first named.

    Nothing is known of a function's own variable that no frame has, as of what a lambda captured out of sight.
    """
    variable = e.variable
    local = state.frame.find(variable.key)
    if isinstance(local, Lvalue):
        return local
    type_ = variable.type.target if isinstance(variable.type, ir.Reference) else variable.type
    if local is not None:
        return Lvalue(state.local(local, variable.name, type_, variable.span), type_)
    base = state.globals.get(variable.key)
    if base is None:
        extents, element = extents_of(type_)
        region = {
            ir.Storage.SHARED: Region.SHARED,
            ir.Storage.CONSTANT: Region.CONSTANT,
            ir.Storage.GLOBAL: Region.GLOBAL,
        }.get(variable.storage, Region.LOCAL)
        storage = -1
        if region is Region.LOCAL:
            storage = state.store.new()
            state.store.variables[storage] = variable
            if variable.storage in (ir.Storage.LOCAL, ir.Storage.PARAMETER):
                unknown = state.algebra.opaque(variable.name, Level.LOADED, _OUT_OF_SIGHT)
                state.store.cells[storage] = {WHOLE: Cell(1, unknown)}
            else:
                state.store.parameters[storage] = variable.name
        dynamic = isinstance(type_, ir.Array) and extents[:1] == (None,)
        memory = Memory(variable.name, element, extents, variable.span, dynamic, variable.type_name)
        initial = _table(state, variable.numbers, element)
        base = Base(region, memory, storage=storage, initial=initial, is_named=True)
        state.globals[variable.key] = base
        state.global_storages.add(storage)
    initializer = state.module.globals.get(variable.key)
    if state.is_changed_outside and variable.key in state.module.linked:
        initializer = None
    if initializer is not None and state.recorder.model is None and not state.store.cells.get(base.storage):
        state.store.write(base.storage, state.algebra.zero, type_.size, state.value(initializer))
    return Lvalue(Address(base, state.algebra.zero, 0), type_)


def _table(state: State, numbers: tuple[int, ...], size: int) -> int:
    """Return a storage that holds these numbers of `size` bytes; -1 for none."""
    if not numbers:
        return -1
    storage = state.store.new()
    cells = {size * at: Cell(size, state.algebra.constant(number)) for at, number in enumerate(numbers)}
    state.store.tables[storage] = cells
    return storage


def subscript(state: State, e: ir.Subscript) -> Lvalue:
    """Return the place of an array's element."""
    field: RecordField | None = None
    within: tuple[int, int] | None = None
    packed = 0
    array = e.base.operand if isinstance(e.base, ir.Cast) else e.base
    if isinstance(array.type, ir.Array):
        outer = state.place(array)
        address, field, within, packed = outer.address, outer.field, _array_bytes(state, outer), outer.packed
    else:
        address = state.as_address(state.value(e.base), e.base)
    index = state.scalar(e.index)
    by = distance(state, pointer_index(state, index, e.index.type), e.type, e)
    return Lvalue(
        state.moved(address, by, told_by_source(e.index, e.type.size)), e.type, field, within=within, packed=packed
    )


def _array_bytes(state: State, array: Lvalue) -> tuple[int, int] | None:
    """Return the first and the last byte, exclusive, that an index into a local array stays in."""
    if array.within is not None or not isinstance(array.address, Address):
        return array.within
    at = state.algebra.number(array.address.offset) if array.address.base.region is Region.LOCAL else None
    return None if at is None or not array.type.size else (at, at + array.type.size)


def member(state: State, e: ir.Member) -> Lvalue:
    """Return the place of a struct's field."""
    record = e.object.type
    if isinstance(e.object, ir.Call) and e.offset is not None and e.type.size and not e.bit_bytes:
        outer = called(state, e.object, (StructPart(e.offset, e.type.size, e.field),))
    else:
        outer = state.place(e.object)
    if e.offset is None:
        base = replace_base(NOT_FOLLOWED, Level.DIVERGENT, f"the layout of `{e.field}`'s struct is not known")
        return Lvalue(Address(base, state.algebra.zero), e.type)
    address = state.moved(outer.address, state.algebra.constant(e.offset))
    if outer.field is not None:
        field = replace(
            outer.field,
            field=".".join(filter(None, (outer.field.field, e.field))),
            offset=outer.field.offset + e.offset,
            bytes=e.type.size,
        )
    else:
        name = record.name if isinstance(record, ir.Record) else "struct"
        align = record.align if isinstance(record, ir.Record) else 1
        declared = record.declared if isinstance(record, ir.Record) else ""
        is_library = isinstance(record, ir.Record) and record.layout is ir.Layout.LIBRARY
        field = RecordField(name, record.size, e.field, e.offset, e.type.size, declared, align, is_library)
    packed = record.align if isinstance(record, ir.Record) and record.size else 0
    packed = min(packed, outer.packed) if packed and outer.packed else packed or outer.packed
    return Lvalue(address, e.type, field, bit_bytes=e.bit_bytes, within=outer.within, packed=packed)


# A table for what there is most of: a `match` would try one class after the other.
_PLACES: dict[type, Callable[[State, Any], Lvalue]] = {
    ir.Name: variable,
    ir.Subscript: subscript,
    ir.Dereference: _dereferenced,
    ir.Member: member,
}
