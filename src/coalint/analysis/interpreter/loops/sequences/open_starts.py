"""Loops whose iterations numbers alone tell: those that halve or double, with a start or bound that is open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial, generator
from coalint.analysis.domain.sequences import CarriedValue, Sequence
from coalint.analysis.domain.values import Value
from coalint.analysis.interpreter.dry_runs import restored_variables
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.changes.records import Carried, Slot
    from coalint.analysis.interpreter.loops.state import LoopState

_LEAVES = (ir.Return, ir.Labelled, ir.Assembly, ir.Unanalysed, ir.Unresolved)
_STAYS = (ir.JumpKind.CONTINUE, ir.JumpKind.BREAK)
"""Jumps that do not leave a loop: a break of the loop itself is told by what it changes."""


def open_sequence(
    loop: LoopState, numbers: list[Carried], marks: Mapping[Slot, Poly], ends: Mapping[Slot, Value]
) -> Sequence | None:
    """Return what decides how many iterations a loop makes; None where they are known, or rest on more than sizes.

    `marks` are the stand-ins of the variables, `ends` their values after an iteration, in terms of the stand-ins.
    """
    if loop.trips is not None or loop.counter is None or loop.statement.condition is None:
        return None
    if loop.change.breaks or _may_leave(loop.statement):
        return None
    algebra = loop.algebra
    values: dict[int, CarriedValue] = {}
    for item in numbers:
        after = ends.get(item.slot)
        if item.slot not in marks or not isinstance(item.start, Polynomial) or not isinstance(after, Polynomial):
            continue
        mark = algebra.atoms_of(marks[item.slot])[0].index
        values[mark] = CarriedValue(mark, item.start, after, _held(loop, item.slot))
    counter = algebra.atoms_of(loop.counter)[0].index
    values = _of_sizes(loop, values, counter)
    condition = _condition(loop, numbers, marks, ends)
    if not values or not _is_of_sizes(loop, condition, {*values, counter}):
        return None
    return Sequence(tuple(values.values()), counter, condition, loop.statement.test_first)


def _condition(loop: LoopState, numbers: list[Carried], marks: Mapping[Slot, Poly], ends: Mapping[Slot, Value]) -> Poly:
    """Return the condition in terms of the stand-ins, of the start of an iteration or of its end as it is tested."""
    state = loop.state
    assert loop.statement.condition is not None
    with restored_variables(state):
        loop.put(loop.placeholders(numbers, dict(marks)))
        if not loop.statement.test_first:
            loop.put({slot: end for slot, end in ends.items() if slot in marks})
        return state.condition(loop.statement.condition)


def _held(loop: LoopState, slot: Slot) -> int | None:
    closed = loop.closed.get(slot)
    atoms = [] if closed is None else loop.algebra.atoms_of(closed)
    return atoms[0].index if len(atoms) == 1 and closed == generator(atoms[0].index) else None


def _of_sizes(loop: LoopState, values: dict[int, CarriedValue], counter: int) -> dict[int, CarriedValue]:
    """Return the variables that rest on sizes and each other alone."""
    while True:
        known = {*values, counter}
        kept = {
            mark: value
            for mark, value in values.items()
            if _is_of_sizes(loop, value.after, known) and _is_of_sizes(loop, value.start, set())
        }
        if len(kept) == len(values):
            return kept
        values = kept


def _is_of_sizes(loop: LoopState, value: Poly, known: set[int]) -> bool:
    """Whether nothing is in a value but sizes that all blocks share, and some atoms that are known."""
    return all(
        atom.index in known
        or atom.kind is AtomKind.UNIFORM
        or (atom.kind is AtomKind.OPERATION and all(_is_of_sizes(loop, inner, known) for inner in atom.operands))
        for atom in loop.algebra.atoms_of(value)
    ) and (bool(known) or loop.algebra.level(value) is Level.UNIFORM)


def _may_leave(loop: ir.Loop) -> bool:
    """Whether a loop may end otherwise than by its condition."""
    return any(
        isinstance(node, _LEAVES) or (isinstance(node, ir.Jump) and node.kind not in _STAYS)
        for node in ir.nodes(loop.body)
    )
