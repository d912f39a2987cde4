"""Pointers as values: where they point, and arithmetic on them in bytes."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.domain.guards import POINTERS_CHOICE, Guard, GuardKind
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
        reason = f"pointer loaded from memory (`{state.text_of(e)}`)"
    elif loaded or (level is Level.UNIFORM and all(atom.kind is AtomKind.UNIFORM for atom in atoms) and atoms):
        type_ = e.type
        return state.store.pointer(state.text_of(e), type_, level, ("value", value))
    base = replace_base(NOT_FOLLOWED, level, reason, loaded)
    return Address(base, state.algebra.zero)


def moved(state: State, address: Address | PointerSelect, by: Poly, element: int = 0) -> Address | PointerSelect:
    """Return the address `by` bytes further; a number of elements of so many bytes, 0 where the source tells it."""
    if isinstance(address, Address):
        return Address(address.base, address.offset + by, stepped(address.steps, by, element))
    then, otherwise = address.then, address.otherwise
    assert isinstance(then, Address | PointerSelect)
    assert isinstance(otherwise, Address | PointerSelect)
    return PointerSelect(address.condition, state.moved(then, by, element), state.moved(otherwise, by, element))


def stepped(steps: int | None, by: Poly, element: int) -> int | None:
    """Return the steps of an address (`Address.steps`) after another one.

    A counter or a thread's number alone, as in `p[k]`, is no number that a launch passes.
    """
    if steps is None or not element:
        return steps
    is_single = all(monomial and abs(coefficient) == element for monomial, coefficient in by.items())
    return steps if is_single else gcd(steps, element)


def told_by_source(e: ir.Expression, element: int) -> int:
    """Return the bytes of an element for a step by an index; 0 where that is made of numbers and the thread's own."""
    return element if any(map(_is_open, ir.nodes(e))) else 0


def _is_open(node: ir.Expression | ir.Statement) -> bool:
    """Whether a part of an expression may be a number that only the launch tells."""
    match node:
        case ir.Name(variable=variable):
            return variable.constant is None
        case ir.Builtin(register=register):
            return register in (ir.Register.BLOCK_EXTENT, ir.Register.GRID_EXTENT)
        case ir.Literal() | ir.Binary() | ir.Unary() | ir.Cast():
            return False
    return True


def distance(state: State, index: Poly, element: ir.Type, e: ir.Expression) -> Poly:
    """Return the size in bytes of `index` elements; unknown where the size of one is, unless `index` is 0."""
    if element.size or index == 0:
        return index * element.size
    while isinstance(element, ir.Array):
        element = element.element
    reason = element.reason if isinstance(element, ir.Other) else ""
    return state.algebra.opaque(state.text_of(e), Level.DIVERGENT, reason or "the size of the elements is not known")


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
            chosen = Guard(Condition(condition, POINTERS_CHOICE), GuardKind.BRANCH, span)
            state.guards = (*guards, chosen)
        state.split = split or parts
        for inner, leaf in state.sides(side, span):
            yield state.algebra.both(condition, inner), leaf
        state.guards, state.split = guards, split
