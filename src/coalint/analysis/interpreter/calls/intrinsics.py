"""Calls of functions without a body, by what they mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.domain.values import Value
from coalint.analysis.interpreter.calls import copies, warp_primitives, wrapped_indices
from coalint.analysis.interpreter.calls.memory_calls import atomic, cached_load, cached_store, copy_bytes
from coalint.analysis.interpreter.calls.ptx import barriers
from coalint.analysis.interpreter.calls.pure import class_operator, pure
from coalint.analysis.interpreter.calls.unknown_calls import opaque
from coalint.analysis.recorder.barriers import Waits
from coalint.core import ir
from coalint.core.ir import Intrinsic
from coalint.core.ir.intrinsics import ATOMICS, BLOCK_BARRIERS, PURE_FUNCTIONS, WARP_PRIMITIVES
from coalint.core.ir.straight_code import may_change_arguments
from coalint.machine.nvcc.struct_loads import StructPart

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State
_OPERATORS = (Intrinsic.OPERATOR, Intrinsic.ASSIGNING_OPERATOR, Intrinsic.SUBSCRIPT_OPERATOR)
_COPIES = frozenset(copies.MOVED)


def intrinsic(state: State, e: ir.Call, used: tuple[StructPart, ...] = ()) -> Value:
    """Return a call without a body: an intrinsic by its meaning, anything else unknown."""
    meant = e.intrinsic
    if meant is not None:
        if meant in _OPERATORS:
            return class_operator(state, e)
        if meant in BLOCK_BARRIERS:
            return _barrier(state, e)
        if meant in WARP_PRIMITIVES:
            return warp_primitives.call(state, e)
        if meant in _COPIES:
            return copies.call(state, e)
        handler = _HANDLERS.get(meant)
        result = None if handler is None else handler(state, e, used)
        if result is not None:
            return result
        if meant is Intrinsic.TRAP and state.recorder.model is not None:
            state.recorder.mark_traps(state)
            state.alive = False
            return state.algebra.zero
    if not e.reason and (meant in PURE_FUNCTIONS or (isinstance(e.type, ir.Floating) and not may_change_arguments(e))):
        return pure(state, e)
    return opaque(state, e, e.reason or f"the body of `{e.name}` is not available")


def _barrier(state: State, e: ir.Call) -> Value:
    for argument in e.arguments:
        state.value(argument)
    state.epoch += 1
    if e.intrinsic is Intrinsic.SYNC_NAMED_COUNT:
        barriers.named(state, e.name, e.span, state.scalar(e.arguments[0]), state.scalar(e.arguments[1]))
        return state.algebra.zero
    if e.intrinsic is Intrinsic.SYNC_NAMED:
        barriers.named(state, e.name, e.span, state.scalar(e.arguments[0]), None, whole=True)
        return state.algebra.zero
    state.recorder.barriers.record(state, e.name, e.span, Waits(split=e.intrinsic is Intrinsic.SYNC_SPLIT))
    if isinstance(e.type, ir.Other):
        return state.algebra.zero
    return state.algebra.opaque(f"{e.name}()", Level.UNIFORM, "")


def _same_value(state: State, e: ir.Call, _used: tuple[StructPart, ...]) -> Value | None:
    return state.value(e.arguments[0]) if e.arguments else None


def _without_effect(state: State, e: ir.Call, _used: tuple[StructPart, ...]) -> Value:
    if e.intrinsic is Intrinsic.MEMORY_FENCE:
        state.recorder.order.doubted(state)
        state.recorder.barriers.fence(state)
    for argument in e.arguments:
        state.value(argument)
    return state.algebra.zero


def _print(state: State, e: ir.Call, used: tuple[StructPart, ...]) -> Value:
    """Evaluate a call of a function that the compiler knows nothing of: it may read and write any memory."""
    value = _without_effect(state, e, used)
    state.recorder.called(state)
    return value


def _assertion(state: State, e: ir.Call, used: tuple[StructPart, ...]) -> Value:
    if len(e.arguments) != 1 or state.recorder.model is None:
        return _without_effect(state, e, used)
    order = state.recorder.order
    order.is_asserting = True
    try:
        condition = state.scalar(e.arguments[0])
    finally:
        order.is_asserting = False
    stated = Condition(condition, state.condition_text(condition, e.arguments[0].span))
    state.recorder.uniformity.asserted(state.guards, stated)
    if e.intrinsic is Intrinsic.CHECKED_ASSERTION:  # where it fails, another function is called: nothing merges over it
        state.recorder.barriers.fence(state)
    return state.algebra.zero


_HANDLERS: dict[Intrinsic, Callable[[State, ir.Call, tuple[StructPart, ...]], Value | None]] = {
    **dict.fromkeys(ATOMICS, atomic),
    Intrinsic.CACHED_LOAD: cached_load,
    Intrinsic.CACHED_STORE: cached_store,
    Intrinsic.SAME_VALUE: _same_value,
    Intrinsic.ASSUME_ALIGNED: _same_value,
    Intrinsic.COPY_MEMORY: copy_bytes,
    Intrinsic.ASSERTION: _assertion,
    Intrinsic.CHECKED_ASSERTION: _assertion,
    Intrinsic.NO_EFFECT: _without_effect,
    Intrinsic.PRINT: _print,
    Intrinsic.MEMORY_FENCE: _without_effect,
    Intrinsic.WRAPPED_INDEX: wrapped_indices.call,
}
"""What a call does, and gives; None where its arguments are not those of the intrinsic."""
