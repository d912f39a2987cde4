"""Intrinsics that load, store, update or copy memory through pointers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Sharing
from coalint.analysis.domain.derivations import holds_thread
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.values import Address, PointerSelect, Region, Value, sides_of
from coalint.analysis.interpreter.calls import atomics
from coalint.analysis.interpreter.calls.unknown_calls import opaque
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.core.ir import Intrinsic
from coalint.machine.nvcc.struct_loads import StructPart

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def cached_load(state: State, e: ir.Call, used: tuple[StructPart, ...]) -> Value | None:
    """Load through a pointer, past or by a cache; `used` are the parts of the value that are used."""
    if not e.arguments:
        return None
    mark = len(state.trace)
    address = state.as_address(state.value(e.arguments[0]), e.arguments[0])
    width = state.narrowed.width(state.frame.function, e, state.frame.wanted)
    return state.load(Lvalue(address, e.type, trace=tuple(state.trace[mark:]), used=used, narrowed=width), e)


def cached_store(state: State, e: ir.Call, _used: tuple[StructPart, ...]) -> Value | None:
    """Store a value through a pointer, past or by a cache."""
    if len(e.arguments) != 2:
        return None
    mark = len(state.trace)
    address = state.as_address(state.value(e.arguments[0]), e.arguments[0])
    place = Lvalue(address, e.arguments[1].type, trace=tuple(state.trace[mark:]))
    state.write(place, state.value(e.arguments[1]), e)
    return state.algebra.zero


def atomic(state: State, e: ir.Call, _used: tuple[StructPart, ...]) -> Value | None:
    """Record an atomic function; each thread has a result of its own."""
    if not e.arguments:
        return None
    mark = len(state.trace)
    address = state.as_address(state.value(e.arguments[0]), e.arguments[0])
    trace = tuple(dict.fromkeys(state.trace[mark:]))
    mark = len(state.trace)
    operands = [state.value(argument) for argument in e.arguments[1:]]
    by_thread = holds_thread(tuple(state.trace[mark:]))
    pointer = e.arguments[0].type
    type_ = pointer.pointee if isinstance(pointer, ir.Pointer) else e.type
    manner = atomics.manner(state, e, type_, operands, by_thread=by_thread)
    state.epoch += 1
    for _, side in state.sides(address, e.span):
        if side.base.region is Region.LOCAL:
            state.store.write(
                side.base.storage, side.offset, type_.size, state.store.unknown(type_, e.name, Level.LOADED, "")
            )
        else:
            state.recorder.access(state, Lvalue(side, type_, trace=trace), Operation.ATOMIC, e, manner)
    if isinstance(e.type, ir.Floating):
        return state.store.float_loaded
    return state.algebra.atom(
        AtomKind.OPAQUE,
        state.text_of(e),
        Level.LOADED,
        key=state.algebra.fresh_key(),
        reason="index from an atomic's result",
        sharing=Sharing(varies=f"each thread has its own result of `{e.name}`", warp_divergent=True),
        is_quoted=True,
    )


def copy_bytes(state: State, e: ir.Call, _used: tuple[StructPart, ...]) -> Value | None:
    """Return memcpy of a constant size: as wide as nvcc knows both ends to be aligned (seen in its code for sm_90)."""
    if len(e.arguments) != 3:
        return None
    target, source = (state.as_address(state.value(argument), argument) for argument in e.arguments[:2])
    size = state.algebra.number(state.scalar(e.arguments[2]))
    if size is None or not 0 < size <= 256:
        return opaque(state, e, f"a {state.module.spelling.copy_memory} of unknown size")
    alignment = min(_known_alignment(state, target, e.arguments[0]), _known_alignment(state, source, e.arguments[1]))
    while size % alignment:
        alignment //= 2
    moved = ir.Record(state.module.spelling.copy_memory, size, alignment, layout=ir.Layout.BYTES)
    value = state.load(Lvalue(source, moved), e.arguments[1])
    state.write(Lvalue(target, moved), value, e.arguments[0])
    return state.algebra.zero


def _known_alignment(state: State, address: Address | PointerSelect, pointer: ir.Expression) -> int:
    """Return the alignment in bytes that a `void *` keeps: that of a variable, or what the code assumes.

    1 for the rest.

    A `float4 *` that is passed to memcpy promises nothing: only an access through it does.
    """
    called = pointer
    while isinstance(called, ir.Cast):
        called = called.operand
    if isinstance(called, ir.Call) and called.intrinsic is Intrinsic.ASSUME_ALIGNED and len(called.arguments) > 1:
        assumed = state.algebra.number(state.scalar(called.arguments[1]))
        return assumed if assumed in (1, 2, 4, 8, 16) else 16 if assumed is not None and assumed % 16 == 0 else 1
    known = {id(base) for base in state.globals.values()}
    for side in sides_of(address):
        if side.base.region is not Region.LOCAL and id(side.base) not in known:
            return 1
    return _promised(pointer)


def _promised(pointer: ir.Expression) -> int:
    """Return the alignment in bytes that the type of a pointer promises, seen through its conversion to void*."""
    while isinstance(pointer, ir.Cast) and not (isinstance(pointer.type, ir.Pointer) and pointer.type.pointee.size):
        pointer = pointer.operand
    type_ = pointer.type
    pointee = (
        type_.pointee if isinstance(type_, ir.Pointer) else type_.element if isinstance(type_, ir.Array) else type_
    )
    align = pointee.align if isinstance(pointee, ir.Record) else pointee.size
    return align if align in (1, 2, 4, 8, 16) else 1
