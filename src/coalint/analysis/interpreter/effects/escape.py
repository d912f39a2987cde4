"""What code that is not followed may change: the variables that a pointer, object or lambda given to it leads to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Frame, Lvalue
from coalint.analysis.domain.store.extents import WHOLE
from coalint.analysis.domain.values import Address, AggregateValue, Cell, Closure, PointerSelect, Region, Value
from coalint.analysis.interpreter.calls.lambdas import seen
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

_LVALUES = (ir.Name, ir.Member, ir.Subscript, ir.Dereference)


class StoreThroughUnknownPointer(Exception):
    """A write through a pointer that may lead to a variable, in a kernel whose loops were not looked at for such."""


def havoc_arguments(state: State, e: ir.Call, reason: str) -> list[tuple[ir.Expression, Value]]:
    """Return the arguments of a call that is not followed, and their values; it may have changed what they lead to."""
    given: list[tuple[ir.Expression, Value]] = []
    lost: set[int] = set()
    receiver = () if e.receiver is None else ((ir.RECEIVER, e.receiver),)
    for position, argument in (*enumerate(e.arguments), *receiver):
        value, by_reference = _given(state, e, position, argument)
        given.append((argument, value))
        if by_reference is not None:
            lost |= reached(state, by_reference)
        elif position not in e.keeps:
            lost |= reached(state, value)
    level = max((state.store.level(value) for _, value in given), default=Level.UNIFORM)
    _forget(state, lost, e.name, level, reason)
    state.escaped |= lost
    return given


def havoc_globals(state: State, e: ir.Call, reason: str) -> None:
    """Forget the host's global variables where a call may be of a function of the program that is not seen.

    One that no header declares is taken to be a library's: it changes only what the program itself assigns to.
    """
    if state.recorder.model is not None or not (e.foreign or e.reason or e.callee is not None):
        return
    state.is_changed_outside = state.is_changed_outside or e.foreign
    lost = set[int]()
    for key, base in state.globals.items():
        kept = key in state.module.globals and not (e.foreign and key in state.module.linked)
        if base.storage >= 0 and not kept:
            lost.add(base.storage)
    _forget(state, lost, e.name, Level.DIVERGENT, reason)


def _given(state: State, e: ir.Call, position: int, argument: ir.Expression) -> tuple[Value, Lvalue | None]:
    """Return an argument's value, and the variable that it is if the call may change that."""
    if not isinstance(argument, _LVALUES):
        return state.value(argument), None
    is_object = isinstance(argument.type, ir.Record | ir.Array)
    if not is_object and (e.changes is None or position not in e.changes):
        value = state.value(argument)
        return value, state.place(argument) if _may_be_given_back(state, e, argument, value) else None
    place = state.place(argument)
    if not isinstance(place.address, Address) or place.address.base.region is not Region.LOCAL:
        return state.load(place, argument), None
    if e.changes is None or position in e.changes:
        return place.address if is_object else state.load(place, None), place
    return state.load(place, None), None


def _may_be_given_back(state: State, e: ir.Call, argument: ir.Expression, value: Value) -> bool:
    """Whether a number is passed to a function declared nowhere that looks like a place for a result."""
    named = isinstance(argument, ir.Name) and argument.variable.constant is None
    return named and bool(e.reason) and isinstance(value, Polynomial) and state.algebra.number(value) is not None


def reached(state: State, value: Value | Lvalue) -> set[int]:
    """Return the variables (their storages) that a value leads to, at once or by what stands in others."""
    storages: set[int] = set()
    waiting: list[Value | Lvalue] = [value]
    while waiting:
        match waiting.pop():
            case Lvalue(address=address):
                waiting.append(address)
            case Address(base=base) if base.storage >= 0 and base.storage not in storages:
                storages.add(base.storage)
                waiting.extend(cell.value for cell in state.store.cells.get(base.storage, {}).values())
            case PointerSelect(then=then, otherwise=otherwise):
                waiting += [then, otherwise]
            case AggregateValue(cells=cells):
                waiting.extend(cell.value for cell in cells.values())
            case Closure() as closure:
                waiting.extend(_captured(state, closure))
    return storages


def _captured(state: State, closure: Closure) -> Iterator[Lvalue | Address]:
    """Yield where the variables stand that a lambda sees."""
    function = state.module.functions.get(closure.function)
    frame: Frame = closure.frame
    for variable in () if function is None else seen(state, function):
        held = frame.find(variable.key)
        if isinstance(held, int):
            yield state.local(held, variable.name, variable.type)
        elif held is not None:
            yield held
    if frame.receiver is not None:
        yield frame.receiver


def mark_escaped(state: State, value: Value | Lvalue) -> None:
    """Remember that the analysis loses track of a value: a pointer that is not followed may lead where it does."""
    if not isinstance(value, Polynomial):
        state.escaped |= reached(state, value)


def store_through_unknown(state: State, name: str) -> None:
    """Handle a write through a pointer that is not followed: no variable that has escaped is known any more."""
    if state.escaped and not state.may_store_unknown:
        raise StoreThroughUnknownPointer
    reason = f"`{name}` may change it, and where that points is not known"
    _forget(state, state.escaped, name, Level.DIVERGENT, reason)


def _forget(state: State, storages: Iterable[int], name: str, level: Level, reason: str) -> None:
    for storage in storages:
        if storage not in state.store.cells:
            continue  # it ended with the call that it was made in
        unknown = state.algebra.opaque(name, max(level, Level.DIVERGENT), reason)
        state.store.cells[storage] = {WHOLE: Cell(1, unknown)}
