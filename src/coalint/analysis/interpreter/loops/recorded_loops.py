"""What the recorder is told of a loop around accesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Exit
from coalint.analysis.domain.guards import Guard
from coalint.analysis.interpreter.loops.changes.records import Carried
from coalint.analysis.recorder.evaluated_kernel import LoopAround

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


def around(loop: LoopState, carried: list[Carried]) -> LoopAround:
    """Return the loop as it stands around the accesses of its body."""
    is_open = loop.trips is None and loop.total is not None
    most = loop.algebra.range(loop.total)[1] if is_open and loop.total is not None else None
    variable, left = _variable(loop, carried), loop.left_together
    return LoopAround(loop.statement, loop.counter, loop.trips, variable, loop.sequence, most, left)


def _variable(loop: LoopState, carried: list[Carried]) -> Poly | None:
    """Return the number that the variable which the loop is named after holds at the start of an iteration."""
    named = loop.change.counter
    if named is None:
        return None
    own = [item for item in carried if item.key == named.key and isinstance(item.start, Polynomial)]
    return loop.closed.get(own[0].slot) if own else None


def begin(loop: LoopState, depth: int) -> None:
    """Begin the loop in the order of accesses; `depth` is how many guards are around it."""
    counter = loop.algebra.atoms_of(loop.counter)[0].index if loop.counter is not None else -1
    loop.state.recorder.order.began(loop.statement, counter, loop.trips, depth, loop.change.breaks)


def end(loop: LoopState, guard: Guard | None, exits: Sequence[Exit]) -> None:
    """End it: threads leave by `guard`, its condition where that is open, and by these exits."""
    conditions = [condition.condition.value for exit in exits for condition in exit.path]
    if guard is not None:
        conditions.append(guard.condition.value)
    loop.state.recorder.order.ended(loop.state, conditions)


def tested(loop: LoopState, guard: Guard | None, since: int, until: int, meetings: int) -> None:
    """Note what the loop's condition, the `guard` of its body, has touched: the accesses between two counts.

    `meetings` is how often threads had met before the body.
    """
    recorder = loop.state.recorder
    if guard is None or since == until or recorder.uniformity.same_in_warps(guard.condition.value):
        return
    may_change = recorder.order.meetings != meetings
    recorder.supposed_loops.tested(loop.statement, guard.condition.text, since, until, may_change=may_change)
