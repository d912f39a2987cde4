"""Calls: bodies are evaluated in place, intrinsics by their meaning, the rest as unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.frames import Frame, Lvalue
from coalint.analysis.domain.guards import GuardKind
from coalint.analysis.domain.values import Address, Closure, FunctionValue, Region, Value
from coalint.analysis.interpreter.calls.inlining import inline
from coalint.analysis.interpreter.calls.intrinsics import intrinsic
from coalint.analysis.interpreter.calls.unknown_calls import opaque
from coalint.core import ir
from coalint.machine.nvcc.struct_loads import StructPart

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def call(state: State, e: ir.Call, used: tuple[StructPart, ...] = ()) -> Value | Lvalue:
    """Return the result of a call: a value, or the place that a returned reference is bound to.

    `used` are the parts of it that are used; all where there are none.
    """
    if e.callee is not None:
        target = state.value(e.callee)
        if isinstance(target, Closure):
            return inline(state, e, target.function, None, target.frame, used)
        if isinstance(target, FunctionValue) and target.function and not target.unless:
            return inline(state, e, target.function, None, None, used)
        if isinstance(target, FunctionValue) and target.unless and state.recorder.model is None:
            return _one_of(state, e, target)
        return opaque(state, e, "a call through a pointer that could not be followed")
    if e.function is not None and e.function in state.module.functions:
        receiver, outer = None, None
        if e.constructor:
            receiver = state.place(e.receiver) if e.receiver is not None else _fresh(state, e)
        elif e.receiver is not None:
            receiver, outer = _receiver(state, e.receiver, state.module.functions[e.function])
        result = inline(state, e, e.function, receiver, outer, () if e.constructor else used)
        return receiver if e.constructor and receiver is not None else result
    return intrinsic(state, e, used)


def _one_of(state: State, e: ir.Call, target: FunctionValue) -> Value | Lvalue:
    """Return the result of a call of one of several functions, of which each is evaluated under its condition."""
    if not target.unless:
        if not target.function:
            return state.store.unknown(e.type, e.name, Level.UNIFORM, "")
        return inline(state, e, target.function, None)
    (condition, function), *others = target.unless
    before, guards = state.store.snapshot(), state.guards
    state.under(condition, e.span, GuardKind.BRANCH)
    then = _one_of(state, e, FunctionValue(function))
    after = state.store.cells
    state.store.cells, state.guards = before, guards
    state.under(condition, e.span, GuardKind.BRANCH, negate=True)
    otherwise = _one_of(state, e, FunctionValue(target.function, tuple(others)))
    state.guards = guards
    state.store.cells = state.store.merge(condition, after, state.store.cells)
    if isinstance(then, Lvalue) or isinstance(otherwise, Lvalue):
        return then if isinstance(then, Lvalue) else otherwise
    return state.store.select(condition, then, otherwise)


def _fresh(state: State, e: ir.Call) -> Lvalue:
    storage = state.store.new()
    return Lvalue(state.local(storage, e.name, e.type), e.type)


def _receiver(state: State, e: ir.Expression, called: ir.Function | None) -> tuple[Lvalue | None, Frame | None]:
    """Return the object of a method call; for a lambda, the frame that it captured.

    A lambda's body has no object of its own: a method that has one is called on an object that holds a lambda.
    """
    place = state.place(e)
    is_method = called is not None and called.receiver is not None
    if not is_method and isinstance(place.address, Address) and place.address.base.region is Region.LOCAL:
        held, _ = state.store.read(place.address.base.storage, place.address.offset, place.type, "")
        if isinstance(held, Closure):
            return None, held.frame
    return place, None
