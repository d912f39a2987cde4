"""The executions of one kernel's statements, each pair of guards and loops counted once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coalint.analysis.counts.counted_loop import CountedLoop as CountedLoop
from coalint.analysis.counts.executions import count_executions
from coalint.analysis.domain.conditions import Condition
from coalint.core.facts.executions import Executions

if TYPE_CHECKING:
    from coalint.analysis.warps.model import WarpModel
    from coalint.core.facts.launch import Specialization

SEVERAL = Executions(None, missing=("a pointer that leads to several arrays",))


class ExecutionCounts:
    """Counts executions under one launch; None for a host function, of which there is no model."""

    def __init__(self, model: WarpModel | None, specialization: Specialization | None) -> None:
        self._model = model
        self._grid = specialization.grid if specialization is not None else None
        self._known: dict[object, Executions] = {}

    def of(self, guards: Sequence[Condition], loops: Sequence[CountedLoop], *, several: bool) -> Executions | None:
        """Return how often what stands under the guards, in the loops, is executed.

        `several` says that the guards do not tell all: a pointer may lead elsewhere for some lanes.
        """
        if self._model is None:
            return None
        if several:
            return SEVERAL
        key = (
            tuple((guard.value, guard.over) for guard in guards),
            tuple((loop.counter.index if loop.counter else None, loop.trips) for loop in loops),
        )
        if key not in self._known:
            self._known[key] = count_executions(self._model, guards, loops, self._grid)
        return self._known[key]

    def forget(self) -> None:
        """Forget the counts: atoms that they were about may be gone."""
        self._known.clear()
