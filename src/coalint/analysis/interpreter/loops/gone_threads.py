"""Which threads have left a loop in an earlier iteration: by break, by return, by a condition at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.conditions import When
from coalint.analysis.domain.frames import Exit
from coalint.analysis.domain.guards import Guard
from coalint.analysis.interpreter.dry_runs import dry_run
from coalint.analysis.interpreter.loops.changes.records import Carried
from coalint.analysis.interpreter.loops.solving.running import enter
from coalint.analysis.interpreter.statements import control_flow

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


def may_be_gone(loop: LoopState) -> bool:
    """Whether a thread may have left the loop in an earlier iteration otherwise than by the condition at its start."""
    late = loop.statement.condition is not None and not loop.statement.test_first
    return loop.counter is not None and (loop.change.breaks or late)


def guards_of_gone(loop: LoopState, carried: list[Carried]) -> list[Guard]:
    """Return the guards that a thread has not left the loop in an earlier iteration (break, return, a late test)."""
    if not may_be_gone(loop):
        return []
    state = loop.state
    depth, mark = len(state.guards), len(state.exits)
    with dry_run(state):
        enter(loop, carried)
        loop.test(first=True)
        late = loop.test(first=False) if loop.body(mark) else None
        return left_by(loop, state.exits[mark:], late, depth)


def left_by(loop: LoopState, exits: Sequence[Exit], late: Guard | None, depth: int) -> list[Guard]:
    """Return the guards that a thread has taken none of these exits before, nor left by the `late` test.

    Exits that say nothing of single threads are kept for the count of iterations, which the `late` test is part of.
    """
    assert loop.counter is not None
    index = loop.algebra.atoms_of(loop.counter)[0].index
    lefts = [control_flow.exit_guard(loop.state, exit, depth, ((index, When.BEFORE),)) for exit in exits]
    loop.left_together = tuple(left.condition for left in lefts if _idle(loop, left.condition.value))
    same = loop.monotone and not loop.varying  # for all threads and blocks, if the condition is
    if late is not None and not (same and loop.algebra.level(late.condition.value) is Level.UNIFORM):
        condition = replace(late.condition, over=((index, When.BEFORE),))
        lefts.append(replace(late, condition=condition))
    return [left for left in lefts if not _idle(loop, left.condition.value)]


def after_guards(exits: Sequence[Exit], gone: Sequence[Guard], depth: int) -> list[Exit]:
    """Return exits with the guards of an iteration on their way, behind those of before the loop."""
    return [replace(exit, path=(*exit.path[:depth], *gone, *exit.path[depth:])) for exit in exits]


def _idle(loop: LoopState, value: Poly) -> bool:
    """Whether a condition says nothing of single threads or iterations: uniform and not known."""
    if loop.algebra.level(value) is not Level.UNIFORM:
        return False
    counted = (AtomKind.COUNTER, AtomKind.OPERATION, AtomKind.TABLE)
    return not all(atom.kind in counted for atom in loop.algebra.closure(value))
