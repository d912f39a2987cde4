"""Warp primitives by their meaning: who waits for whom, and what the lanes get."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Kind, Level, Poly
from coalint.analysis.domain.values import Address, Blob, Choice, Closure, FunctionValue, Place, Value
from coalint.analysis.interpreter.calls.intrinsics import SPELLED, VOTES
from coalint.analysis.recorder.barriers import Waits
from coalint.analysis.synchronization.masks import FULL, Named
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

WARP = 32  # lanes
PRIMITIVES = ("__shfl", "__match_", "__syncwarp", "__coalint_tile")


def call(run: State, e: ir.Call) -> Value:
    """A call of a primitive: recorded as a barrier of the lanes that its mask names."""
    values = [run.value(argument) for argument in e.arguments]
    if e.name == "__activemask":
        return _asked(run, e)
    if e.name == "__coalint_tile_sync":
        return _tile(run, e, values)
    masked = e.name.endswith("_sync") or e.name in ("__syncwarp", "__coalint_tile_exchange", "__coalint_tile_reduce")
    mask = _mask(run, values) if masked else run.algebra.constant(FULL)
    run.recorder.barriers.record(run, SPELLED.get(e.name, e.name), e.span, Waits("warp", mask=mask, masked=masked))
    operands = values[1:] if masked else values
    if e.name == "__syncwarp":
        run.epoch += 1
        return run.algebra.zero
    if e.name in VOTES or (e.name == "__coalint_tile_reduce" and isinstance(e.type, ir.Integer)):
        return _vote(run, e, mask, operands)
    if e.name.startswith("__match_"):
        return _match(run, e, mask, operands)
    return _shuffle(run, e, operands)


def _mask(run: State, values: list[Value]) -> Poly | None:
    """The mask as a number; None where it is not followed."""
    if not values:
        return run.algebra.constant(FULL)
    return None if isinstance(values[0], Address | Choice | Blob | Closure | FunctionValue) else values[0]


def _asked(run: State, e: ir.Call) -> Value:
    """__activemask(): the lanes that are here, as far as one can tell."""
    mask = _same_in_warp(run, e, [])
    run.recorder.barriers.names(mask, Named(run.guards))
    return mask


def _tile(run: State, e: ir.Call, values: list[Value]) -> Value:
    """A tile of several warps."""
    size = run.algebra.number(run.as_scalar(values[0], e))
    specialization = run.recorder.specialization
    whole = specialization is None or size is None or size >= prod(specialization.block)
    run.epoch += 1
    run.recorder.barriers.record(run, SPELLED[e.name], e.span, Waits("block", None if whole else size))
    return run.algebra.zero


def _vote(run: State, e: ir.Call, mask: Poly | None, operands: list[Value]) -> Value:
    if mask is None or not run.recorder.uniformity.same_in_warps(mask):
        return _same_for_mask(run, e, mask, operands)
    voted = _same_in_warp(run, e, operands)
    if e.name in ("__ballot_sync", "__ballot") and operands:
        predicate = run.algebra.truth(run.as_scalar(operands[-1], e))
        run.recorder.barriers.names(voted, Named(run.guards, predicate, mask))
    return voted


def _match(run: State, e: ir.Call, mask: Poly | None, operands: list[Value]) -> Value:
    """The lanes that hold the same value (any), or the mask where all do, else 0 (all)."""
    if e.name == "__match_all_sync":
        found = _vote(run, e, mask, operands[:1])
        if len(operands) > 1 and isinstance(operands[1], Address):
            agree = _vote(run, e, mask, operands[:1])
            run.write(Place(operands[1], ir.Integer(32, True)), agree, e.arguments[2])
    else:
        reason = f"a value from other lanes (`{e.name}`)"
        found = run.algebra.opaque(run.text(e.span), Level.EXCHANGED, reason)
    run.recorder.barriers.names(found, Named(run.guards, None, mask, some=e.name != "__match_all_sync"))
    return found


def _shuffle(run: State, e: ir.Call, operands: list[Value]) -> Value:
    value = operands[0] if operands else run.algebra.zero
    if run.store.level(value) is Level.UNIFORM:
        return value
    if isinstance(e.type, ir.Floating):
        return run.store.floating(Level.EXCHANGED)
    source = operands[1] if len(operands) > 1 else None
    width = run.algebra.number(run.as_scalar(operands[2], e)) if len(operands) > 2 else WARP
    broadcast = e.name in ("__shfl_sync", "__shfl") and width == WARP
    if broadcast and source is not None and run.store.level(source) is Level.UNIFORM:
        return _same_in_warp(run, e, operands)
    reason = f"a value from another lane (`{e.name}`)"
    if not isinstance(e.type, ir.Integer):
        return run.store.unknown(e.type, run.text(e.span), Level.EXCHANGED, reason)
    exchanged = run.as_scalar(value, e)
    return run.algebra.opaque(run.text(e.span), Level.EXCHANGED, reason, operands=(exchanged,))


def _same_in_warp(run: State, e: ir.Call, values: list[Value]) -> Value:
    """A value that all lanes of a warp share; whether the warps of the block agree on it is not known."""
    level = max((run.store.level(value) for value in values), default=Level.UNIFORM)
    level = Level.UNIFORM if run.recorder.single_warp() else min(max(level, Level.DIVERGENT), Level.LOADED)
    reason = f"`{e.name}` gives each warp a value of its own, and whether these agree is not followed"
    if run.algebra.crowded():
        return run.algebra.lost(level, together=True)
    return run.algebra.atom(Kind.LOAD, run.text(e.span), level, key=run.algebra.fresh_key(), reason=reason)


def _same_for_mask(run: State, e: ir.Call, mask: Poly | None, values: list[Value]) -> Value:
    """A value that the lanes of one mask share."""
    reason = f"`{e.name}` gives the lanes of each mask a value of their own, and whether these agree is not followed"
    if mask is None:
        return run.algebra.opaque(run.text(e.span), Level.EXCHANGED, reason)
    level = max((run.store.level(value) for value in (mask, *values)), default=Level.UNIFORM)
    level = min(max(level, Level.DIVERGENT), Level.LOADED)
    key = run.algebra.fresh_key()
    return run.algebra.atom(Kind.LOAD, run.text(e.span), level, key=key, operands=(mask,), reason=reason)
