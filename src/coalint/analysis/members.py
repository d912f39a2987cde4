"""Members of structs that a loop changes: they get cells of their own, to be followed like other variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from coalint.analysis.atoms import Level
from coalint.analysis.carried import Slot
from coalint.analysis.polynomial import Polynomial
from coalint.analysis.store import WHOLE
from coalint.analysis.values import NULL, Address, Blob, Cell, Choice, Value

if TYPE_CHECKING:
    from coalint.analysis.recurrence import Recurrence

ROUNDS = 6  # each may find that what was found before leads to more


def split_up(loop: Recurrence, storages: Sequence[int]) -> list[int]:
    """Give the members that the loop writes cells of their own; the storages in which these were not found out.

    The body is run without recording, with stand-ins for all that it may change: it takes every way then that it may
    take in any iteration. Structs that are assigned to as a whole get the level that they come to in `loop.replaced`.
    """
    store = loop.run.store
    structs = [storage for storage in storages if _holds_struct(loop, storage)]
    if not structs:
        return []
    for _ in range(ROUNDS):
        fresh = False
        for (storage, at), (cell, level) in _written(loop, storages, structs).items():
            entry = store.cells.get(storage, {}).get(at)
            if at == WHOLE:
                if entry is None:
                    return structs
            elif entry is None or entry.size != cell.size or _is_struct(entry) > _is_struct(cell):
                fresh = store.give_cell(storage, at, cell) or fresh
            elif level is not None and loop.replaced.get((storage, at)) != level:
                loop.replaced[storage, at] = level
                fresh = True
        if not fresh:
            return []
    return structs


def _holds_struct(loop: Recurrence, storage: int) -> bool:
    """Whether parts of a storage have no cells of their own though there is something in them."""
    cells = loop.run.store.cells.get(storage, {})
    return any(isinstance(cell.value, Blob) for cell in cells.values()) or (
        storage in loop.run.store.parameters and 0 not in cells
    )


def _is_struct(cell: Cell) -> bool:
    return isinstance(cell.value, Blob)


def _written(
    loop: Recurrence, storages: Iterable[int], structs: Iterable[int]
) -> dict[Slot, tuple[Cell, Level | None]]:
    """The places of these structs that have cells at the end of an iteration or where it is left.

    Each with a sample of what stands there, and with a level where another struct took a struct's place.
    """
    run, algebra, store = loop.run, loop.algebra, loop.run.store
    saved, guards, mark, alive = store.snapshot(), run.guards, len(run.exits), run.alive
    born, pointers = algebra.mark(), store.outside_known()
    found: dict[Slot, tuple[Cell, Level | None]] = {}
    run.dry += 1
    try:
        loop.put({slot: value for storage in storages for slot, value in _stand_ins(loop, storage)})
        begin = store.snapshot()
        loop.test(first=True)
        if loop.body(mark):
            loop.test(first=False)
        for contents in (store.cells, *(exit.cells for exit in run.exits[mark:])):
            for storage in structs:
                for at, cell in contents.get(storage, {}).items():
                    before = begin.get(storage, {}).get(at)
                    level = None
                    if before is not None and isinstance(before.value, Blob) and before.value != cell.value:
                        _, other = found.get((storage, at), (None, None))
                        level = max(store.level(before.value), store.level(cell.value), other or Level.UNIFORM)
                    if level is not None or (storage, at) not in found:
                        found[storage, at] = Cell(cell.size, _sample(loop, cell.value)), level
    finally:
        run.dry -= 1
        store.cells, run.guards, run.alive = saved, guards, alive
        del run.exits[mark:]
    algebra.forget(born)
    store.forget_outside(pointers)
    run.recorder.forget()
    return found


def _stand_ins(loop: Recurrence, storage: int) -> Iterable[tuple[Slot, Value]]:
    store = loop.run.store
    for at, cell in store.cells.get(storage, {}).items():
        start = cell.value
        if (storage, at) in loop.replaced:
            level = loop.replaced[storage, at]
            yield (
                (storage, at),
                Blob({}, loop.algebra.stand_in("a struct", level, "it changes in a loop", pending=True)),
            )
        elif at != WHOLE and (
            isinstance(start, Address) or (isinstance(start, Polynomial) and not store.is_float(start))
        ):
            number = loop.algebra.stand_in("a variable", store.level(start), "it changes in a loop", pending=True)
            yield (storage, at), Address(start.base, number) if isinstance(start, Address) else number


def _sample(loop: Recurrence, value: Value) -> Value:
    """A value of the same kind, made of nothing that is forgotten."""
    if isinstance(value, Blob):
        return Blob({})
    if isinstance(value, Address | Choice):
        return Address(NULL, loop.algebra.zero)
    is_float = isinstance(value, Polynomial) and loop.run.store.is_float(value)
    return loop.run.store.float_uniform if is_float else loop.algebra.zero
