"""Expressions without operators: literals, registers, addresses of objects, aggregates, and what is not analysed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain import fractions
from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.derivations import Definition, Step
from coalint.analysis.domain.values import (
    NULL,
    Address,
    AggregateValue,
    Cell,
    FunctionValue,
    Value,
)
from coalint.analysis.interpreter.effects.escape import mark_escaped
from coalint.analysis.interpreter.host import host
from coalint.analysis.interpreter.memory.derivations import first_read
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def warp_size(state: State, value: Value) -> Value:
    """Return the size of a warp in place of a number that a host reads from a device's properties."""
    unknown = state.recorder.model is None and isinstance(value, Polynomial) and state.algebra.number(value) is None
    return state.algebra.constant(host.WARP) if unknown else value


def non_integer(state: State, e: ir.Literal) -> Value:
    """Return the value of a literal that is no integer: a null pointer or a floating-point number."""
    if isinstance(e.type, ir.Pointer):
        return Address(NULL, state.algebra.zero)
    if e.floating is not None:
        number = fractions.of_number(state.algebra, e.floating, e.type.size)
        if number is not None:
            return number
    return state.store.float_uniform


def read_register(state: State, e: ir.Builtin) -> Poly:
    """Return the value of a component of a special register; threadIdx begins a derivation."""
    value = state.registers[(e.register, e.axis)]
    if e.register is ir.Register.THREAD_INDEX and e.axis is not None:
        at = state.recorder.place_of(e.span)
        name = state.module.spelling.component_of(e.register, e.axis)
        state.trace.append(Definition(name, at, step=Step.THREAD))
    return value


def address_of(state: State, e: ir.AddressOf) -> Value:
    """Return the address of an object or of a function."""
    if isinstance(e.target, ir.Unresolved | ir.Literal | ir.FunctionName):
        if isinstance(e.target, ir.FunctionName):
            return FunctionValue(e.target.function)
        return unresolved(state, e.target)
    return state.place(e.target).address


def aggregate(state: State, e: ir.Aggregate) -> Value:
    """Return a struct or an array by value, or the only number of a braced scalar."""
    if not isinstance(e.type, ir.Record | ir.Array):
        return state.value(e.parts[0][1]) if e.parts else state.algebra.zero
    cells: dict[int, Cell] = {}
    for offset, part in e.parts:
        mark = len(state.trace)
        value = state.value(part)
        cells[offset] = Cell(part.type.size, value, first_read(state, mark))
    return AggregateValue(cells, state.algebra.zero if e.zero else None)


def sequence(state: State, e: ir.Sequence) -> Value:
    """Run the statements and return the value that follows them; 0 where there is none."""
    for statement in e.statements:
        state.execute(statement)
    return state.value(e.value) if e.value is not None else state.algebra.zero


def unresolved(state: State, e: ir.Expression) -> Value:
    """Return an unknown value for an expression that is not analysed; pointers in it escape."""
    reason = e.reason if isinstance(e, ir.Unresolved) else f"{type(e).__name__} is not analysed"
    level = Level.UNIFORM
    if isinstance(e, ir.Unresolved):
        state.recorder.order.doubted(state)
        for part in e.parts:
            value = state.value(part)
            mark_escaped(state, value)
            level = max(level, state.store.level(value))
    return state.store.unknown(e.type, state.text_of(e), Level.DIVERGENT, reason)
