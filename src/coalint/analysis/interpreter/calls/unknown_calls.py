"""Calls that are not followed: their results are unknown, and so is what they may have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.values import Address, Region, Value
from coalint.analysis.interpreter.effects.escape import havoc_arguments, havoc_globals
from coalint.core import ir
from coalint.core.ir import Intrinsic

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

_IN_REGISTERS = (Intrinsic.ARITHMETIC, Intrinsic.PURE)


def opaque(state: State, e: ir.Call, reason: str) -> Value:
    """Return an unknown result; what the arguments point to among local variables becomes unknown too."""
    if e.reason:
        state.recorder.order.doubted(state)  # what is declared nowhere need not even read its arguments
    given = havoc_arguments(state, e, reason)
    level = max((state.store.level(value) for _, value in given), default=Level.UNIFORM)
    for argument, value in given:
        if isinstance(value, Address) and value.base.region in (Region.GLOBAL, Region.SHARED):
            known = e.function in state.module.functions
            unseen = e.reason or (reason if known else "its body is not available")
            state.recorder.unfollowed(state, value, f"`{e.name}` may access it, and {unseen}", argument)
    havoc_globals(state, e, reason)
    state.epoch += 1
    state.recorder.unsynchronised.clear()
    if e.reason or e.intrinsic not in _IN_REGISTERS:
        state.recorder.order.doubted(state)
    return state.store.unknown(e.type, state.text_of(e), max(level, Level.DIVERGENT), reason)
