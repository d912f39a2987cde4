"""The executions of one kernel's statements, each pair of guards and loops counted once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.counts.axes import Axes
from coalint.analysis.counts.counted_loop import CountedLoop as CountedLoop
from coalint.analysis.counts.executions import count_executions
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.warps.quantities import given_numbers
from coalint.core.facts.executions import Executions

if TYPE_CHECKING:
    from coalint.analysis.warps.model import WarpModel

SEVERAL = Executions(None, missing=("a pointer that leads to several arrays",))


class ExecutionCounts:
    """Counts executions under one launch.

    Args:
        model: The lanes of one block.
        axes: The axes of the launch.
        with_forms: Whether to look for closed forms where the source leaves sizes open; this loads sympy.
    """

    def __init__(self, model: WarpModel, axes: Axes, *, with_forms: bool = False) -> None:
        self._model, self._axes, self._with_forms = model, axes, with_forms
        self._known: dict[object, Executions] = {}

    def of(self, guards: Sequence[Condition], loops: Sequence[CountedLoop], *, several: bool) -> Executions:
        """Return how often what stands under the guards, in the loops, is executed.

        `several` says that the guards do not tell all: a pointer may lead elsewhere for some lanes.
        """
        if several:
            return SEVERAL
        key = (
            tuple((guard.value, guard.over) for guard in guards),
            tuple((loop.counter.index if loop.counter else None, loop.trips) for loop in loops),
        )
        if key not in self._known:
            self._known[key] = self._counted(guards, loops)
        return self._known[key]

    def _counted(self, guards: Sequence[Condition], loops: Sequence[CountedLoop]) -> Executions:
        model = self._model
        fixed = given_numbers(model.algebra, model.given, (), guards)
        result = count_executions(model, guards, loops, self._axes, fixed)
        if self._with_forms and (result.warps is None or result.assumed):
            from coalint.analysis.counts.proofs import closed_form

            form = closed_form(model, guards, loops, self._axes)
            if form is not None and form[0].isdigit():
                result = Executions(int(form[0]), assumed=form[1])
            elif form is not None:
                result = replace(result, formula=form[0], assumed=tuple(dict.fromkeys((*result.assumed, *form[1]))))
        return result

    def forget(self) -> None:
        """Forget the counts: atoms that they were about may be gone."""
        self._known.clear()
