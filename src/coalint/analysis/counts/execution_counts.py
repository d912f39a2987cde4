"""The executions of one kernel's accesses, counted when they are asked for, each place once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from math import prod
from operator import add
from typing import TYPE_CHECKING

from coalint.analysis.counts.axes import Axes
from coalint.analysis.counts.executions import MAX_LANES, count_executions
from coalint.analysis.counts.open_sizes import OpenSizes
from coalint.analysis.counts.reaches import Reach
from coalint.analysis.counts.reuse import most_touches
from coalint.analysis.counts.uneven_loops import is_left_unevenly, supposed_whole
from coalint.analysis.counts.uneven_trials import Known
from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.warps.quantities import given_numbers
from coalint.core.facts.executions import Executions, SampleSizes
from coalint.core.facts.formulas import Formula

if TYPE_CHECKING:
    from coalint.analysis.warps.model import WarpModel

LANES = 32
MOST_SAMPLED = 1 << 18
"""Lanes that are tried one by one for sizes that stand in for open ones: larger sizes give way to smaller ones."""
SEVERAL = Executions(None, missing=("a pointer that may point to several arrays",))


class ExecutionCounts:
    """Counts executions under one launch.

    Args:
        model: The lanes of one block.
        axes: The axes of the launch.
        reaches: For each access in its order where it stands: several places where it was come to several times, none
            where it is not counted.
        places: For each access its byte offset, and the bytes of a lane.
        barriers: Where each barrier stands, in their order.
        with_forms: Whether to look for closed forms where the source leaves sizes open; this loads sympy.
    """

    def __init__(
        self,
        model: WarpModel,
        axes: Axes,
        reaches: Sequence[tuple[Reach, ...]],
        places: Sequence[tuple[Poly, int]] = (),
        barriers: Sequence[Reach] = (),
        *,
        with_forms: bool = False,
    ) -> None:
        self._places, self._barriers = places, barriers
        self._model, self._axes, self._reaches, self._with_forms = model, axes, reaches, with_forms
        self._known: dict[object, Executions] = {}
        self._held: dict[object, bool] = {}
        self._left_unevenly = Known()

    @property
    def warps(self) -> int:
        """The warps of the launch; of one block where the number of blocks is open."""
        block: int = -(-prod(self._model.block) // LANES)
        return block * (1 if self._axes.grid is None else prod(self._axes.grid))

    @property
    def open_grid(self) -> frozenset[str]:
        """What formulas call the numbers of blocks that are open."""
        return frozenset(self._model.algebra.atoms[index].name for index in self._axes.extents if index is not None)

    def of_access(self, number: int) -> Executions | None:
        """Return the executions of an access; None where they are not counted."""
        counted = (self._with_reuse(number, reach) for reach in self._reaches[number])
        return _sum(self._with_cost(number, *each) for each in zip(self._reaches[number], counted, strict=True))

    def of_barrier(self, number: int) -> Executions:
        """Return the executions of a barrier, by its number among the barriers."""
        return self._once(self._barriers[number], None)

    def sampled(self, number: int, sizes: SampleSizes) -> Executions | None:
        """Return the executions of an access with numbers for the open sizes."""
        return _sum(self._once(reach, sizes) for reach in self._reaches[number])

    def as_formula(self, number: int) -> Executions | None:
        """Return the executions of an access as a formula in the open sizes, where there is one; this loads sympy."""
        return _sum(self._with_cost(number, reach, self._formula(reach)) for reach in self._reaches[number])

    def barrier_as_formula(self, number: int) -> Executions:
        """Return the executions of a barrier as a formula in the open sizes, where there is one; this loads sympy."""
        return self._formula(self._barriers[number])

    def holds(self, number: int, formula: Formula, *, of_barrier: bool = False) -> bool:
        """Whether a formula gives how often an access, or a barrier, is executed at samples of the open sizes."""
        from coalint.analysis.counts.forms.proofs import gives

        reaches = (self._barriers[number],) if of_barrier else self._reaches[number]
        key = tuple(reach.key for reach in reaches), formula
        if key not in self._held:
            is_told = not any(reach.several for reach in reaches)
            self._held[key] = is_told and gives(self._model, reaches, self._axes, formula)
        return self._held[key]

    def named(self, number: int, sizes: SampleSizes) -> tuple[tuple[str, int], ...]:
        """Return the names of the open sizes that an access rests on, each with the number that stands in for it."""
        named: dict[str, int] = {}
        for reach in self._reaches[number]:
            for index, size in self._sizes.numbers(reach, sizes).items():
                named[self._model.algebra.atoms[index].name] = size
        return tuple(named.items())

    @cached_property
    def _sizes(self) -> OpenSizes:
        return OpenSizes(self._model, self._axes, (reach for reaches in self._reaches for reach in reaches))

    def _with_reuse(self, number: int, reach: Reach) -> Executions:
        counted = self._once(reach, None)
        if not self._with_forms or counted.warps is None or not self._places:
            return counted
        return replace(counted, reuse=most_touches(self._model, self._axes, reach, *self._places[number]))

    def _with_cost(self, number: int, reach: Reach, counted: Executions) -> Executions:
        """Return executions with whether what one costs rests on what loops divide: by its address, or its lanes."""
        if counted.form is None or not reach.stands_for:
            return counted
        algebra = self._model.algebra
        lanes = [guard.value for guard in reach.guards if algebra.level(guard.value) is not Level.UNIFORM]
        offset = [self._places[number][0]] if self._places else []
        varies = any(atom.index in reach.stands_for for atom in algebra.closure(*offset, *lanes))
        return replace(counted, cost_varies=varies)

    def _once(self, reach: Reach, sizes: SampleSizes | None) -> Executions:
        key = reach.key, sizes
        if key not in self._known:
            self._known[key] = SEVERAL if reach.several else self._counted(reach, sizes)
        return self._known[key]

    def _counted(self, reach: Reach, sizes: SampleSizes | None) -> Executions:
        model = self._model
        fixed: Mapping[int, int] = given_numbers(model.algebra, model.given, reach.sizes, reach.guards)
        if sizes is not None:
            fixed = {**self._sizes.numbers(reach, sizes), **fixed}
            result = Executions(None)
            for tested in (False, True):
                extents = self._sizes.extents(reach, sizes, tested=tested)
                result = count_executions(model, reach, self._axes, {**extents, **fixed}, MOST_SAMPLED)
                if result.warps is not None or result.is_too_large:
                    break
            return result
        result = count_executions(model, reach, self._axes, fixed)
        if self._with_forms and (result.warps is None or result.assumed):
            result = self._with_form(result, reach)
        return self._with_uneven_loops(result, reach, fixed)

    def _formula(self, reach: Reach) -> Executions:
        """Return the executions at a place, with a formula where they are open and have one."""
        counted = self._once(reach, None)
        if counted.warps is not None or counted.form is not None or reach.several:
            return counted
        key = reach.key, "formula"
        if key not in self._known:
            fixed = given_numbers(self._model.algebra, self._model.given, reach.sizes, reach.guards)
            self._known[key] = self._with_uneven_loops(self._with_form(counted, reach), reach, fixed)
        return self._known[key]

    def _with_form(self, counted: Executions, reach: Reach) -> Executions:
        """Return executions with their closed form, where there is one."""
        from coalint.analysis.counts.forms.proofs import closed_form

        form = closed_form(self._model, reach, self._axes, with_fits=self._with_forms)
        if form is None:
            return counted
        if form.text.isdigit():
            return Executions(int(form.text), assumed=form.assumed)
        assumed = tuple(dict.fromkeys((*counted.assumed, *form.assumed)))
        return replace(counted, formula=form.text, form=form.form, assumed=assumed)

    def _with_uneven_loops(self, counted: Executions, reach: Reach, fixed: Mapping[int, int]) -> Executions:
        """Return executions with what they rest on by loops that lanes of a warp leave in different iterations."""
        if not counted.warps and counted.form is None:
            return counted  # nothing is known, or nothing is executed however the loops are run
        suppositions = (
            supposed_whole(loop)
            for loop in reach.loops
            if is_left_unevenly(self._model, reach.guards, loop, fixed, MAX_LANES, self._left_unevenly) is not False
        )
        return replace(counted, assumed=tuple(dict.fromkeys((*counted.assumed, *suppositions, *reach.supposed))))


def _sum(counted: Iterable[Executions]) -> Executions | None:
    """Return the executions of all places together; None where there is none."""
    executions = list(counted)
    return reduce(add, executions) if executions else None
