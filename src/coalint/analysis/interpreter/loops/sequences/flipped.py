"""Variables of a short loop whose bits each iteration flips: offsets into a swizzled tile, `o = (o ^ 2) + 8`.

Where such a loop starts with what is not known, as in a dry run of the loop around it, its iterations are put one into
the other. Flips that cancel each other leave what the loop around has to know: that nothing has changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Poly
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.values import Address, Value
from coalint.analysis.interpreter.loops.sequences.table_atoms import offset_of

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.changes.records import Carried, Slot
    from coalint.analysis.interpreter.loops.state import LoopState

MAX_TRIPS = 16
MAX_ATOMS = 64  # that the value of one iteration may rest on


def flipped(
    loop: LoopState, numbers: list[Carried], marks: dict[Slot, Poly], ends: dict[Slot, Value]
) -> dict[Slot, list[Value]]:
    """Return for each variable whose bits are flipped what it holds in iterations 0, 1, ... and after the last one.

    `marks` are the stand-ins of the variables, `ends` their values after an iteration, in terms of the stand-ins.
    """
    if loop.trips is None or not 0 < loop.trips <= MAX_TRIPS or loop.varying or loop.counter is None:
        return {}
    found: dict[Slot, list[Value]] = {}
    for item in numbers:
        after = offset_of(ends.get(item.slot))
        if item.slot in loop.closed or item.slot not in marks or item.offset is None or after is None:
            continue
        values = _iterated(loop, marks[item.slot], item.offset, after) if _is_flipped(loop, after) else None
        if values is not None:
            start = item.start
            found[item.slot] = [Address(start.base, v) if isinstance(start, Address) else v for v in values]
    return found


def _is_flipped(loop: LoopState, after: Poly) -> bool:
    return any(atom.operator == "^" for atom in loop.algebra.closure(after))


def _iterated(loop: LoopState, mark: Poly, start: Poly, after: Poly) -> list[Poly] | None:
    """Return the values of all iterations; None where one rests on more than the variable, its turn and what stays."""
    algebra = loop.algebra
    assert loop.counter is not None
    assert loop.trips is not None
    (own,), (counter,) = algebra.atoms_of(mark), algebra.atoms_of(loop.counter)
    if any(
        atom.index >= loop.born and atom not in (own, counter) and atom.kind is not AtomKind.OPERATION
        for atom in algebra.closure(after)
    ):
        return None
    values = [start]
    for k in range(loop.trips):
        step = Substitution(algebra, counter, algebra.constant(k)).of(after)
        value = Substitution(algebra, own, values[-1]).of(step)
        if len(algebra.closure(value)) > MAX_ATOMS:
            return None
        values.append(value)
    return values
