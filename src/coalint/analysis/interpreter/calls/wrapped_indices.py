"""Indices of which one below zero counts from the end of the array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.algebra.polynomial import term
from coalint.analysis.domain.derivations import Definition, Step
from coalint.analysis.domain.implied import resolved
from coalint.analysis.warps.quantities import open_names
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.domain.values import Value
    from coalint.analysis.interpreter.state import State
    from coalint.machine.nvcc.struct_loads import StructPart


def call(state: State, e: ir.Call, _used: tuple[StructPart, ...]) -> Value:
    """Return the index from the array's start, as far as it is known whether it is below zero.

    It is taken not to be where that rests on numbers that are open; the trace says so.
    """
    index, extent = state.scalar(e.arguments[0]), state.scalar(e.arguments[1])
    algebra = state.algebra
    negative = algebra.compare("<", index, algebra.zero)
    decided = _decided(state, negative)
    if decided is None and _is_natural(state, index):
        decided = False
    if decided is not None:
        return index + extent if decided else index
    either = algebra.select(negative, index + extent, index)
    settled = resolved(algebra, either, state.conditions())
    if settled != either or (state.recorder.model is not None and not open_names(algebra, index, ())):
        return settled
    at = state.recorder.place_of(e.span)
    state.trace.append(Definition(state.text_of(e), at, step=Step.SUPPOSED))
    return index


def _decided(state: State, condition: Poly) -> bool | None:
    known = state.algebra.number(condition)
    return state.recorder.always(condition) if known is None else bool(known)


def _is_natural(state: State, index: Poly) -> bool:
    """Whether the least that all threads share of an index, with the rest of it, is below zero for no thread."""
    algebra = state.algebra
    shared = rest = algebra.zero
    for coefficient, monomial in algebra.terms(index):
        part = term(monomial, coefficient)
        if algebra.level(part) is Level.UNIFORM:
            shared = shared + part
        else:
            rest = rest + part
    low, _ = algebra.range(shared)
    if low is None:
        return False
    least = rest + low
    known = algebra.number(least)
    return known >= 0 if known is not None else _decided(state, algebra.compare("<", least, algebra.zero)) is False
