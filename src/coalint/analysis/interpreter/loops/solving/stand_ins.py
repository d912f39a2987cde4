"""Dry runs of a loop's body, with stand-ins for its variables, until these are known to be no less uniform."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level, Poly, Sharing
from coalint.analysis.domain.values import Value
from coalint.analysis.interpreter.loops.changes.records import Carried, Slot
from coalint.analysis.interpreter.loops.solving.known import Known
from coalint.analysis.interpreter.loops.solving.running import Iteration, dry_iteration
from coalint.analysis.uniformity.sharing import warp_uniform
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


@record(slots=True)
class DryRun:
    """The last dry run of the body, by slot: the stand-ins at its start, the values and the levels at its end.

    `stable` says that another run would rise no level. `iteration` is the run itself.
    """

    marks: dict[Slot, Poly]
    ends: dict[Slot, Value]
    levels: dict[Slot, Level]
    stable: bool
    iteration: Iteration | None = None

    def end(self, slot: Slot) -> Value | None:
        """Return the value at the end, where it is not still rising."""
        return self.ends.get(slot) if self.stable else None


def run_until_stable(loop: LoopState, numbers: list[Carried], floats: list[Carried]) -> DryRun:
    """Run the body with stand-ins until the levels of its variables rise no more."""
    store, uniformity = loop.state.store, loop.state.recorder.uniformity
    run = DryRun({}, {}, {item.slot: store.level(item.start) for item in (*numbers, *floats)}, stable=False)
    shared = {item.slot: warp_uniform(uniformity, item.start) for item in numbers}
    for _ in (*Level, *Level):
        run.marks = {
            item.slot: loop.algebra.stand_in(
                item.name, run.levels[item.slot], reason_of(item), warp_uniform=shared[item.slot]
            )
            for item in numbers
            if item.slot not in loop.steps
        }
        _run(loop, numbers, floats, run, shared)
        if run.stable:
            break
    return run


def _run(loop: LoopState, numbers: list[Carried], floats: list[Carried], run: DryRun, shared: dict[Slot, bool]) -> None:
    """Run the body once; note down what levels have risen, and which variables the lanes of a warp do not share."""
    store, uniformity = loop.state.store, loop.state.recorder.uniformity
    values = loop.placeholders(numbers, run.marks)
    values |= {item.slot: store.floating(run.levels[item.slot]) for item in floats}
    run.iteration = dry_iteration(loop, values)
    run.ends = run.iteration.ends
    run.stable = True
    for item in floats:
        level = max(run.levels[item.slot], store.level(run.ends.get(item.slot)))
        if level > run.levels[item.slot]:
            run.levels[item.slot], run.stable = level, False
    for item in numbers:
        end = run.ends.get(item.slot)
        level = store.level(end)
        if level > run.levels[item.slot]:
            run.levels[item.slot], run.stable = level, False
        if shared[item.slot] and not warp_uniform(uniformity, end):
            shared[item.slot], run.stable = False, False


def run_again(
    loop: LoopState, numbers: list[Carried], floats: list[Carried], known: dict[Slot, Known]
) -> DryRun | None:
    """Run the body with what the loop made of its variables before; None where that says too little.

    Stand-ins are values that are not followed, as the variables were, but where threads differ in these for certain,
    since what a run makes of that would confirm itself, and where there is no room for more such values.
    """
    store, uniformity = loop.state.store, loop.state.recorder.uniformity
    levels = {item.slot: max(store.level(item.start), known[item.slot].level) for item in (*numbers, *floats)}
    run = DryRun({}, {}, levels, stable=False)
    shared = {item.slot: known[item.slot].warp_uniform and warp_uniform(uniformity, item.start) for item in numbers}
    differs = any(known[item.slot].differs for item in numbers)
    pending = not loop.state.dry or differs or loop.algebra.crowded()
    for item in numbers:
        if item.slot not in loop.steps:
            name, level, agreed = item.name, levels[item.slot], shared[item.slot]
            if pending:
                run.marks[item.slot] = loop.algebra.stand_in(name, level, reason_of(item), warp_uniform=agreed)
            else:
                sharing = Sharing(warp_uniform=agreed)
                run.marks[item.slot] = loop.algebra.opaque(
                    name, level, reason_of(item), sharing=sharing, is_quoted=True
                )
    _run(loop, numbers, floats, run, shared)
    return run if run.stable else None


def reason_of(item: Carried) -> str:
    """Return why a variable is not known."""
    return f"`{item.name}` changes in a loop in a way that is not followed"
