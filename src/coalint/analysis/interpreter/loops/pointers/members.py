"""What a loop changes through pointers, references in objects and lambdas: found by running the body."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from coalint.analysis.domain.frames import Cells, Frame, Lvalue
from coalint.analysis.domain.store.extents import WHOLE
from coalint.analysis.domain.values import Address, AggregateValue, Cell, Closure, PointerSelect, Value
from coalint.analysis.interpreter.effects.escape import reached
from coalint.analysis.interpreter.loops.pointers import targets
from coalint.analysis.interpreter.loops.pointers.trial import has_stand_in, trial

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState
    from coalint.analysis.interpreter.state import State

ROUNDS = 6  # each may find that what was found before leads to more


def changed_otherwise(loop: LoopState, storages: Collection[int]) -> list[int]:
    """Return the variables that the loop changes through pointers, references in objects and lambdas made before it.

    Where the pointers that it changes come to lead to other local variables, `loop.leads` says so after this.
    """
    state = loop.state
    escaped = state.may_store_unknown and loop.change.writes and state.escaped
    reaches = loop.change.stores and (loop.change.decays or escaped or leads_somewhere(state))
    if not reaches and not targets.may_turn(loop, storages):
        return []
    changed, complete = state.reached.find(state, loop.statement, storages)
    if complete:
        return changed
    if loop.search is not None:
        changed += [storage for storage in loop.search.changed if storage not in changed and storage not in storages]
        loop.search.changed = changed
        loop.search.is_open, loop.search.known = True, frozenset((*storages, *changed))
        return changed
    for _ in range(ROUNDS):
        state.discovering += 1
        touched, turned = _touched(loop, [*storages, *changed])
        state.discovering -= 1
        fresh = [s for s in touched if s not in changed and s not in storages]
        if not fresh and not turned:
            break
        changed += fresh
        if not turned and not any(has_stand_in(loop, storage) for storage in fresh):
            break  # another run would be this one again
        if fresh:
            state.reached.outdate(loop.statement)  # what was found out while these were taken to stay as they are
    if state.dry and not loop.leads:  # with stand-ins for all that loops around change: other runs do no more
        state.reached.keep(state, loop.statement, changed)
    return changed


def leads_somewhere(state: State) -> bool:
    """Whether a variable in scope leads to others."""
    return any(_leads_on(state, value) for value in _visible(state))


def pointed_to(state: State) -> set[int]:
    """Return the variables that pointers and lambdas in scope lead to."""
    return {storage for value in _visible(state) for storage in reached(state, value)}


def _visible(state: State) -> Iterator[Value]:
    """Yield what the variables hold that are in scope."""
    frame: Frame | None = state.frame
    while frame is not None:
        for held in (*frame.variables.values(), *((frame.receiver,) if frame.receiver is not None else ())):
            storage = held
            if isinstance(held, Lvalue):
                storage = held.address.base.storage if isinstance(held.address, Address) else -1
            yield from (cell.value for cell in state.store.cells.get(storage, {}).values())
        frame = frame.outer


def _leads_on(state: State, value: Value) -> bool:
    """Whether a value leads to variables: a pointer to one, a lambda, or an object that holds such."""
    match value:
        case Closure():
            return True
        case Address():
            return value.base.storage >= 0 and value.base.storage not in state.global_storages
        case PointerSelect():
            return _leads_on(state, value.then) or _leads_on(state, value.otherwise)
        case AggregateValue():
            return any(_leads_on(state, cell.value) for cell in value.cells.values())
    return False


def _touched(loop: LoopState, storages: Iterable[int]) -> tuple[list[int], bool]:
    """Return the storages of before the loop that hold something else after an iteration, or where the loop is left.

    And whether pointers among them turned out to lead elsewhere than was known.
    """
    starts = loop.state.store.snapshot()
    with trial(loop, storages) as (begin, ends):
        return differing(begin, ends), targets.learn(loop, starts, begin, ends)


def differing(begin: Cells, ends: Sequence[Cells]) -> list[int]:
    """Return the storages that hold something else at one of the ends than at the beginning."""
    return [
        storage for storage, cells in begin.items() if any(_differs(end.get(storage, cells), cells) for end in ends)
    ]


def _differs(after: Mapping[int, Cell], before: Mapping[int, Cell]) -> bool:
    if after is before:
        return False
    return after.keys() != before.keys() or any(
        cell is not before[at] and (cell.size != before[at].size or cell.value != before[at].value)
        for at, cell in after.items()
    )


def loses_pointers(loop: LoopState, before: Cells, after: Cells) -> bool:
    """Whether a variable that leads to others has become one of which no element is followed."""
    return any(
        WHOLE in after.get(storage, {}) and any(_leads_on(loop.state, cell.value) for cell in cells.values())
        for storage, cells in before.items()
        if after.get(storage) is not cells
    )
