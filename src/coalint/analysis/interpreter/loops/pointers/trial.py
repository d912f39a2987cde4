"""One iteration of a loop's body that nothing records, with stand-ins for all that it may change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Cells
from coalint.analysis.domain.store.extents import WHOLE
from coalint.analysis.domain.values import Address, AggregateValue, Cell, Value
from coalint.analysis.interpreter.dry_runs import Checkpoint
from coalint.analysis.interpreter.loops.changes.records import Slot
from coalint.analysis.interpreter.loops.pointers import targets

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState
    from coalint.analysis.interpreter.state import State


@contextmanager
def trial(loop: LoopState, storages: Iterable[int]) -> Iterator[tuple[Cells, list[Cells]]]:
    """Run one iteration with stand-ins for what these storages hold; nothing is recorded.

    Gives what variables hold before it, and after it or where the loop is left; all of that is forgotten after.
    """
    state = loop.state
    before, mark = Checkpoint.of(state), len(state.exits)
    state.dry += 1
    try:
        stand_in(loop, storages)
        begin = state.store.snapshot()
        loop.test(first=True)
        if loop.body(mark):
            loop.test(first=False)
        yield begin, end_cells(state, mark)
    finally:
        state.dry -= 1
        before.restore()


def end_cells(state: State, mark: int) -> list[Cells]:
    """Return what variables hold at the end of an iteration, and at each exit from it, the first of number `mark`."""
    return [state.store.cells, *(exit.cells for exit in state.exits[mark:])]


def stand_in(loop: LoopState, storages: Iterable[int]) -> None:
    """Put stand-ins into these storages for what is there."""
    loop.put({slot: value for storage in storages for slot, value in _stand_ins(loop, storage)})


def has_stand_in(loop: LoopState, storage: int) -> bool:
    """Whether `stand_in` changes anything of what a storage holds: floating-point numbers stay as they are."""
    held = loop.state.store.cells.get(storage, {})
    return any(
        (storage, at) in loop.leads or (storage, at) in loop.replaced or _is_replaced(loop, at, cell)
        for at, cell in held.items()
    )


def _is_replaced(loop: LoopState, at: int, cell: Cell) -> bool:
    """Whether a variable is a number or a pointer that a run is given a stand-in for."""
    start = cell.value
    is_number = isinstance(start, Polynomial) and not loop.state.store.is_float(start)
    return at != WHOLE and (isinstance(start, Address) or is_number)


def _stand_ins(loop: LoopState, storage: int) -> Iterable[tuple[Slot, Value]]:
    store = loop.state.store
    for at, cell in store.cells.get(storage, {}).items():
        start = cell.value
        if (storage, at) in loop.leads:
            yield (storage, at), targets.chosen(loop, (storage, at))
        elif (storage, at) in loop.replaced:
            level = loop.replaced[storage, at]
            yield (
                (storage, at),
                AggregateValue({}, loop.algebra.stand_in("a struct", level, "it changes in a loop")),
            )
        elif _is_replaced(loop, at, cell):
            number = loop.algebra.stand_in("a variable", store.level(start), "it changes in a loop")
            yield (storage, at), Address(start.base, number) if isinstance(start, Address) else number
