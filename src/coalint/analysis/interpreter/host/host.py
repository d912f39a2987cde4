"""Host functions are evaluated for their launches alone: what a finished statement has left behind is dropped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.values import Address, AggregateValue, FunctionValue, PointerSelect, Value
from coalint.analysis.interpreter.dry_runs import dry_run
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.atoms import Poly
    from coalint.analysis.interpreter.state import State

ENOUGH = 32  # new atoms that are worth looking through what is kept

WARP = 32
"""Lanes of a warp on every GPU (guide, compute capabilities)."""


def call(state: State, e: ir.Call) -> None:
    """Evaluate a call whose result is not used."""
    atoms, storages, pointers = state.algebra.mark(), state.store.newest, state.store.pointer_count
    state.called(e)
    if state.algebra.mark() - atoms >= ENOUGH:
        _drop(state, atoms, storages, pointers)


@contextmanager
def tried(state: State) -> Iterator[None]:
    """Run the body as a trial that leaves nothing behind: neither variables nor unknown quantities."""
    atoms, storages, pointers = state.algebra.mark(), state.store.newest, state.store.pointer_count
    try:
        with dry_run(state):
            yield
    finally:
        _drop(state, atoms, storages, pointers)


def _drop(state: State, atoms: int, storages: int, pointers: int) -> None:
    """Forget the variables and unknown quantities of the calls that have ended."""
    store = state.store
    kept = state.global_storages
    store.cells = {n: cells for n, cells in store.cells.items() if n <= storages or n in kept}
    store.forget_since(storages, pointers, kept)
    state.algebra.forget(atoms, *_in_use(state))
    state.recorder.forget()


def _in_use(state: State) -> Iterator[Poly]:
    for guard in state.guards:
        yield guard.condition.value
    contents = [state.store.cells, *(exit.cells for exit in state.exits)]
    for exit in state.exits:
        yield from (guard.condition.value for guard in exit.path)
        yield from _numbers(exit.value)
    seen: set[int] = set()
    for storages in contents:
        for cells in storages.values():
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
