"""Pointers as values: where they point, and arithmetic on them in bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.domain.values import (
    NOT_FOLLOWED,
    Address,
    AggregateValue,
    Closure,
    FunctionValue,
    PointerSelect,
    Value,
    replace_base,
    without_null,
)
from coalint.core import ir
from coalint.core.source.spans import Span

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def as_address(state: State, value: Value, e: ir.Expression) -> Address | PointerSelect:
    """Return the value as a pointer."""
    if isinstance(value, Address | PointerSelect):
        return value
    level = state.store.level(value)
    if isinstance(value, AggregateValue | Closure | FunctionValue):
        return Address(replace_base(NOT_FOLLOWED, level, "a pointer that could not be followed"), state.algebra.zero)
    atoms = state.algebra.atoms_of(value)
    reason = next((atom.reason for atom in atoms if atom.reason), "a pointer that could not be followed")
    loaded = any(atom.kind is AtomKind.LOAD for atom in atoms)
    if loaded and level is not Level.UNIFORM:
        reason = f"pointer loaded from memory (`{state.text(e.span)}`)"
    elif loaded or (level is Level.UNIFORM and all(atom.kind is AtomKind.UNIFORM for atom in atoms) and atoms):
        type_ = e.type
        return state.store.pointer(state.text(e.span), type_, level, ("value", value))
    base = replace_base(NOT_FOLLOWED, level, reason, loaded)
    return Address(base, state.algebra.zero)


def moved(state: State, address: Address | PointerSelect, by: Poly) -> Address | PointerSelect:
    """Return the address `by` bytes further."""
    if isinstance(address, Address):
        return Address(address.base, address.offset + by)
    then, otherwise = address.then, address.otherwise
    assert isinstance(then, Address | PointerSelect)
    assert isinstance(otherwise, Address | PointerSelect)
    return PointerSelect(address.condition, state.moved(then, by), state.moved(otherwise, by))


def distance(state: State, index: Poly, element: ir.Type, e: ir.Expression) -> Poly:
    """Return the size in bytes of `index` elements; unknown where the size of one is, unless `index` is 0."""
    if element.size or index == 0:
        return index * element.size
    while isinstance(element, ir.Array):
        element = element.element
    reason = element.reason if isinstance(element, ir.Other) else ""
    return state.algebra.opaque(state.text(e.span), Level.DIVERGENT, reason or "the size of the elements is not known")


def pointer_index(state: State, index: Poly, type_: ir.Type) -> Poly:
    """Return an index modulo 2**64, as pointer arithmetic converts it; 64-bit types are so already."""
    if isinstance(type_, ir.Integer) and not type_.signed and type_.bits < 64:
        return state.algebra.unsigned(index, type_.bits)
    return index


def sides(state: State, address: Address | PointerSelect, span: Span | None) -> Iterator[tuple[Poly, Address]]:
    """Yield each object that a dereferenced pointer may point to, with its condition, which is a guard meanwhile.

    `split` is set where lanes of one warp may take different sides: then no side is a whole instruction.
    """
    address = without_null(address)
    if isinstance(address, Address):
        yield state.algebra.one, address
        return
    guards, split, model = state.guards, state.split, state.recorder.model
    parts = model is not None and not model.same_for_warps(address.condition)
    for side, condition in ((address.then, address.condition), (address.otherwise, 1 - address.condition)):
        assert isinstance(side, Address | PointerSelect)
        if span is not None:
            chosen = Guard(Condition(condition, "the pointer's choice"), GuardKind.BRANCH, span)
            state.guards = (*guards, chosen)
        state.split = split or parts
        for inner, leaf in state.sides(side, span):
            yield state.algebra.both(condition, inner), leaf
        state.guards, state.split = guards, split
