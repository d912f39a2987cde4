"""What a loop changes beside the variables that it assigns to by name.

Members of structs get cells of their own, to be followed like other variables; what pointers, references in objects and
lambdas lead to is found by running the body.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Cells, Frame, Lvalue
from coalint.analysis.domain.store.extents import WHOLE, is_filled
from coalint.analysis.domain.values import NULL, Address, AggregateValue, Cell, Closure, PointerSelect, Value
from coalint.analysis.interpreter.effects.escape import reached
from coalint.analysis.interpreter.loops.changes.records import Slot
from coalint.analysis.interpreter.loops.pointers import targets

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
        if fresh:
            state.reached.outdate(loop.statement)  # what was found out while these were taken to stay as they are
    if state.discovering and not loop.leads:  # with stand-ins for all that loops around change: other runs do no more
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
    with _dry_run(loop, storages) as (begin, ends):
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


@contextmanager
def _dry_run(loop: LoopState, storages: Iterable[int]) -> Iterator[tuple[Cells, list[Cells]]]:
    """Run one iteration with stand-ins for what these storages hold; nothing is recorded.

    Gives what variables hold before it, and after it or where the loop is left; all of that is forgotten after.
    """
    state, algebra, store = loop.state, loop.algebra, loop.state.store
    saved, guards, mark, alive = store.snapshot(), state.guards, len(state.exits), state.alive
    born, outside = algebra.mark(), store.outside_known()
    state.dry += 1
    try:
        stand_in(loop, storages)
        begin = store.snapshot()
        loop.test(first=True)
        if loop.body(mark):
            loop.test(first=False)
        yield begin, [store.cells, *(exit.cells for exit in state.exits[mark:])]
    finally:
        state.dry -= 1
        store.cells, state.guards, state.alive = saved, guards, alive
        del state.exits[mark:]
        algebra.forget(born)
        store.forget_outside(outside)
        state.recorder.forget()


def split_up(loop: LoopState, storages: Sequence[int], structs: Sequence[int]) -> list[int]:
    """Give the members that the loop writes cells of their own; the storages in which these were not found out.

    The body is run without recording, with stand-ins for all that it may change: it takes every way then that it may
    take in any iteration. Structs that are assigned to as a whole get the level that they come to in `loop.replaced`.
    `structs` are those of the storages that hold such.
    """
    store = loop.state.store
    structs = [storage for storage in structs if _is_split(loop, storage)]
    if not structs:
        return []
    for _ in range(ROUNDS):
        known = {storage: dict(store.cells.get(storage, {})) for storage in structs}, dict(loop.replaced)
        for (storage, at), (cell, level) in _written(loop, storages, structs).items():
            if level is not None:
                loop.replaced[storage, at] = level
            elif at == WHOLE and WHOLE not in store.cells.get(storage, {}):
                return structs
            elif at != WHOLE:
                store.give_cell(storage, at, cell)
        if known == ({storage: store.cells.get(storage, {}) for storage in structs}, loop.replaced):
            return []
    return structs


def _is_split(loop: LoopState, storage: int) -> bool:
    """Whether parts of a storage have no cells of their own though there is something in them."""
    cells = loop.state.store.cells.get(storage, {})
    return storage in loop.state.store.parameters or any(
        isinstance(cell.value, AggregateValue) for cell in cells.values()
    )


def _written(loop: LoopState, storages: Iterable[int], structs: Iterable[int]) -> dict[Slot, tuple[Cell, Level | None]]:
    """Return what these structs hold at the end of an iteration or where it is left.

    A sample of each value that is no struct, or that stands where there was nothing; and of each struct whose place
    another took the level that it came to.
    """
    store = loop.state.store
    written: dict[Slot, tuple[Cell, Level | None]] = {}
    with _dry_run(loop, storages) as (begin, ends):
        for contents, storage in product(ends, structs):
            before, after = begin.get(storage, {}), contents.get(storage, {})
            for at, cell in after.items():
                if not isinstance(cell.value, AggregateValue) or not is_filled(before, at, cell.size):
                    written.setdefault((storage, at), (Cell(cell.size, _sample(loop, cell.value)), None))
            for at, cell in before.items():
                end = store.standing(storage, after, at, cell) if isinstance(cell.value, AggregateValue) else None
                if end is not None and end.value != cell.value:
                    _, other = written.get((storage, at), (cell, None))
                    level = max(store.level(cell.value), store.level(end.value), other or Level.UNIFORM)
                    written[storage, at] = Cell(cell.size, AggregateValue({})), level
    return written


def stand_in(loop: LoopState, storages: Iterable[int]) -> None:
    """Put stand-ins into these storages for what is there."""
    loop.put({slot: value for storage in storages for slot, value in _stand_ins(loop, storage)})


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
        elif at != WHOLE and (
            isinstance(start, Address) or (isinstance(start, Polynomial) and not store.is_float(start))
        ):
            number = loop.algebra.stand_in("a variable", store.level(start), "it changes in a loop")
            yield (storage, at), Address(start.base, number) if isinstance(start, Address) else number


def _sample(loop: LoopState, value: Value) -> Value:
    """Return a value of the same kind, made of nothing that is forgotten."""
    if isinstance(value, AggregateValue):
        return AggregateValue({})
    if isinstance(value, Address | PointerSelect):
        return Address(NULL, loop.algebra.zero)
    is_float = isinstance(value, Polynomial) and loop.state.store.is_float(value)
    return loop.state.store.float_uniform if is_float else loop.algebra.zero
