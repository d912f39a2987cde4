"""Variables that trade values from one iteration to the next: two buffers that swap their roles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.values import Address, Value

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.changes.records import Carried, Slot
    from coalint.analysis.interpreter.state import State

MAX_LENGTH = 4  # variables that take turns


def rotations(
    numbers: list[Carried], marks: Mapping[Slot, Poly], ends: Mapping[Slot, Value]
) -> dict[Slot, list[Value]]:
    """Return for each variable that takes over another's value, and that in turn.

    What it holds in iterations 0, 1, ...
    """
    starts = {item.slot: item.start for item in numbers if item.slot in marks}
    taken: dict[Slot, Slot] = {}
    for slot in starts:
        end = ends.get(slot)
        for other, start in starts.items():
            if isinstance(end, Address) and isinstance(start, Address):
                same = end.base is start.base and end.offset == marks[other]
            else:
                same = not isinstance(end, Address) and not isinstance(start, Address) and end == marks[other]
            if same and other != slot:
                taken[slot] = other
    cycles: dict[Slot, list[Value]] = {}
    for slot in taken:
        values, at = [starts[slot]], taken[slot]
        while at != slot and at in taken and len(values) <= MAX_LENGTH:
            values.append(starts[at])
            at = taken[at]
        if at == slot and len(values) <= MAX_LENGTH:
            cycles[slot] = values
    return cycles


def rotated(state: State, values: list[Value], iteration: Poly) -> Value:
    """Return what such a variable holds in an iteration."""
    algebra = state.algebra
    phase = algebra.remainder(iteration, algebra.constant(len(values)))
    chosen = values[-1]
    for turn, value in enumerate(values[:-1]):
        chosen = state.store.select(algebra.compare("==", phase, algebra.constant(turn)), value, chosen)
    return chosen
