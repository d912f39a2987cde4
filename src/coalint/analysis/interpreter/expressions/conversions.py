"""Casts and integer conversions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain import constant_floats, fractions
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.fractions import Rounding
from coalint.analysis.domain.values import (
    Address,
    FunctionValue,
    PointerSelect,
    Value,
)
from coalint.analysis.interpreter.expressions.floats import floating
from coalint.analysis.interpreter.expressions.pointer_arithmetic import nonnull
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def promoted(type_: ir.Integer) -> ir.Integer:
    """Return the type that arithmetic happens in (C++20 [conv.prom])."""
    return type_ if type_.bits >= 32 else ir.Integer(32, True)


def common(a: ir.Integer, b: ir.Integer) -> ir.Integer:
    """Return the type of the usual arithmetic conversions (C++20 [expr.arith.conv])."""
    a, b = promoted(a), promoted(b)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return b if a.signed else a


def cast(state: State, e: ir.Cast) -> Value:
    """Return the value of a cast."""
    source, target = e.operand.type, e.type
    if isinstance(target, ir.Pointer) and isinstance(source, ir.Array):
        return state.place(e.operand).address
    value = state.value(e.operand)
    if isinstance(target, ir.Integer):
        if isinstance(source, ir.Floating):
            number = integer_of(state, value, target, Rounding.TOWARDS_ZERO)
            if number is not None and not (state.recorder.as_compiled and number.number is None):
                return number
            level = state.store.level(value)
            text = state.text_of(e.operand)
            return state.algebra.opaque(text, level, "a rounded floating-point value", is_quoted=True)
        if isinstance(value, Address | PointerSelect | FunctionValue):
            return nonnull(state, value) if target.bits == 1 else value
        if isinstance(source, ir.Integer):
            return convert(state, state.as_scalar(value, e), source, target)
        return value
    if isinstance(target, ir.Floating):
        return _floating(state, value, source, target)
    return value


def integer_of(state: State, value: Value, target: ir.Integer, how: Rounding) -> Poly | None:
    """Return a floating-point value as an integer; None where it is not known, or the type may not hold it."""
    number = fractions.rounded(state.algebra, value, how) if isinstance(value, Polynomial) else None
    if number is None:
        return None
    if not target.signed:
        low, _ = state.algebra.range(number, sure=True)
        if low is None or low < 0:
            return None
    return convert(state, number, ir.Integer(64, True), target)


def _floating(state: State, value: Value, source: ir.Type, target: ir.Floating) -> Value:
    """Return a value as one of a floating-point type."""
    known: Poly | None = None
    if isinstance(value, Polynomial):
        if isinstance(source, ir.Floating):
            if target.size >= source.size or fractions.parts(state.algebra, value) is None:
                return value
            known = fractions.converted(state.algebra, value, target.size)
            if known is None:  # also nvcc rounds a constant to nearest
                known = constant_floats.converted(state.algebra, value, target.size)
        elif isinstance(source, ir.Integer) and not state.store.is_float(value):
            known = fractions.of_integer(state.algebra, value, target.size)
    return floating(state, value) if known is None else known


def convert(state: State, value: Poly, source: ir.Integer, target: ir.Integer) -> Poly:
    """Return the value of an integer conversion (C++20 [conv.integral])."""
    algebra = state.algebra
    if target.bits == 1:
        return algebra.truth(value)
    if not source.signed and target.bits > source.bits:
        return algebra.unsigned(value, source.bits)
    if target.bits >= 32:
        return algebra.signed(value, target.bits) if target.signed else value
    low, high = algebra.range(value)
    bottom, top = (
        (-(1 << target.bits - 1), (1 << target.bits - 1) - 1) if target.signed else (0, (1 << target.bits) - 1)
    )
    if low is not None and high is not None and bottom <= low and high <= top:
        return value
    if source.bits <= target.bits and source.signed == target.signed:
        return value
    return algebra.operation("wrap", value, bits=target.bits, signed=target.signed)
