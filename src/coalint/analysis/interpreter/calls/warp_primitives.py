"""Warp primitives by their meaning: who waits for whom, and what the lanes get."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.values import Address, AggregateValue, Closure, FunctionValue, PointerSelect, Value
from coalint.analysis.recorder.barriers import Waits
from coalint.analysis.synchronization.named_lanes import FULL, Named
from coalint.core import ir
from coalint.core.ir import Intrinsic
from coalint.core.ir.intrinsics import MATCHES, SHUFFLES, VOTES

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

WARP = 32  # lanes
# Lanes that exchange values are not ordered in what they do to memory (programming guide, 10.22; PTX ISA, 9.7.9.6).
_UNORDERED = VOTES | SHUFFLES | MATCHES
_READING = SHUFFLES | {Intrinsic.TILE_REDUCE, Intrinsic.TILE_EXCHANGE}


def call(state: State, e: ir.Call) -> Value:
    """Return a call of a primitive: recorded as a barrier of the lanes that its mask names."""
    values = [state.value(argument) for argument in e.arguments]
    if e.intrinsic is Intrinsic.ACTIVE_MASK:
        return _asked(state, e)
    if e.intrinsic is Intrinsic.SYNC_TILE:
        return _tile(state, e, values)
    mask = _mask(state, values) if e.masked else state.algebra.constant(FULL)
    waits = Waits(
        "warp", mask=mask, masked=e.masked, orders_memory=e.intrinsic not in _UNORDERED, reads=e.intrinsic in _READING
    )
    state.recorder.barriers.record(state, e.name, e.span, waits)
    operands = values[1:] if e.masked else values
    if e.intrinsic is Intrinsic.SYNC_WARP:
        state.epoch += 1
        return state.algebra.zero
    if e.intrinsic in VOTES or (e.intrinsic is Intrinsic.TILE_REDUCE and isinstance(e.type, ir.Integer)):
        return _vote(state, e, mask, operands)
    if e.intrinsic in MATCHES:
        return _match(state, e, mask, operands)
    return _shuffle(state, e, operands)


def _mask(state: State, values: list[Value]) -> Poly | None:
    """Return the mask as a number; None where it is not followed."""
    if not values:
        return state.algebra.constant(FULL)
    return (
        None if isinstance(values[0], Address | PointerSelect | AggregateValue | Closure | FunctionValue) else values[0]
    )


def _asked(state: State, e: ir.Call) -> Value:
    """Return __activemask(): the lanes that are here, as far as one can tell."""
    mask = _same_in_warp(state, e, [])
    state.recorder.barriers.names(mask, Named(state.guards))
    return mask


def _tile(state: State, e: ir.Call, values: list[Value]) -> Value:
    """Return a tile of several warps."""
    size = state.algebra.number(state.as_scalar(values[0], e))
    specialization = state.recorder.specialization
    whole = specialization is None or size is None or size >= prod(specialization.block)
    state.epoch += 1
    state.recorder.barriers.record(state, e.name, e.span, Waits("block", None if whole else size))
    return state.algebra.zero


def _vote(state: State, e: ir.Call, mask: Poly | None, operands: list[Value]) -> Value:
    if mask is None or not state.recorder.uniformity.same_in_warps(mask):
        return _same_for_mask(state, e, mask, operands)
    voted = _same_in_warp(state, e, operands)
    if e.intrinsic is Intrinsic.BALLOT and operands:
        predicate = state.algebra.truth(state.as_scalar(operands[-1], e))
        state.recorder.barriers.names(voted, Named(state.guards, predicate, mask))
    return voted


def _match(state: State, e: ir.Call, mask: Poly | None, operands: list[Value]) -> Value:
    """Return the lanes that hold the same value (any), or the mask where all do, else 0 (all)."""
    if e.intrinsic is Intrinsic.MATCH_ALL:
        result = _vote(state, e, mask, operands[:1])
        if len(operands) > 1 and isinstance(operands[1], Address):
            agree = _vote(state, e, mask, operands[:1])
            state.write(Lvalue(operands[1], ir.Integer(32, True)), agree, e.arguments[2])
    else:
        reason = f"a value from other lanes (`{e.name}`)"
        result = state.algebra.opaque(state.text_of(e), Level.EXCHANGED, reason)
    state.recorder.barriers.names(result, Named(state.guards, None, mask, some=e.intrinsic is not Intrinsic.MATCH_ALL))
    return result


def _shuffle(state: State, e: ir.Call, operands: list[Value]) -> Value:
    value = operands[0] if operands else state.algebra.zero
    if state.store.level(value) is Level.UNIFORM:
        return value
    if isinstance(e.type, ir.Floating):
        return state.store.floating(Level.EXCHANGED)
    source = operands[1] if len(operands) > 1 else None
    width = state.algebra.number(state.as_scalar(operands[2], e)) if len(operands) > 2 else WARP
    broadcast = e.intrinsic is Intrinsic.SHUFFLE and width == WARP
    if broadcast and source is not None and state.store.level(source) is Level.UNIFORM:
        return _same_in_warp(state, e, operands)
    reason = f"a value from another lane (`{e.name}`)"
    if not isinstance(e.type, ir.Integer):
        return state.store.unknown(e.type, state.text_of(e), Level.EXCHANGED, reason)
    exchanged = state.as_scalar(value, e)
    return state.algebra.opaque(state.text_of(e), Level.EXCHANGED, reason, operands=(exchanged,))


def _same_in_warp(state: State, e: ir.Call, values: list[Value]) -> Value:
    """Return a value that all lanes of a warp share; whether the warps of the block agree on it is not known."""
    level = max((state.store.level(value) for value in values), default=Level.UNIFORM)
    level = Level.UNIFORM if state.recorder.single_warp() else min(max(level, Level.DIVERGENT), Level.LOADED)
    reason = f"`{e.name}` gives each warp its own value, and whether these agree is not followed"
    if state.algebra.crowded():
        return state.algebra.lost(level, warp_uniform=True)
    return state.algebra.atom(AtomKind.LOAD, state.text_of(e), level, key=state.algebra.fresh_key(), reason=reason)


def _same_for_mask(state: State, e: ir.Call, mask: Poly | None, values: list[Value]) -> Value:
    """Return a value that the lanes of one mask share."""
    reason = f"`{e.name}` gives the lanes of each mask their own value, and whether these agree is not followed"
    if mask is None:
        return state.algebra.opaque(state.text_of(e), Level.EXCHANGED, reason)
    level = max((state.store.level(value) for value in (mask, *values)), default=Level.UNIFORM)
    level = min(max(level, Level.DIVERGENT), Level.LOADED)
    key = state.algebra.fresh_key()
    return state.algebra.atom(AtomKind.LOAD, state.text_of(e), level, key=key, operands=(mask,), reason=reason)
