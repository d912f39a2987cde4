"""Pointers that lead to one local variable in one iteration of a loop and to another in the next: `p = &b;`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from coalint.analysis.domain.frames import Cells
from coalint.analysis.domain.values import Address, Base, PointerSelect, Value
from coalint.analysis.interpreter.loops.changes.records import Slot
from coalint.analysis.interpreter.loops.pointers.points_to import PointsTo
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState

REASON = "a pointer that may point to several variables in a loop"


def may_turn(loop: LoopState, storages: Iterable[int]) -> bool:
    """Whether the loop assigns to a pointer in these storages other than by moving it on."""
    moved = {loop.state.frame.find(key) for key in loop.change.increments}
    cells = loop.state.store.cells
    return any(
        isinstance(cell.value, Address | PointerSelect)
        and (storage not in moved or isinstance(cell.value, PointerSelect))
        for storage in storages
        for cell in cells.get(storage, {}).values()
    )


def learn(loop: LoopState, starts: Cells, begin: Cells, ends: Sequence[Cells]) -> bool:
    """Write down where pointers lead at the end of an iteration; whether that is more than was known.

    `starts` is what variables hold before the loop, `begin` what they were taken to hold before the iteration.
    """
    passed: dict[Address, Slot] | None = None
    more = False
    for storage, cells in begin.items():
        others = [other for end in ends if (other := end.get(storage, cells)) is not cells]
        if not others:
            continue  # nothing has written there, as into most variables
        for at, cell in cells.items():
            slot = storage, at
            values = [end.value for other in others if (end := other.get(at, cell)) is not cell]
            values = [value for value in values if value != cell.value]
            own = _sides(cell.value)
            if not values or not own:
                continue
            new = [side for value in values for side in _sides(value) if side not in own]
            before = _sides(starts.get(storage, {}).get(at, cell).value)
            known = loop.leads.get(slot)
            bases = {side.base for side in before} if known is None else set(known.offsets)
            turns = len(before) > 1 or any(side.base not in bases for side in new)
            if known is None and not (turns and any(_is_variable(loop, side.base, begin) for side in (*before, *new))):
                continue
            if known is None:
                known = loop.leads[slot] = PointsTo()
                more = True
                for side in before:
                    known.add(side.base, side.offset)
            for value in values:
                known.level = max(known.level, loop.state.store.level(value))
            for side in new:
                passed = _held(begin) if passed is None else passed
                more |= _add(loop, known, side, passed, starts, begin)
    return more


def _held(begin: Cells) -> dict[Address, Slot]:
    """Return the addresses that variables held, each with the last that held it."""
    return {
        side: (storage, at)
        for storage, cells in begin.items()
        for at, cell in cells.items()
        for side in _sides(cell.value)
    }


def _add(
    loop: LoopState, known: PointsTo, side: Address, passed: dict[Address, Slot], starts: Cells, begin: Cells
) -> bool:
    if side.base.storage >= 0 and side.base.storage not in begin:
        return False  # a variable of the body: it is gone in the next iteration
    taken = passed.get(side)
    if taken is not None and taken not in loop.leads:
        storage, at = taken
        cell = starts.get(storage, {}).get(at)
        sides = _sides(cell.value) if cell is not None else []
        if sides:
            return sum(known.add(other.base, other.offset) for other in sides) > 0
    if loop.algebra.number(side.offset) is not None:
        return known.add(side.base, side.offset)
    return known.add(side.base, loop.algebra.zero if _is_number(loop, side.base) else None)


def chosen(loop: LoopState, slot: Slot) -> Value:
    """Return one of the addresses that a pointer may hold, it is not known which."""
    known, algebra = loop.leads[slot], loop.algebra
    sides = [
        Address(base, algebra.stand_in("a pointer", known.level, REASON) if offset is None else offset)
        for base, offset in known.offsets.items()
    ]
    value: Value = sides[-1]
    for side in sides[:-1]:
        which = algebra.stand_in("which variable", known.level, REASON)
        value = PointerSelect(algebra.truth(which), side, value)
    return value


def _sides(value: Value) -> list[Address]:
    if isinstance(value, PointerSelect):
        return [*_sides(value.then), *_sides(value.otherwise)]
    return [value] if isinstance(value, Address) else []


def _is_number(loop: LoopState, base: Base) -> bool:
    """Whether a base is a variable that is one number or pointer, which nothing leads into but to its beginning."""
    variable = loop.state.store.variables.get(base.storage)
    return variable is not None and isinstance(variable.type, ir.Integer | ir.Floating | ir.Pointer)


def _is_variable(loop: LoopState, base: Base, begin: Cells) -> bool:
    """Whether a base is a local variable of before the loop."""
    return base.storage in begin and base.storage not in loop.state.global_storages
