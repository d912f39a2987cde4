"""Stores: a value written at an lvalue."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.derivations import Definition
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.values import (
    NULL,
    PointerSelect,
    Region,
    Value,
)
from coalint.analysis.interpreter.effects import escape
from coalint.analysis.interpreter.memory.loads import bit_field, loaded_from, mark_pointers_escaped
from coalint.core import ir
from coalint.core.facts.access import Operation

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def write(state: State, place: Lvalue, value: Value, e: ir.Expression, definition: Definition | None = None) -> None:
    """Store a value at a place; `e` is the lvalue as written."""
    if isinstance(place.address, PointerSelect):
        for condition, side in state.sides(place.address, e.span):
            at = replace(place, address=side)
            kept = value
            if side.base.region is Region.LOCAL:
                kept = state.store.select(condition, value, state.load(at, None))
            state.write(at, kept, e, definition)
        return
    base = place.address.base
    if base.region is Region.LOCAL:
        if base.storage in state.store.parameters:
            state.store.keep_given(base.storage, place.address.offset, place.type)
        if place.bit_bytes:
            value = bit_field(state, place, place.address, state.text_of(e), value)
        size = place.bit_bytes or place.type.size
        if isinstance(place.type, ir.Pointer) and state.algebra.number(place.address.offset) is None:
            mark_pointers_escaped(state, base.storage)
            escape.mark_escaped(state, value)
        state.store.write(base.storage, place.address.offset, size, value, definition, place.within)
        return
    if base.region is Region.UNKNOWN and base is not NULL:
        escape.store_through_unknown(state, state.text_of(e))
    escape.mark_escaped(state, value)
    order = state.recorder.order
    order.copied = loaded_from(state, base, place.type, value) if order.wanted and not state.dry else None
    state.epoch += 1
    state.recorder.unsynchronised.wrote(state, place.address, value, e.span)
    state.recorder.access(state, place, Operation.STORE, e, value=value)
    order.copied = None
