"""The values of variables as functions of the number of the iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.arithmetic import bounds
from coalint.analysis.domain.algebra.atoms import AtomKind, Poly
from coalint.analysis.interpreter.loops.changes.records import Carried

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


def stays_in_range(loop: LoopState, item: Carried) -> bool:
    """Whether a variable of a narrow type is in its range from before the first to after the last iteration."""
    type_ = loop.narrow.get(item.slot)
    if type_ is None or item.offset is None:
        return True
    low, high = loop.algebra.range(item.offset)
    first, last = loop.algebra.range(loop.steps[item.slot] * (loop.trips or 0))
    if loop.trips is None or low is None or high is None or first is None or last is None:
        return False
    bottom, top = bounds(type_.bits, type_.signed)
    return low + min(0, first) >= bottom and high + max(0, last) <= top


def in_type(loop: LoopState, item: Carried, value: Poly) -> Poly:
    """Return a variable's value as its type holds it, which may be narrower than the number of iterations allows."""
    type_ = loop.narrow.get(item.slot)
    if type_ is None or stays_in_range(loop, item):
        return value
    return loop.algebra.operation("wrap", value, bits=type_.bits, signed=type_.signed)


def varies(loop: LoopState, step: Poly) -> bool:
    """Whether a value may differ from one iteration to the next."""
    return any(
        atom.index >= loop.born and atom.kind in (AtomKind.LOAD, AtomKind.OPAQUE, AtomKind.COUNTER, AtomKind.TABLE)
        for atom in loop.algebra.closure(step)
    )


def close(loop: LoopState, carried: list[Carried], counter: Poly, *, plain: bool = False) -> None:
    """Write down the value of every variable that moves in steps; `plain`: as if no type were too narrow."""
    for item in carried:
        if item.slot in loop.steps and item.offset is not None:
            value = item.offset + loop.steps[item.slot] * counter
            loop.closed[item.slot] = value if plain else in_type(loop, item, value)
