"""Host functions are evaluated for their launches alone: what a finished statement has left behind is dropped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Cells, Lvalue, other_storages
from coalint.analysis.domain.values import Address, AggregateValue, FunctionValue, PointerSelect, Value
from coalint.analysis.interpreter.dry_runs import dry_run
from coalint.core import ir
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.atoms import Poly
    from coalint.analysis.interpreter.state import State

ENOUGH = 32  # new atoms that are worth looking through what is kept

WARP = 32
"""Lanes of a warp on every GPU (guide, compute capabilities)."""


def call(state: State, e: ir.Call) -> None:
    """Evaluate a call whose result is not used."""
    before = _Before.of(state)
    state.called(e)
    if state.algebra.mark() - before.atoms >= ENOUGH:
        _drop(state, before)


@contextmanager
def tried(state: State) -> Iterator[None]:
    """Run the body as a trial that leaves nothing behind: neither variables nor unknown quantities."""
    before = _Before.of(state)
    try:
        with dry_run(state):
            yield
    finally:
        _drop(state, before)


@record(frozen=True, slots=True)
class _Before:
    """What there was before a call: contents, and how many atoms, storages and pointers."""

    cells: Cells
    atoms: int
    storages: int
    pointers: int

    @classmethod
    def of(cls, state: State) -> _Before:
        store = state.store
        return cls(store.snapshot(), state.algebra.mark(), store.newest, store.pointer_count)


def _drop(state: State, before: _Before) -> None:
    """Forget the variables and unknown quantities of the calls that have ended."""
    store = state.store
    kept = state.global_storages
    store.cells = {n: cells for n, cells in store.cells.items() if n <= before.storages or n in kept}
    store.forget_since(before.storages, before.pointers, kept)
    state.algebra.forget(before.atoms, _in_use(state, before.cells))
    state.recorder.forget()


def _in_use(state: State, before: Cells) -> Iterator[Poly]:
    """Yield the values in use, but for those that stand where they stood before: they need no newer atoms."""
    for guard in state.guards:
        yield guard.condition.value
    contents = [state.store.cells, *(exit.cells for exit in state.exits)]
    for exit in state.exits:
        yield from (guard.condition.value for guard in exit.path)
        yield from _numbers(exit.value)
    seen: set[int] = set()
    for storages in contents:
        for storage in other_storages(storages, before):
            cells = storages[storage]
            if id(cells) not in seen:
                seen.add(id(cells))
                for cell in cells.values():
                    yield from _numbers(cell.value)
    for value in state.store.given():
        yield from _numbers(value)


def _numbers(value: Value | Lvalue | None) -> Iterator[Poly]:
    match value:
        case None:
            return
        case Lvalue():
            yield from _numbers(value.address)
        case Address():
            yield value.offset
        case PointerSelect():
            yield value.condition
            yield from _numbers(value.then)
            yield from _numbers(value.otherwise)
        case AggregateValue():
            for cell in value.cells.values():
                yield from _numbers(cell.value)
            if value.rest is not None:
                yield value.rest
        case FunctionValue():
            yield from (condition for condition, _ in value.unless)
        case _ if isinstance(value, Polynomial):
            yield value
