"""How many iterations a loop makes, from a condition that is linear in the number of the iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.conditions import conjuncts
from coalint.analysis.interpreter.dry_runs import dry_run
from coalint.analysis.interpreter.loops.changes.records import Carried
from coalint.analysis.interpreter.loops.solving.closed_forms import stays_in_range
from coalint.analysis.interpreter.loops.solving.linear_conditions import equation, linear_in, total
from coalint.analysis.interpreter.loops.solving.running import enter

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


def count_trips(loop: LoopState, carried: list[Carried]) -> None:
    """Compute the number of iterations from a condition that is linear in the iteration, then the final counter."""
    provisional = loop.new_counter(None)
    loop.close(carried, provisional, plain=True)
    loop.trips = _trips(loop, carried, provisional)
    leaving = [item for item in carried if loop.trips is not None and not stays_in_range(loop, item)]
    if leaving:  # neither these values nor what was counted with them holds
        for item in leaving:
            del loop.steps[item.slot], loop.closed[item.slot], loop.narrow[item.slot]
        count_trips(loop, carried)
        return
    loop.counter = provisional if loop.trips is None else loop.new_counter(loop.trips)
    loop.close(carried, loop.counter)


def _trips(loop: LoopState, carried: list[Carried], counter: Poly) -> int | None:
    condition = loop.statement.condition
    if condition is None:
        return None
    state = loop.state
    is_aged = state.epoch != loop.epoch or id(loop.statement) in state.quiet
    if not (loop.steps or loop.statement.test_first) and is_aged:
        # Nothing is linear in the number of the iteration, and what the body stores has aged what was read already.
        loop.total, loop.surely, loop.monotone, loop.varying = None, False, False, False
        return None
    mark = len(state.exits)
    with dry_run(state):
        enter(loop, carried)
        if not loop.statement.test_first:
            loop.body(mark)
        value = state.condition(condition)
        loop.varying = False
    parts = conjuncts(loop.algebra, value)
    counts = [_linear_trips(loop, part, counter) for part in parts]
    loop.total = _linear_total(loop, parts[0], counter) if len(parts) == 1 else None
    known = [count for count in counts if count is not None]
    loop.surely = len(known) == len(counts)
    loop.monotone = loop.surely and not any(equation(loop.algebra, part) for part in parts)
    if not known:
        return None
    trips = min(known)
    return trips if loop.statement.test_first else trips + 1


def _linear_trips(loop: LoopState, part: Poly, counter: Poly) -> int | None:
    """Return the iterations for which d0 + d1*k < 0 (<= 0, != 0) holds from k = 0 on, for the thread with the most."""
    linear = linear_in(loop.algebra, part, counter)
    if linear is None:
        return None
    operator, d0, d1 = linear
    if operator == "==":
        start = _largest(loop, d0 if d1 < 0 else -d0)
        return None if start is None or start % abs(d1) else start // abs(d1)
    start = _largest(loop, -d0) if d1 > 0 else None
    if start is None:
        return None
    return max(0, -(-start // d1))


def _linear_total(loop: LoopState, part: Poly, counter: Poly) -> Poly | None:
    """Return the number of iterations of each thread, from the one condition d0 + d1*k < 0."""
    linear = linear_in(loop.algebra, part, counter)
    return None if linear is None or loop.varies(linear[1]) else total(loop.algebra, linear)


def _largest(loop: LoopState, value: Poly) -> int | None:
    number = loop.algebra.number(value)
    if number is not None:
        return number
    loop.varying = True
    return loop.state.recorder.maximum(value)


def name_counter(loop: LoopState, carried: list[Carried]) -> None:
    """Name the iterations after the `for`'s variable, where there is one."""
    name = next((variable.name for variable in loop.change.variables), "iteration")
    if loop.change.counter is not None:
        name = loop.change.counter.name
    loop.name = name


def new_counter(loop: LoopState, trips: int | None) -> Poly:
    """Return an atom for the number of the iteration, 0..trips-1."""
    high = None if trips is None else trips - 1
    return loop.algebra.atom(
        AtomKind.COUNTER, loop.name, Level.UNIFORM, key=loop.algebra.fresh_key(), low=0, high=high, trips=trips
    )
