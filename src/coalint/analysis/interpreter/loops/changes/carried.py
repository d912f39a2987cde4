"""The variables that a loop carries from iteration to iteration: those declared outside of it that it assigns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.store.extents import WHOLE
from coalint.analysis.domain.store.structs import UNNAMED
from coalint.analysis.domain.values import Address, AggregateValue, Cell
from coalint.analysis.interpreter.loops.changes.records import Carried, is_floating
from coalint.analysis.interpreter.loops.pointers.members import changed_otherwise
from coalint.analysis.interpreter.loops.pointers.splits import split_up
from coalint.analysis.interpreter.loops.pointers.targets import chosen
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


MAX_ELEMENTS = 32  # of an array that are followed one by one


MAX_MEMBERS = 32  # fields of a struct that are followed one by one


def _has_members(owner: ir.Variable | None) -> bool:
    """Whether parts of what a loop changes may be followed one by one: not what no variable is named for."""
    return owner is None or (isinstance(_target(owner), ir.Record | ir.Array) and not _is_one(owner))


def _is_one(owner: ir.Variable) -> bool:
    """Whether no element is followed: an array of numbers that may be indices, of pointers, or of structs."""
    return isinstance(owner.type, ir.Array) and not is_floating(owner.type)


def _is_large(variable: ir.Variable | None) -> bool:
    """Whether a variable is an array of more numbers than are worth following one by one."""
    type_ = None if variable is None else variable.type
    count = 1
    while isinstance(type_, ir.Array):
        count, type_ = count * (type_.size // max(1, type_.element.size)), type_.element
    return count > MAX_ELEMENTS


def _target(variable: ir.Variable) -> ir.Type:
    return variable.type.target if isinstance(variable.type, ir.Reference) else variable.type


def find_carried(loop: LoopState) -> list[Carried]:
    """Return the variables to follow; arrays of which no element is followed are set to opaque values."""
    state = loop.state
    storages = _assigned_storages(loop)
    if state.recorder.model is not None:
        storages = _split_up(loop, storages)
    carried: list[Carried] = []
    for storage, owner in storages:
        key, name = owner.key if owner is not None else "", _name(loop, storage, owner)
        integer = owner is None or not is_floating(owner.type)
        cells = state.store.cells.get(storage, {})
        if owner is not None and (_is_one(owner) or (integer and len(cells) > MAX_MEMBERS)):
            _collapse(loop, storage, name)
            continue
        for offset, cell in cells.items():
            loop.sizes[storage, offset] = cell.size
            part = _part_name(loop, storage, owner, offset, cell) or name
            carried.append(Carried((storage, offset), key, part, cell.size, cell.value, integer))
    return carried


_Storages = list[tuple[int, ir.Variable | None]]
"""Storages that a loop changes, each with the variable that the loop names it by."""


def _assigned_storages(loop: LoopState) -> _Storages:
    """Return the storages that the loop assigns to by name, and collapse those that calls may change."""
    state = loop.state
    storages: _Storages = []
    for variable in loop.change.variables:
        bound = state.frame.find(variable.key)
        if bound is None and variable.key in state.globals:
            storages.append((state.globals[variable.key].storage, variable))
        elif isinstance(bound, int):
            storages.append((bound, variable))
            state.store.settle(bound, loop.algebra.zero, variable.type)
        elif bound is not None and isinstance(bound.address, Address) and bound.address.base.storage >= 0:
            storages.append((bound.address.base.storage, variable))
            state.store.settle(bound.address.base.storage, bound.address.offset, bound.type)
    if loop.change.through_this and state.frame.receiver is not None:
        address = state.frame.receiver.address
        if isinstance(address, Address) and address.base.storage >= 0:
            storages.append((address.base.storage, None))
    for variable in loop.change.handed:
        bound = state.frame.find(variable.key)
        if isinstance(bound, int):
            _collapse(loop, bound, variable.name)
    handed = {variable.key for variable in loop.change.handed}
    return [pair for pair in dict.fromkeys(storages) if pair[1] is None or pair[1].key not in handed]


def _split_up(loop: LoopState, storages: _Storages) -> _Storages:
    """Add the storages that are changed through pointers, split structs into parts, and collapse what is too large."""
    variables = loop.state.store.variables
    storages = [*storages, *((other, None) for other in changed_otherwise(loop, [storage for storage, _ in storages]))]
    loop.put({slot: chosen(loop, slot) for slot in loop.leads})
    names = {storage: _name(loop, storage, owner) for storage, owner in storages}
    large = {storage for storage, owner in storages if _is_large(owner or variables.get(storage))}
    for storage in large:
        _collapse(loop, storage, names[storage])
    storages = [(storage, owner) for storage, owner in storages if storage not in large]
    small = dict.fromkeys(storage for storage, _ in storages)
    structs = [storage for storage, owner in storages if _has_members(owner)]
    for storage in split_up(loop, list(small), structs):
        _collapse(loop, storage, names[storage])
    return storages


def _name(loop: LoopState, storage: int, owner: ir.Variable | None) -> str:
    """Return what a variable is called: `this` points to one, and pointers and lambdas lead to some."""
    if owner is not None:
        return owner.name
    variable = loop.state.store.variables.get(storage)
    return UNNAMED if variable is None else variable.name


def _part_name(loop: LoopState, storage: int, owner: ir.Variable | None, at: int, cell: Cell) -> str:
    """Return what a part of it is called, by the name of the reference where the loop knows it as one."""
    store, held = loop.state.store, None if owner is None else loop.state.frame.find(owner.key)
    if owner is not None and isinstance(held, Lvalue) and isinstance(held.address, Address) and at != WHOLE:
        begin = loop.algebra.number(held.address.offset)
        if begin is not None and begin <= at and at + cell.size <= begin + held.type.size:
            struct = isinstance(cell.value, AggregateValue)
            return owner.name + store.parts.path(held.type, at - begin, cell.size, struct=struct)
    return store.called(storage, at, cell) if storage in store.variables else ""


def _collapse(loop: LoopState, storage: int, name: str) -> None:
    """Forget the elements of a local array that the loop changes."""
    store = loop.state.store
    level = max((store.level(cell.value) for cell in store.cells.get(storage, {}).values()), default=Level.UNIFORM)
    reason = f"`{name}` changes in a loop in a way that is not followed"
    whole = loop.algebra.opaque(name, max(level, Level.DIVERGENT), reason)
    store.cells[storage] = {WHOLE: Cell(4, whole)}
