"""A loop inside of one of which it is found out what it changes: run once, with stand-ins for all that it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.frames import Cells
from coalint.analysis.domain.guards import GuardKind
from coalint.analysis.interpreter.dry_runs import Checkpoint
from coalint.analysis.interpreter.loops.changes.carried import find_carried
from coalint.analysis.interpreter.loops.pointers import targets
from coalint.analysis.interpreter.loops.pointers.members import ROUNDS, differing, loses_pointers
from coalint.analysis.interpreter.loops.pointers.search import Search
from coalint.analysis.interpreter.loops.pointers.splits import confirm
from coalint.analysis.interpreter.loops.pointers.trial import end_cells, stand_in
from coalint.analysis.interpreter.statements import control_flow

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


def discover(loop: LoopState) -> None:
    """Run the body once, with stand-ins for all that the loop changes, before it and after it.

    That tells what the loops around this one change; what it makes of its variables is of no use then. Where it is
    not known yet what the loop changes through pointers, the same run tells whether that is more than was thought.
    """
    changed: list[int] = []
    for _ in range(ROUNDS):
        loop.search = Search(changed)
        more = _pass(loop)
        if more is None:
            break  # pointers lead elsewhere than was known: that has a search of its own
        if not more:
            return
        changed = [*loop.search.changed, *more]
    loop.search = None
    loop.leads.clear()
    _pass(loop)


def _pass(loop: LoopState) -> list[int] | None:
    """Run the body; return what else it turns out to change, the state as it was then, None where pointers are lost."""
    state, store = loop.state, loop.state.store
    before, mark = Checkpoint.of(state), len(state.exits)
    storages = [item.slot[0] for item in find_carried(loop)]
    stand_in(loop, storages)
    begin = store.snapshot()
    loop.test(first=True)
    if loop.body(mark):
        loop.test(first=False)
    confirm(loop, begin, end_cells(state, mark))
    if loop.search is not None and loop.search.is_open:
        more = _surprises(loop, loop.search, before.cells, begin, mark)
        if more is None or more:
            before.restore()
            loop.sizes.clear()
            loop.replaced.clear()
            return more
    breaks = [exit for exit in state.exits[mark:] if exit.kind is GuardKind.BREAK]
    state.exits[mark:] = [exit for exit in state.exits[mark:] if exit.kind in control_flow.FARTHER]
    state.alive = loop.statement.condition is not None
    control_flow.rejoin(state, breaks, len(before.guards))
    state.guards = before.guards
    stand_in(loop, storages)
    return []


def _surprises(loop: LoopState, search: Search, starts: Cells, begin: Cells, mark: int) -> list[int] | None:
    """Return what the body has changed beside what the loop was taken to change; None where pointers are lost."""
    state = loop.state
    ends = end_cells(state, mark)
    if loses_pointers(loop, starts, begin) or targets.learn(loop, starts, begin, ends) or loop.leads:
        return None
    more = [storage for storage in differing(begin, ends) if storage not in search.known]
    if more:
        state.reached.outdate(loop.statement)  # what was found out while these were taken to stay as they are
    else:
        state.reached.keep(state, loop.statement, search.changed)
    return more
