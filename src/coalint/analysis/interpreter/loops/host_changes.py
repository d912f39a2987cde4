"""What the iterations of a host's loop change: by name, through pointers, and in the functions that are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import other_storages
from coalint.analysis.domain.values import AggregateValue, Cell
from coalint.analysis.interpreter.host.host import tried
from coalint.analysis.interpreter.loops.changes.carried import find_carried
from coalint.analysis.interpreter.loops.host_known import Changes, Part
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.atoms import Poly
    from coalint.analysis.interpreter.loops.changes.records import Slot
    from coalint.analysis.interpreter.loops.state import LoopState


MAX_ROUNDS = 3  # of iterations that are tried to find what changes: a chain of pointers needs one for each link


def forget_changes(loop: LoopState) -> Changes:
    """Make unknown whatever the iterations of a loop may change; return what is not assigned to by name.

    What is has just become unknown: an iteration that starts from another unknown in its place changes nothing else.
    """
    named, known = _forget_assigned(loop), loop.state.known_changes
    if not (loop.change.stores or loop.change.calls):
        return {}
    forgotten = {s: part for s, part in known.find(loop.state, loop.statement).items() if s not in named}
    _forget(loop, forgotten)
    for _ in range(MAX_ROUNDS):
        found = _changed_by_one(loop)
        changes = {slot: part for slot, part in found.items() if slot not in named and slot not in forgotten}
        _forget(loop, changes)
        if not changes:
            break
        forgotten |= changes
    known.keep(loop.state, loop.statement, forgotten)
    return forgotten


def forget_again(loop: LoopState, changes: Changes) -> None:
    """Make unknown what an iteration has just left in what the loop changes: of others, it may be something else."""
    _forget_assigned(loop)
    _forget(loop, changes)


def _forget_assigned(loop: LoopState) -> set[Slot]:
    """Make unknown what a loop assigns to by name; return that."""
    carried, limits = find_carried(loop), _limits(loop)
    for item in carried:
        unknown = _unknown(loop, item.name, limits)
        loop.put({item.slot: AggregateValue({}, unknown) if isinstance(item.start, AggregateValue) else unknown})
    return {item.slot for item in carried}


def _changed_by_one(loop: LoopState) -> Changes:
    """Return what one iteration changes."""
    state, statement = loop.state, loop.statement
    before, mark = state.store.snapshot(), len(state.exits)
    changes: Changes = {}
    with tried(state):
        if statement.condition is not None and statement.test_first:
            state.condition(statement.condition)
        state.execute(statement.body)
        if statement.condition is not None and not statement.test_first:
            state.condition(statement.condition)
        if statement.step is not None:
            state.value(statement.step)
        for cells in (state.store.cells, *(exit.cells for exit in state.exits[mark:])):
            for storage in other_storages(before, cells):
                old = before[storage]
                changes |= {(storage, at): part for at, part in _differences(old, cells.get(storage, old))}
    return changes


def _differences(old: Mapping[int, Cell], new: Mapping[int, Cell]) -> Iterator[tuple[int, Part]]:
    """Yield the byte offsets at which something else stands, with what is there."""
    for at in () if old is new else dict.fromkeys((*old, *new)):
        before, after = old.get(at), new.get(at)
        if before is None or after is None or (before.value is not after.value and before.value != after.value):
            cell = before or after
            assert cell is not None
            yield at, Part(cell.size, isinstance(cell.value, AggregateValue))


def _forget(loop: LoopState, changes: Changes) -> None:
    store = loop.state.store
    for (storage, offset), part in changes.items():
        variable = store.variables.get(storage)
        unknown = _unknown(loop, "a variable" if variable is None else variable.name)
        value = AggregateValue({}, unknown) if part.aggregate else unknown
        store.cells[storage] = {**store.cells.get(storage, {}), offset: Cell(part.size, value)}


def _limits(loop: LoopState) -> tuple[Poly, ...]:
    """Return the integers that a loop's condition names, as they are before it: what it leaves rests on them."""
    condition = loop.statement.condition
    named = ir.nodes(condition) if condition is not None else ()
    variables = [node for node in named if isinstance(node, ir.Name) and isinstance(node.type, ir.Integer)]
    values = [loop.state.value(name) for name in variables]
    return tuple(value for value in values if isinstance(value, Polynomial))


def _unknown(loop: LoopState, name: str, limits: tuple[Poly, ...] = ()) -> Poly:
    return loop.algebra.opaque(name, Level.DIVERGENT, f"`{name}` after a loop is not followed", operands=limits)
