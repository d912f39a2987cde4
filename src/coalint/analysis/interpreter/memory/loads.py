"""Loads: the value that is read at an lvalue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly, Sharing
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.values import (
    Address,
    AggregateValue,
    Base,
    Cell,
    PointerSelect,
    Region,
    Value,
)
from coalint.analysis.interpreter.effects import escape
from coalint.core import ir
from coalint.core.facts.access import Operation

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

_SETTLED = -1
"""Stands for the state of memory in what a shared variable holds that nothing changes any more."""
_NO_CELLS: Mapping[int, Cell] = {}


def load(state: State, place: Lvalue, e: ir.Expression | None) -> Value:
    """Return the value at a place; `e` is the access as written, None where it is not recorded."""
    if isinstance(place.address, PointerSelect):
        return _select_loaded(state, place, e)
    address, type_ = place.address, place.type
    base = address.base
    if base.region is Region.LOCAL:
        name = _called(state, e) if e is not None else base.memory.name
        if place.bit_bytes:
            return bit_field(state, place, address, name)
        value, definition = state.store.read(base.storage, address.offset, type_, name, place.within)
        if isinstance(type_, ir.Pointer) and isinstance(value, Polynomial):
            mark_pointers_escaped(state, base.storage)
        if definition is not None:
            state.trace.append(definition)
        return value
    if e is not None:
        state.recorder.access(state, place, Operation.LOAD, e)
    return loaded(state, place, e)


def held_number(state: State, e: ir.Name) -> Poly | None:
    """Return what a variable of the function holds where that is a number as it was written, as `load` does.

    None for all else. Most names are of such variables.
    """
    variable = e.variable
    type_, storage = variable.type, state.frame.find(variable.key)
    if not isinstance(storage, int) or not isinstance(type_, ir.Integer | ir.Floating):
        return None
    cell = state.store.cells.get(storage, _NO_CELLS).get(0)
    if cell is None or cell.size != type_.size or not isinstance(cell.value, Polynomial):
        return None
    if state.store.is_float(cell.value) is not isinstance(type_, ir.Floating):
        return None
    if cell.definition is not None:
        state.trace.append(cell.definition)
    return cell.value


def _called(state: State, e: ir.Expression) -> str:
    """Return what messages call a value: as it is written, or a variable that a macro writes by its name."""
    written = state.text_of(e)
    if isinstance(e, ir.Name) and (e.variable.is_component or not written.endswith(e.variable.name)):
        return e.variable.name or written
    return written


def loaded(state: State, place: Lvalue, e: ir.Expression | None) -> Value:
    """Return the value that a load from memory gives: unknown, and as uniform as its address."""
    assert isinstance(place.address, Address)
    address, type_ = place.address, place.type
    if address.base.initial >= 0 and isinstance(type_, ir.Integer):
        known = state.store.known_element(address.base.initial, address.offset, type_)
        if known is not None:
            return known
    level = max(address.base.level, state.algebra.level(address.offset))
    written = state.recorder.unsynchronised.since(address) if level is Level.UNIFORM else None
    level = level if level is Level.UNIFORM and written is None else Level.LOADED
    name = state.text_of(e) if e is not None else address.base.memory.name
    age = _SETTLED if written is None and state.settled.holds(e) else state.epoch
    key = ("load", address.base, address.offset, type_, age)
    if isinstance(type_, ir.Floating):
        operands = (address.offset, *_pointer_operands(state, address.base))
        return state.store.loaded_float(name, level, key, operands)
    operands = (address.offset, *_pointer_operands(state, address.base))
    if isinstance(type_, ir.Pointer):
        reason = f"pointer loaded from memory (`{name}`)" if level else ""
        return state.store.pointer(name, type_, level, key, reason, loaded_at=() if written else operands)
    race = "" if written is None else f"`{name}` is read with no barrier since line {written.line} has written it"
    atom = state.algebra.atom(AtomKind.LOAD, name, level, key=key, operands=operands, sharing=Sharing(varies=race))
    if isinstance(type_, ir.Record | ir.Array):
        return AggregateValue({}, atom)
    return atom


def name_settled(state: State, loop: ir.Loop) -> None:
    """Load what a loop reads of shared variables that nothing changes any more, so that it is known before the loop."""
    for use in state.settled.inside(loop):
        place = state.place(use)
        if isinstance(place.address, Address):
            loaded(state, place, use)


def loaded_from(state: State, base: Base, type_: ir.Type, value: Value) -> Poly | None:
    """Return the offset from which a value was loaded from an array, in bytes, if nothing was stored since; else None.

    Only loads of values of that type count.
    """
    atoms = state.algebra.atoms_of(value) if isinstance(value, Polynomial) else []
    if len(atoms) != 1 or atoms[0].kind is not AtomKind.LOAD or not atoms[0].operands:
        return None
    operands = atoms[0].operands
    key: tuple[object, ...] = ("load", base, operands[0], type_, state.epoch)
    key = ("float", *key) if isinstance(type_, ir.Floating) else key
    return operands[0] if state.algebra.made(AtomKind.LOAD, key, operands) == value else None


def _pointer_operands(state: State, base: Base) -> tuple[Poly, ...]:
    """Return a pointer that differs between threads as an operand of what is loaded through it."""
    if base.level is Level.UNIFORM:
        return ()
    if base.loaded_at:
        key = ("pointer", base)
        return (state.algebra.atom(AtomKind.LOAD, base.memory.name, base.level, key=key, operands=base.loaded_at),)
    varies = f"`{base.memory.name}` points elsewhere in each thread" if base.data_dependent else ""
    name, key = base.memory.name, ("pointer", base)
    return (
        state.algebra.atom(
            AtomKind.OPAQUE, name, base.level, key=key, reason=base.reason, sharing=Sharing(varies=varies)
        ),
    )


def _select_loaded(state: State, place: Lvalue, e: ir.Expression | None) -> Value:
    """Return the value at one of several places, each loaded under its condition."""
    values: list[tuple[Poly, Value]] = []
    for condition, side in state.sides(place.address, e.span if e is not None else None):
        values.append((condition, state.load(replace(place, address=side), e)))
    result = values[-1][1]
    for condition, value in reversed(values[:-1]):
        result = state.store.select(condition, value, result)
    return result


def bit_field(state: State, place: Lvalue, address: Address, name: str, value: Value | None = None) -> Poly:
    """Return a bit-field of a variable, or its bytes after `value` is stored in it; only the level is followed."""
    type_ = ir.Array(ir.Integer(8, False), place.bit_bytes)
    level = max(
        state.store.level(state.store.read(address.base.storage, address.offset, type_, name)[0]),
        state.store.level(value),
    )
    return state.algebra.opaque(name, level, f"`{name}` is a bit-field, and these are not followed")


def mark_pointers_escaped(state: State, storage: int) -> None:
    """Mark every pointer in a variable as one that may be used in ways that are not followed."""
    for cell in state.store.cells.get(storage, {}).values():
        escape.mark_escaped(state, cell.value)
