"""A run of a loop's body from stand-ins, restated for what variables are found to hold: it need not be made again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.frames import Cells
from coalint.analysis.domain.guards import Guard
from coalint.analysis.domain.values import Address, AggregateValue, Cell, PointerSelect, Value
from coalint.analysis.interpreter.loops.solving.running import Iteration

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from coalint.analysis.domain.algebra.atoms import Level, Poly
    from coalint.analysis.interpreter.loops.changes.records import Slot
    from coalint.analysis.interpreter.loops.state import LoopState


def restated(
    loop: LoopState, run: Iteration, marks: Mapping[Slot, Poly], levels: Mapping[Slot, Level]
) -> Iteration | None:
    """Return a run as if it had begun with the closed forms of the variables that `marks` stood for.

    None where such a variable is more uniform than its stand-in was, and where an exit goes by one or returns a value:
    what was decided on the way there would be decided anew.
    """
    algebra = loop.algebra
    if not marks:
        return run
    if any(algebra.level(loop.closed[slot]) is not levels[slot] for slot in marks):
        return None
    change = _Restatement(loop, [(mark, loop.closed[slot]) for slot, mark in marks.items()])
    if any(exit.value is not None or any(map(change.concerns_guard, exit.path)) for exit in run.exits):
        return None
    return replace(
        run,
        ends={slot: change.value(value) for slot, value in run.ends.items()},
        cells=change.cells(run.cells),
        exits=tuple(replace(exit, cells=change.cells(exit.cells)) for exit in run.exits),
        guard=change.guard(run.guard),
        late=change.guard(run.late),
    )


class _Restatement:
    """Puts other values in the place of stand-ins, wherever a variable or a condition is made of these."""

    def __init__(self, loop: LoopState, forms: Sequence[tuple[Poly, Poly]]) -> None:
        algebra = self._algebra = loop.algebra
        found = [(atom, closed) for mark, closed in forms for atom in algebra.atoms_of(mark)]
        self._changes = [Substitution(algebra, atom, closed) for atom, closed in found]
        self._atoms = {change.atom for change in self._changes}
        self._before = loop.state.store.cells

    def number(self, value: Poly) -> Poly:
        """Return a number with the other values."""
        if not self.concerns(value):
            return value
        for change in self._changes:
            value = change.of(value)
        return value

    def concerns(self, value: Poly) -> bool:
        """Whether a number is made of a stand-in."""
        return any(atom in self._atoms for atom in self._algebra.closure(value))

    def concerns_guard(self, guard: Guard) -> bool:
        """Whether a guard's condition is."""
        return self.concerns(guard.condition.value)

    def guard(self, guard: Guard | None) -> Guard | None:
        """Return a guard with the other values in its condition."""
        if guard is None or not self.concerns_guard(guard):
            return guard
        return replace(guard, condition=replace(guard.condition, value=self.number(guard.condition.value)))

    def cells(self, contents: Cells) -> Cells:
        """Return what variables hold, with the other values; what stands as it did before is left alone."""
        changed = dict(contents)
        for storage, cells in contents.items():
            made = {} if cells is self._before.get(storage) else self._changed(cells)
            if made:
                changed[storage] = {**cells, **made}
        return changed

    def value(self, value: Value) -> Value:
        """Return what a variable holds, with the other values; the same object where it is made of no stand-in."""
        match value:
            case _ if isinstance(value, Polynomial):
                return self.number(value)
            case Address(offset=offset):
                number = self.number(offset)
                return value if number is offset else replace(value, offset=number)
            case PointerSelect(condition=condition, then=then, otherwise=otherwise):
                return PointerSelect(self.number(condition), self.value(then), self.value(otherwise))
            case AggregateValue(cells=cells, rest=rest):
                made, kept = self._changed(cells), None if rest is None else self.number(rest)
                return value if kept is rest and not made else replace(value, cells={**cells, **made}, rest=kept)
        return value

    def _changed(self, cells: Mapping[int, Cell]) -> dict[int, Cell]:
        """Return those of the cells that are made of a stand-in, with the other values."""
        made = ((at, cell, self.value(cell.value)) for at, cell in cells.items())
        return {at: replace(cell, value=value) for at, cell, value in made if value is not cell.value}
