"""A loop of which nothing is recorded: a run that found out how its variables change may stand for all iterations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.frames import Cells
from coalint.analysis.domain.guards import Guard
from coalint.analysis.interpreter.loops.changes.records import Carried
from coalint.analysis.interpreter.loops.gone_threads import after_guards, left_by, may_be_gone
from coalint.analysis.interpreter.loops.pointers.splits import confirm
from coalint.analysis.interpreter.loops.pointers.trial import end_cells
from coalint.analysis.interpreter.loops.recorded_loops import around
from coalint.analysis.interpreter.loops.solving.running import Iteration, enter
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


@record(frozen=True, slots=True)
class Entry:
    """The state before a loop: variables, guards, and how many exits and barriers there are."""

    cells: Cells
    guards: tuple[Guard, ...]
    exits: int
    barriers: int


def goes_on(loop: LoopState, entry: Entry, run: Iteration) -> bool:
    """Go on with the state that a dry run has left, as if it had known which threads are gone; False if it had to."""
    state, depth = loop.state, len(entry.guards)
    gone = left_by(loop, run.exits, run.late, depth) if may_be_gone(loop) else []
    if run.stores and not all(state.recorder.uniform(left.condition.value) for left in gone):
        return False
    state.store.cells = run.cells
    state.exits.extend(after_guards(run.exits, gone, depth))
    return True


@record(frozen=True, slots=True)
class UnrecordedRun:
    """What a run says that records nothing: the guards that a thread is not gone before, and the loop's condition.

    `stands` says that a run under these guards would give the same, so that the state after it is the one to go on
    with; otherwise the state is as it was before.
    """

    gone: list[Guard]
    guard: Guard | None
    stands: bool


def run_unrecorded(loop: LoopState, carried: list[Carried], entry: Entry) -> UnrecordedRun:
    """Run the body once where nothing is recorded, to see how threads leave and what they hold then.

    Guards matter there to what is said of exits alone, and to stores: whether part of the block makes them.
    """
    state, depth, stores = loop.state, len(entry.guards), loop.state.recorder.unsynchronised
    before = state.epoch, stores.written, stores.whole, len(state.escaped)
    cells = state.store.snapshot()
    enter(loop, carried)
    begin = state.store.snapshot()
    state.recorder.push_loop(around(loop, carried))
    guard = loop.test(first=True)
    late = loop.test(first=False) if loop.body(entry.exits) else None
    state.recorder.pop_loop()
    exits = state.exits[entry.exits :]
    confirm(loop, begin, end_cells(state, entry.exits))
    gone = left_by(loop, exits, late, depth)
    epoch, written, whole, escaped = before
    aged = state.epoch == epoch or epoch != loop.epoch  # else it has taken memory for what it was before the loop
    parted = whole != stores.whole and not all(state.recorder.uniform(left.condition.value) for left in gone)
    stands = aged and not parted and stores.written == written and len(state.escaped) == escaped
    if stands:
        state.exits[entry.exits :] = after_guards(exits, gone, depth)
    else:
        state.store.cells, state.guards, state.alive = cells, entry.guards, True
        del state.exits[entry.exits :]
    return UnrecordedRun(gone, guard or late, stands)
