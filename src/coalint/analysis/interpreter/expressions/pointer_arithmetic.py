"""Arithmetic and comparisons of pointers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.logic import COMPARISONS
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.values import (
    NO_FUNCTION,
    NULL,
    Address,
    FunctionValue,
    PointerSelect,
    Region,
    Value,
)
from coalint.analysis.interpreter.effects.escape import mark_escaped
from coalint.analysis.interpreter.memory.addresses import distance, pointer_index, stepped, told_by_source
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

_OF_GLOBAL = 256
"""Bytes of which the address of an allocation is a multiple (CUDA C++ programming guide, device memory accesses)."""
_OF_SHARED = 16
"""Bytes of which arrays of shared memory begin at a multiple at least, dynamic ones included."""
_LARGEST_MULTIPLE = 4096


def pointed(type_: ir.Type) -> ir.Type:
    """Return the type that a pointer moves over when 1 is added: a byte where it is held as an integer."""
    if isinstance(type_, ir.Pointer):
        return type_.pointee
    if isinstance(type_, ir.Array):
        return type_.element
    return ir.Integer(8, False) if isinstance(type_, ir.Integer) else type_


def nonnull(state: State, pointer: Address | PointerSelect | FunctionValue) -> Poly:
    """Return whether a pointer is not null, as 0 or 1.

    1 for the address of a declared object, and for a function; one open condition for each other pointer.
    """
    if isinstance(pointer, FunctionValue):
        return _is_function(state, pointer)
    if isinstance(pointer, PointerSelect):
        then, otherwise = pointer.then, pointer.otherwise
        if isinstance(then, Address | PointerSelect) and isinstance(otherwise, Address | PointerSelect):
            return state.algebra.select(pointer.condition, nonnull(state, then), nonnull(state, otherwise))
        return state.algebra.opaque("a pointer", Level.DIVERGENT, "a pointer that could not be followed")
    base = pointer.base
    if base is NULL:
        return state.algebra.zero
    if base.region in (Region.LOCAL, Region.SHARED, Region.CONSTANT) or base.memory.span is not None:
        return state.algebra.one
    name = f"{base.memory.name} != nullptr"
    if base.loaded_at:
        key = ("nonnull", base)
        return state.algebra.atom(AtomKind.LOAD, name, base.level, key=key, operands=base.loaded_at, low=0, high=1)
    return state.algebra.atom(AtomKind.UNIFORM, name, base.level, key=("nonnull", base), low=0, high=1)


def _is_function(state: State, pointer: FunctionValue) -> Poly:
    """Return whether a pointer leads to a function, as 0 or 1."""
    algebra = state.algebra
    if pointer.function is None or any(function is None for _, function in pointer.unless):
        return algebra.opaque("a pointer to a function", Level.DIVERGENT, "which function it leads to is not known")
    found = algebra.constant(int(pointer.function != NO_FUNCTION))
    for condition, function in reversed(pointer.unless):
        found = algebra.select(condition, algebra.constant(int(function != NO_FUNCTION)), found)
    return found


def compared_with_null(state: State, operator: str, left: Value, right: Value) -> Poly | None:
    """Return whether a pointer to a function is null, for `==` and `!=`; None for other operands."""
    function, other = (left, right) if isinstance(left, FunctionValue) else (right, left)
    if not isinstance(function, FunctionValue) or operator not in ("==", "!="):
        return None
    is_null = isinstance(other, Address) and other.base is NULL
    if not is_null and not (isinstance(other, Polynomial) and state.algebra.number(other) == 0):
        return None
    return _is_function(state, function) if operator == "!=" else 1 - _is_function(state, function)


def combine_pointers(
    state: State,
    operator: str,
    left: Value,
    right: Value,
    left_type: ir.Type,
    right_type: ir.Type,
    e: ir.Expression,
) -> Value:
    """Return `left operator right`, where at least one of the two is an address."""
    if isinstance(left, PointerSelect):
        return state.store.select(
            left.condition,
            state.combine(operator, left.then, right, left_type, right_type, e),
            state.combine(operator, left.otherwise, right, left_type, right_type, e),
        )
    if isinstance(right, PointerSelect):
        return state.store.select(
            right.condition,
            state.combine(operator, left, right.then, left_type, right_type, e),
            state.combine(operator, left, right.otherwise, left_type, right_type, e),
        )
    if isinstance(left, Address) and isinstance(right, Address):
        return _combine_two_addresses(state, operator, left, right, left_type, e)
    if isinstance(left, Address):
        if operator in ("+", "-"):
            by = _bytes(state, right, right_type, left_type, e)
            element = told_by_source(e.right if isinstance(e, ir.Binary) else e, pointed(left_type).size)
            steps = stepped(left.steps, by, element)
            return Address(left.base, left.offset + by if operator == "+" else left.offset - by, steps)
        return _combine_with_number(state, operator, left, right, e)
    assert isinstance(right, Address)
    if operator in ("+", "-"):
        by = _bytes(state, left, left_type, right_type, e)
        element = told_by_source(e.left if isinstance(e, ir.Binary) else e, pointed(right_type).size)
        return Address(right.base, right.offset + by, stepped(right.steps, by, element))
    return _combine_with_number(state, operator, right, left, e)


def _bytes(state: State, index: Value, index_type: ir.Type, pointer_type: ir.Type, e: ir.Expression) -> Poly:
    """Return how many bytes a pointer moves by when `index` is added to it."""
    return distance(state, pointer_index(state, state.as_scalar(index, e), index_type), pointed(pointer_type), e)


def _combine_two_addresses(
    state: State, operator: str, left: Address, right: Address, type_: ir.Type, e: ir.Expression
) -> Poly:
    """Return the difference or the comparison of two addresses of pointers of type `type_`."""
    algebra = state.algebra
    for pointer, null in ((left, right), (right, left)):
        if null.base is NULL and operator in ("==", "!="):
            return _compare_with_null(state, operator, pointer)
    if left.base is right.base and operator == "-":
        return algebra.divide(left.offset - right.offset, algebra.constant(max(1, pointed(type_).size)))
    if left.base is right.base and operator in COMPARISONS:
        return algebra.compare(operator, left.offset, right.offset)
    level = max(state.store.level(left), state.store.level(right))
    return algebra.opaque(state.text_of(e), level, "pointers to different objects are compared")


def _combine_with_number(state: State, operator: str, address: Address, number: Value, e: ir.Expression) -> Value:
    """Return the comparison of an address with a number, or an address that is rounded down to a multiple.

    Opaque for other arithmetic on the address as an integer.
    """
    if operator == "&" and isinstance(number, Polynomial):
        multiple = _multiple(state.algebra.number(number))
        rounded = None if multiple is None else _rounded_down(state, address, multiple, e)
        if rounded is not None:
            return rounded
    level = state.store.level(address)
    if operator in ("==", "!="):
        if number == 0:
            return _compare_with_null(state, operator, address)
        return state.algebra.opaque(state.text_of(e), level, "")
    mark_escaped(state, address)
    return state.algebra.opaque(state.text_of(e), level, "arithmetic on a pointer as an integer")


def _multiple(mask: int | None) -> int | None:
    """Return the power of two that a mask of its lower bits, as ~127 of 32 or 64 bits, rounds down to; else None."""
    if mask is None:
        return None
    for bits in (0, 32, 64):
        multiple = (1 << bits) * (bits > 0) - mask
        if 1 <= multiple <= _LARGEST_MULTIPLE and not multiple & (multiple - 1):
            return multiple
    return None


def _rounded_down(state: State, address: Address, multiple: int, e: ir.Expression) -> Address | None:
    """Return an address rounded down to a multiple of a power of two bytes.

    Global arrays begin at multiples of 256 bytes, those of shared memory at multiples of 16; beyond that, where an
    address of shared memory that all threads share comes to lie is open, but a multiple it is.
    """
    algebra, region = state.algebra, address.base.region
    begins = {Region.GLOBAL: _OF_GLOBAL, Region.SHARED: _OF_SHARED}.get(region, 1)
    if multiple <= begins:
        by = algebra.constant(multiple)
        return Address(address.base, algebra.divide(address.offset, by) * by)
    if region is Region.SHARED and algebra.level(address.offset) is Level.UNIFORM:
        key = ("aligned", address.base, address.offset, multiple)
        start = algebra.atom(AtomKind.UNIFORM, state.text_of(e), Level.UNIFORM, key=key, low=0)
        return Address(address.base, start * algebra.constant(multiple))
    return None


def _compare_with_null(state: State, operator: str, pointer: Address) -> Poly:
    """Return `pointer operator nullptr`, for `==` and `!=`."""
    is_not_null = nonnull(state, pointer)
    return is_not_null if operator == "!=" else 1 - is_not_null
