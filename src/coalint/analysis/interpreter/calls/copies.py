"""Functions that move memory otherwise than by loads and stores: fragments of matrices, copies, and collectives.

What wmma moves was read off the machine code of nvcc 13.2 for sm_80, sm_90 and sm_120, which is the same: matrices of
m16n16k16 in half precision and bfloat16 come from shared memory as rows of 16 bytes (`LDSM.x4`), from global memory in
four loads of 4 bytes; accumulators are moved in pieces of 4 or 8 bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.values import Address, PointerSelect, Region, Value, sides_of
from coalint.analysis.interpreter.calls import async_copies
from coalint.analysis.interpreter.calls.async_copies import not_followed
from coalint.analysis.recorder.service import Manner
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.core.facts.lanes import Service
from coalint.core.ir import Intrinsic

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

# What a function does to the pointers among its arguments, in order.
MOVED = {
    Intrinsic.GROUP_ASYNC_COPY: (Operation.STORE, Operation.LOAD),
    Intrinsic.ASYNC_COPY: (Operation.STORE, Operation.LOAD),
    Intrinsic.LOAD_MATRIX: (Operation.LOAD,),
    Intrinsic.STORE_MATRIX: (Operation.STORE,),
    Intrinsic.LOAD_FRAGMENT: (Operation.LOAD,),
    Intrinsic.STORE_FRAGMENT: (Operation.STORE,),
}
_FRAGMENTS = (Intrinsic.LOAD_FRAGMENT, Intrinsic.STORE_FRAGMENT)
_ROW_MAJOR = 0  # nvcuda::wmma::layout_t


def call(state: State, e: ir.Call) -> Value:
    """Return one of the functions in MOVED."""
    if e.intrinsic is Intrinsic.ASYNC_COPY and len(e.arguments) >= 3:
        filled = state.algebra.number(state.scalar(e.arguments[3])) if len(e.arguments) > 3 else 0
        width = state.algebra.number(state.scalar(e.arguments[2]))
        service = Service.BYPASS if width == 16 else Service.COPY
        return _copy(state, e, width, service, state.algebra.one if filled == 0 else None)
    if e.intrinsic is Intrinsic.GROUP_ASYNC_COPY and len(e.arguments) == 4 and _is_pointer(e.arguments[0]):
        return _copy(state, e, None, Service.COPY, state.algebra.one)
    if e.intrinsic in _FRAGMENTS and _matrix(state, e):
        return state.algebra.zero
    return _collective(state, e)


def _copy(state: State, e: ir.Call, size: int | None, service: Service, reads: Poly | None) -> Value:
    """Return a call that copies `size` bytes for each lane; arguments are those of `async_copies.move`."""
    target, source = (state.as_address(state.value(argument), argument) for argument in e.arguments[:2])
    async_copies.move(
        state, async_copies.Ends(tuple(sides_of(target)), tuple(sides_of(source)), e), size, service, reads
    )
    return state.algebra.zero


def _is_pointer(e: ir.Expression) -> bool:
    return isinstance(e.type, ir.Pointer | ir.Array)


# --- fragments of matrices


def _matrix(state: State, e: ir.Call) -> bool:
    """Record what a warp moves of a matrix; False where the fragment's layout is not known."""
    load = e.intrinsic is Intrinsic.LOAD_FRAGMENT
    fragment, memory = (e.arguments[0], e.arguments[1]) if load else (e.arguments[1], e.arguments[0])
    use, bits, *shape, layout = (state.algebra.number(state.scalar(argument)) for argument in e.arguments[3:])
    if shape != [16, 16, 16] or bits is None or layout is None or (use, bits) not in ((0, 16), (1, 16), (1, 32)):
        return False
    address = state.as_address(state.value(memory), memory)
    if not isinstance(address, Address) or address.base.region not in (Region.GLOBAL, Region.SHARED):
        return False
    element = bits // 8
    pitch = state.scalar(e.arguments[2]) * element
    lane = lane_number(state)
    if use == 0 and address.base.region is Region.SHARED:
        row = state.algebra.remainder(lane, state.algebra.constant(16))
        pieces, width = [row * pitch + 16 * state.algebra.divide(lane, state.algebra.constant(16))], 16
        manner = Manner(Service.ROWS, since=(8, 0))
    else:
        pieces, width = _pieces(state, lane, pitch, element, element == 2 or layout == _ROW_MAJOR)
        manner = Manner(since=(8, 0))
    if load:
        _forget(state, fragment, e)
    else:
        state.epoch += 1
    for offset in pieces:
        place = Lvalue(Address(address.base, address.offset + offset), ir.Record("fragment", width, width))
        state.recorder.access(state, place, Operation.LOAD if load else Operation.STORE, e, manner)
    return True


def _pieces(state: State, lane: Poly, pitch: Poly, element: int, along: bool) -> tuple[list[Poly], int]:
    """Return where the pieces of a lane begin and how long each is.

    Two neighbours in a row, or single ones across rows.
    """
    row, column = (
        state.algebra.divide(lane, state.algebra.constant(4)),
        state.algebra.remainder(lane, state.algebra.constant(4)),
    )
    if along:
        return [(row + r) * pitch + 2 * element * (column + c) for r in (0, 8) for c in (0, 4)], 2 * element
    return [(2 * column + c) * pitch + element * (row + r) for c in (0, 1, 8, 9) for r in (0, 8)], element


def lane_number(state: State) -> Poly:
    """Return the lane of each thread in its warp."""
    x, y, z = (state.registers[(ir.Register.THREAD_INDEX, axis)] for axis in ir.AXES)
    wide, high, _ = (state.registers[(ir.Register.BLOCK_EXTENT, axis)] for axis in ir.AXES)
    return state.algebra.remainder(x + wide * (y + high * z), state.algebra.constant(32))


def _forget(state: State, fragment: ir.Expression, e: ir.Call) -> None:
    place = state.place(fragment)
    if isinstance(place.address, Address) and place.address.base.region is Region.LOCAL:
        unknown = state.store.unknown(fragment.type, e.name, Level.DIVERGENT, "what a warp loads together")
        state.store.write(place.address.base.storage, place.address.offset, fragment.type.size, unknown)


def _collective(state: State, e: ir.Call) -> Value:
    """Return the pointers' operations for what a group of threads moves together in parts of the library's choice."""
    reason = f"`{e.name}` divides the elements among threads as it chooses"
    operations: Iterator[Operation] = iter(() if e.intrinsic is None else MOVED[e.intrinsic])
    for argument in e.arguments:
        if isinstance(argument.type, ir.Record | ir.Array) and isinstance(argument, ir.Name | ir.Member | ir.Subscript):
            _forget(state, argument, e)
            continue
        value = state.value(argument)
        if not isinstance(value, Address | PointerSelect):
            continue
        operation = next(operations, None)
        if operation is not None:
            not_followed(state, value, argument, operation, reason)
    state.epoch += 1
    state.recorder.order.doubted(state)
    return state.algebra.zero
