"""Conditions and selections between values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain import fractions
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.guards import GuardKind
from coalint.analysis.domain.values import (
    Address,
    FunctionValue,
    PointerSelect,
    Value,
)
from coalint.analysis.interpreter.expressions.floats import sharing_of_floats
from coalint.analysis.interpreter.expressions.pointer_arithmetic import nonnull
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def condition(state: State, e: ir.Expression) -> Poly:
    """Return the truth value of an expression: 0, 1 or a value that is one of both."""
    if isinstance(e.type, ir.Floating):
        number = state.value(e)
        sharing = sharing_of_floats(state, number)
        return state.algebra.opaque(state.text_of(e), state.store.level(number), "", sharing=sharing)
    value = state.algebra.truth(number_or_nonnull(state, e))
    decided = state.recorder.always(value)
    return value if decided is None else state.algebra.one if decided else state.algebra.zero


def number_or_nonnull(state: State, e: ir.Expression) -> Poly:
    """Return the value of an expression as a number; of a pointer, whether it is not null."""
    value = state.value(e)
    return (
        nonnull(state, value)
        if isinstance(value, Address | PointerSelect | FunctionValue)
        else state.as_scalar(value, e)
    )


def select(state: State, e: ir.Conditional) -> Value:
    """Return the value of `condition ? then : otherwise`, with the effects of the side that is taken."""
    condition = state.condition(e.condition)
    known = state.algebra.number(condition)
    if known is not None:
        return state.value(e.then if known else e.otherwise)
    before, guards = state.store.snapshot(), state.guards
    state.under(condition, e.condition.span, GuardKind.BRANCH)
    then = state.value(e.then)
    after = state.store.cells
    state.store.cells, state.guards = before, guards
    state.under(condition, e.condition.span, GuardKind.BRANCH, negate=True)
    otherwise = state.value(e.otherwise)
    state.guards = guards
    state.store.cells = state.store.merge(condition, after, state.store.cells)
    if isinstance(e.type, ir.Floating) and isinstance(then, Polynomial) and isinstance(otherwise, Polynomial):
        number = fractions.chosen(state.algebra, condition, then, otherwise, e.type.size)
        if number is not None:
            return number
    return state.store.select(condition, then, otherwise)


def short_circuit(state: State, e: ir.Binary) -> Poly:
    """Return the truth value of `a && b` or `a || b`, with the effects of `b` where it is evaluated."""
    left = state.condition(e.left)
    known = state.algebra.number(left)
    if known is not None and bool(known) == (e.operator == "||"):
        return left
    before, guards = state.store.snapshot(), state.guards
    if known is None:
        state.under(left, e.left.span, GuardKind.BRANCH, negate=e.operator == "||")
    right = state.condition(e.right)
    state.guards = guards
    if known is None:
        taken = left if e.operator == "&&" else 1 - left
        state.store.cells = state.store.merge(taken, state.store.cells, before)
    return state.algebra.both(left, right) if e.operator == "&&" else state.algebra.either(left, right)
