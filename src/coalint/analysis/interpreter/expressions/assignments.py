"""Assignments, compound assignments and increments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.values import (
    Value,
)
from coalint.analysis.interpreter.calls.lambdas import copied
from coalint.analysis.interpreter.expressions.conversions import common, convert, promoted
from coalint.analysis.interpreter.memory import computed_values
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def assign(state: State, e: ir.Assign) -> Lvalue:
    """Assign, and return the target."""
    mark = len(state.trace)
    if e.operator is None:
        own = isinstance(e.target, ir.Name) and isinstance(state.frame.variables.get(e.target.variable.key), int)
        target = e.target.variable if own and isinstance(e.target, ir.Name) else None
        value = state.value(e.value) if target is None else state.kept(e.value, target, state.frame)
        value = copied(state, value)
        definition = state.definition(e, mark)
        place = state.place(e.target)
    else:
        place = state.place(e.target)
        right = state.value(e.value)
        before = state.load(place, e.target)
        value = compound(state, e.operator, before, right, e.target.type, e.value.type, e)
        definition = state.definition(e, mark)
    decided = computed_values.basis(state, place, e.value, value) if e.operator is None else None
    with state.recorder.order.storing(decided):
        state.write(place, value, e.target, definition)
    return place


def compound(
    state: State, operator: str, left: Value, right: Value, target: ir.Type, other: ir.Type, e: ir.Expression
) -> Value:
    """Return `left operator right` in the common type, converted back to the target's (C++20 [expr.ass])."""
    if not isinstance(target, ir.Integer) or not isinstance(other, ir.Integer):
        return state.combine(operator, left, right, target, other, e)
    shift = operator in ("<<", ">>")
    type_ = promoted(target) if shift else common(target, other)
    a = convert(state, state.as_scalar(left, e), target, type_)
    b = state.as_scalar(right, e)
    b = b if shift else convert(state, b, other, type_)
    value = state.as_scalar(state.combine(operator, a, b, type_, other if shift else type_, e), e)
    return convert(state, value, type_, target)


def increment(state: State, e: ir.Increment) -> Value:
    """Return increment or decrement, and return the value of the expression."""
    mark = len(state.trace)
    place = state.place(e.target)
    before = state.load(place, e.target)
    one = state.algebra.constant(e.step)
    integer = ir.Integer(32, True)
    after = compound(state, "+", before, one, e.target.type, integer, e)
    state.write(place, after, e.target, state.definition(e, mark))
    return after if e.prefix else before
