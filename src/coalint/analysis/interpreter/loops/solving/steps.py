"""Variables that move by the same step in every iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.values import Address
from coalint.analysis.interpreter.dry_runs import restored_variables
from coalint.analysis.interpreter.loops.changes.records import Carried, Step
from coalint.analysis.interpreter.loops.pointers.members import pointed_to
from coalint.analysis.interpreter.loops.solving.trip_counts import count_trips
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


def solve_by_steps(loop: LoopState, carried: list[Carried]) -> list[Carried]:
    """Solve `i += step`, once per iteration, with a step that the loop does not change; return what is not solved."""
    store = loop.state.store
    pointed = pointed_to(loop.state) if loop.change.stores else set()
    for item in carried:
        increment = loop.change.increments.get(item.key) if item.slot[1] == 0 else None
        if increment is None or item.offset is None or item.slot[0] in pointed:
            continue  # what is pointed to may be changed otherwise too
        step = _step(loop, item, increment)
        if step is not None and not loop.varies(step):
            loop.steps[item.slot] = step
            if isinstance(increment.type, ir.Integer) and increment.type.bits < 32:
                loop.narrow[item.slot] = increment.type
    count_trips(loop, carried)
    return [
        item
        for item in carried
        if item.slot not in loop.steps and item.offset is not None and not store.is_float(item.offset)
    ]


def _step(loop: LoopState, item: Carried, increment: Step) -> Poly | None:
    """Return what an increment adds to a variable, in bytes for pointers; None where it is not followed."""
    state = loop.state
    steps = state.steps
    with restored_variables(state):
        by = state.value(increment.by)
        after = state.combine(increment.operator, item.start, by, increment.type, increment.by.type, increment.by)
    state.steps = max(state.steps, steps)
    if isinstance(after, Address) and after.base is not getattr(item.start, "base", None):
        return None
    end = after.offset if isinstance(after, Address) else after
    return end - item.offset if isinstance(end, Polynomial) and item.offset is not None else None
