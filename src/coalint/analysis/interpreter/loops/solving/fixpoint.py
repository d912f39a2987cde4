"""Variables whose changes are read off a dry run of the body."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.opaque_values import as_opaque
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.values import Address, Value
from coalint.analysis.interpreter.loops.changes.records import Carried, Slot
from coalint.analysis.interpreter.loops.sequences.flipped import flipped
from coalint.analysis.interpreter.loops.sequences.guarded import guarded
from coalint.analysis.interpreter.loops.sequences.lane_tables import tabulate_lanes
from coalint.analysis.interpreter.loops.sequences.open_starts import open_sequence
from coalint.analysis.interpreter.loops.sequences.rotation import rotations
from coalint.analysis.interpreter.loops.sequences.table_atoms import offset_of
from coalint.analysis.interpreter.loops.sequences.tables import tabulate
from coalint.analysis.interpreter.loops.solving.remembered import recalled, remember
from coalint.analysis.interpreter.loops.solving.restated import restated
from coalint.analysis.interpreter.loops.solving.running import Iteration
from coalint.analysis.interpreter.loops.solving.stand_ins import DryRun, reason_of, run_again, run_until_stable
from coalint.analysis.interpreter.loops.solving.trip_counts import count_trips
from coalint.analysis.uniformity.sharing import sharing_of

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


def solve_by_running(loop: LoopState, carried: list[Carried]) -> Iteration | None:
    """Run the body without recording, with stand-ins, to see how each variable changes.

    Where nothing is recorded anyway, and the run began with what another has found and says no more, return it: it
    stands for the run of all iterations.
    """
    state, algebra = loop.state, loop.algebra
    numbers = [item for item in carried if item.offset is not None and not state.store.is_float(item.offset)]
    floats = [item for item in carried if _is_float(loop, item.start)]
    born, pointers, epoch = algebra.mark(), state.store.outside_known(), state.epoch
    known = recalled(loop, numbers, floats)
    run = None if known is None else run_again(loop, numbers, floats, known)
    if run is None:
        known, run = None, run_until_stable(loop, numbers, floats)
    loop.put({item.slot: state.store.floating(run.levels[item.slot]) for item in floats})
    counter = loop.counter
    _close(loop, carried, numbers, run)
    if any(algebra.level(loop.closed[slot]) < run.levels[slot] for slot in run.marks):
        state.solved.forget()  # what loops inside have made of stand-ins that were less uniform than what they are
    if state.dry and run.stable:
        remember(loop, numbers, floats, run.levels, ages=state.epoch != epoch)
    if state.dry and known is not None and counter is loop.counter:
        stands = _standing(loop, run)
        if stands is not None:
            return stands
    counters = [value for value in (loop.counter, loop.total) if value is not None]
    counted = () if loop.sequence is None else loop.sequence.polynomials
    marks = () if loop.sequence is None else run.marks.values()
    algebra.forget(born, (*loop.steps.values(), *loop.closed.values(), *counters, *counted, *marks))
    state.store.forget_outside(pointers)
    state.recorder.forget()
    return None


def _close(loop: LoopState, carried: list[Carried], numbers: list[Carried], run: DryRun) -> None:
    """Write down the value of each variable at the start of an iteration, as a dry run of the body says."""
    counter = loop.counter
    solved = {**loop.steps, **_steps(loop, numbers, run)}
    if len(solved) > len(loop.steps):
        loop.steps, trips, total = solved, loop.trips, loop.total
        count_trips(loop, carried)
        if counter is not None and (trips, total) == (loop.trips, loop.total):  # it does not rest on these variables
            loop.counter = counter
            loop.close(carried, counter)
    staying = {item.slot: run.ends[item.slot] for item in numbers if _same_object(item, run.ends.get(item.slot))}
    tabulate(loop, numbers, run.marks, staying)
    tabulate_lanes(loop, numbers, run.marks, staying)
    loop.turns = rotations([item for item in numbers if item.slot not in loop.closed], run.marks, run.ends)
    loop.turns |= flipped(loop, numbers, run.marks, staying)
    with _pending(loop, run.marks.values()):
        for item in numbers:
            if item.slot not in loop.closed:
                end = offset_of(staying.get(item.slot)) if counter is loop.counter and run.stable else None
                loop.closed[item.slot] = _not_solved(loop, item, run, end)
    loop.sequence = open_sequence(loop, numbers, run.marks, run.ends) if run.stable else None


@contextmanager
def _pending(loop: LoopState, marks: Iterable[Poly]) -> Iterator[None]:
    """Let stand-ins say nothing of how threads differ."""
    atoms = loop.algebra.atoms
    marked = [atom for mark in marks for atom in loop.algebra.atoms_of(mark)]
    for atom in marked:
        atoms[atom.index] = replace(atom, pending=True)
    try:
        yield
    finally:
        for atom in marked:
            atoms[atom.index] = atom


def _standing(loop: LoopState, run: DryRun) -> Iteration | None:
    """Return a dry run as that of all iterations; None where another run would say more.

    Where its stand-ins are what the variables got it is that; where they move in steps it is restated for these.
    """
    if run.iteration is None or not run.iteration.stands or loop.turns or loop.replaced or loop.sequence is not None:
        return None
    unsolved = {slot: mark for slot, mark in run.marks.items() if slot not in loop.steps}
    if any(
        as_opaque(loop.algebra, loop.closed[slot]) != as_opaque(loop.algebra, mark) for slot, mark in unsolved.items()
    ):
        return None
    stands = restated(loop, run.iteration, {slot: run.marks[slot] for slot in run.marks.keys() - unsolved}, run.levels)
    if stands is not None:
        loop.closed |= unsolved
    return stands


def forget_floats(loop: LoopState, carried: list[Carried]) -> list[Carried]:
    """Return the variables with no more than a level for floating-point numbers: iterations change them."""
    store, known = loop.state.store, []
    for item in carried:
        if _is_float(loop, item.start):
            item = replace(item, start=store.floating(store.level(item.start)))
            loop.put({item.slot: item.start})
        known.append(item)
    return known


def _is_float(loop: LoopState, value: Value) -> bool:
    return isinstance(value, Polynomial) and loop.state.store.is_float(value)


def _steps(loop: LoopState, numbers: list[Carried], run: DryRun) -> dict[Slot, Poly]:
    """Return what an iteration adds to each variable, where that is the same in all of them."""
    moved_by: dict[Slot, Poly] = {}
    constants: list[tuple[int, Poly]] = []  # stand-ins for what no iteration changes, with what it is
    for item in numbers:
        end = run.ends.get(item.slot)
        if item.slot in loop.steps or end is None:
            continue
        offset = end.offset if isinstance(end, Address) and isinstance(item.start, Address) else end
        if isinstance(end, Address) and (not isinstance(item.start, Address) or end.base is not item.start.base):
            continue
        if not isinstance(offset, Polynomial):
            continue
        step = moved_by[item.slot] = offset - run.marks[item.slot]
        if step == 0 and item.offset is not None:
            constants += [(atom.index, item.offset) for atom in loop.algebra.atoms_of(run.marks[item.slot])]
    steps = {slot: step.substituted(constants) for slot, step in moved_by.items()}
    return {slot: step for slot, step in steps.items() if not loop.varies(step)}


def _not_solved(loop: LoopState, item: Carried, run: DryRun, end: Poly | None) -> Poly:
    """Return an opaque value for a variable, or one that moves while a condition holds, as `end` may say."""
    level = run.levels[item.slot]
    text = f"the loop at line {loop.statement.span.line} gives each thread its own `{item.name}`"
    sharing = sharing_of(loop.state.recorder.uniformity, text, level, item.start, run.end(item.slot))
    unknown = loop.algebra.opaque(item.name, level, reason_of(item), sharing=sharing, is_quoted=True)
    moved = None
    if end is not None and item.offset is not None:
        moved = guarded(loop, item.offset, run.marks[item.slot], end, unknown)
    return unknown if moved is None else moved


def _same_object(item: Carried, end: Value | None) -> bool:
    """Whether a pointer still points into the object that it pointed into at the start."""
    if isinstance(item.start, Address) or isinstance(end, Address):
        return isinstance(item.start, Address) and isinstance(end, Address) and end.base is item.start.base
    return end is not None
