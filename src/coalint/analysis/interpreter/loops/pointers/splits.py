"""The parts of structs that a loop writes: they get cells of their own, to be followed like other variables.

What a run that records nothing has found, the next such run of the same loop begins with: it is that run which shows
whether the loop writes more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Cells
from coalint.analysis.domain.store.extents import WHOLE, is_filled
from coalint.analysis.domain.values import NULL, Address, AggregateValue, Cell, PointerSelect, Value
from coalint.analysis.interpreter.loops.changes.records import Slot
from coalint.analysis.interpreter.loops.pointers.members import ROUNDS
from coalint.analysis.interpreter.loops.pointers.trial import trial
from coalint.analysis.interpreter.loops.solving.known import Split

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState

Written = Mapping[Slot, tuple[Cell, Level | None]]
"""Parts of structs that are written, each with a sample of its value; with a level where it is a struct as a whole."""


class WritesMore(Exception):
    """A run of a loop's body has written parts of structs that it was not taken to write."""


def split_up(loop: LoopState, storages: Sequence[int], structs: Sequence[int]) -> list[int]:
    """Give the members that the loop writes cells of their own; the storages in which these were not found out.

    The body is run without recording, with stand-ins for all that it may change: it takes every way then that it may
    take in any iteration. Structs that are assigned to as a whole get the level that they come to in `loop.replaced`.
    `structs` are those of the storages that hold such. Where nothing is recorded anyway the run that follows has to
    `confirm` what is found.
    """
    state = loop.state
    structs = [storage for storage in structs if _is_split(loop, storage)]
    if not structs:
        return []
    is_trial = bool(state.dry)
    if is_trial and _begin(loop, structs) and not loop.is_surprised:
        loop.unconfirmed = structs
        return []
    parts: dict[Slot, Cell] = {}
    for _ in range(ROUNDS):
        with trial(loop, storages) as (begin, ends):
            written = _written(loop, begin, ends, structs)
        more = _take(loop, structs, written)
        if more is None:
            return structs
        parts |= {slot: cell for slot, (cell, level) in written.items() if level is None and slot[1] != WHOLE}
        rests = is_trial and not loop.is_surprised and not loop.replaced
        if not more or rests:
            loop.unconfirmed = structs if more else []
            split = Split(parts, dict(loop.replaced))
            state.solved.keep_split(state, loop.statement, split, is_searched=bool(state.discovering))
            return []
    return structs


def confirm(loop: LoopState, begin: Cells, ends: Iterable[Cells]) -> None:
    """Raise WritesMore where a run of the body has written parts of structs that `split_up` had not found.

    `begin` is what variables held before it, `ends` what they hold after it or where the loop is left.
    """
    structs, loop.unconfirmed = loop.unconfirmed, []
    if not structs:
        return
    store, written = loop.state.store, _written(loop, begin, ends, structs)
    cells, replaced = store.cells, loop.replaced
    store.cells, loop.replaced = dict(begin), dict(replaced)
    more = _take(loop, structs, written)
    store.cells, loop.replaced = cells, replaced
    if more is not False:
        raise WritesMore


def _begin(loop: LoopState, structs: Iterable[int]) -> bool:
    """Take over what another run has found; False where there was none."""
    split = loop.state.solved.split(loop.state, loop.statement, is_searched=bool(loop.state.discovering))
    if split is None:
        return False
    for (storage, at), cell in split.parts.items():
        if storage in structs:
            loop.state.store.give_cell(storage, at, cell)
    loop.replaced |= {slot: level for slot, level in split.replaced.items() if slot[0] in structs}
    return True


def _take(loop: LoopState, structs: Sequence[int], written: Written) -> bool | None:
    """Give what is written cells of its own; whether it had none, None where it is not known which part it is."""
    store = loop.state.store
    known = {storage: dict(store.cells.get(storage, {})) for storage in structs}, dict(loop.replaced)
    for (storage, at), (cell, level) in written.items():
        if level is not None:
            loop.replaced[storage, at] = max(level, loop.replaced.get((storage, at), level))
        elif at != WHOLE:
            store.give_cell(storage, at, cell)
        elif WHOLE not in store.cells.get(storage, {}):
            return None
    return known != ({storage: store.cells.get(storage, {}) for storage in structs}, loop.replaced)


def _is_split(loop: LoopState, storage: int) -> bool:
    """Whether parts of a storage have no cells of their own though there is something in them."""
    cells = loop.state.store.cells.get(storage, {})
    return storage in loop.state.store.parameters or any(
        isinstance(cell.value, AggregateValue) for cell in cells.values()
    )


def _written(
    loop: LoopState, begin: Cells, ends: Iterable[Cells], structs: Iterable[int]
) -> dict[Slot, tuple[Cell, Level | None]]:
    """Return what these structs hold at the end of an iteration or where it is left.

    A sample of each value that is no struct, or that stands where there was nothing; and of each struct whose place
    another took the level that it came to.
    """
    store = loop.state.store
    written: dict[Slot, tuple[Cell, Level | None]] = {}
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


def _sample(loop: LoopState, value: Value) -> Value:
    """Return a value of the same kind, made of nothing that is forgotten."""
    if isinstance(value, AggregateValue):
        return AggregateValue({})
    if isinstance(value, Address | PointerSelect):
        return Address(NULL, loop.algebra.zero)
    is_float = isinstance(value, Polynomial) and loop.state.store.is_float(value)
    return loop.state.store.float_uniform if is_float else loop.algebra.zero
