"""How many values variables take under inequalities: thread indices by spans of warps, blocks, nests of loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coalint.analysis.counts.axes import Axes
from coalint.analysis.counts.forms.open_quantities import Inequality, NoClosedForm, OpenQuantities
from coalint.analysis.domain.algebra.atoms import Atom


class Ranges:
    """The variables of one kernel's guards, by the indices of their atoms.

    Attributes:
        open: The quantities that bound them.
        block: The block's shape, threads along x, y and z.
        axes: The launch's axes.
        spans: The lanes of a warp along x, y and z.
        of_thread: The axis of each component of the thread index.
        counters: Counters of loops, and components of the block index.
        order: The counters of the loops, from the outermost in.
        trips: How many values a loop's counter takes where no guard bounds it; None where that is not known.
    """

    def __init__(
        self,
        open_: OpenQuantities,
        axes: Axes,
        counters: Mapping[int, Atom],
        order: Sequence[int],
        trips: Mapping[int, Any],
    ) -> None:
        self.open, self.axes = open_, axes
        self.block = open_.model.block
        self.spans = warp_spans(self.block)
        self.of_thread = {index: axis for axis, index in enumerate(axes.threads) if index is not None}
        self.counters, self.order, self.trips = counters, order, trips
        self.variables = frozenset({*counters, *self.of_thread})

    def axes_of(self, variables: frozenset[int]) -> set[int]:
        """Return the axes of the thread index among some variables."""
        return {self.of_thread[index] for index in variables if index in self.of_thread}

    def free(self, index: int) -> Any:
        """Return how many values a variable takes that no guard tests."""
        if index in self.of_thread:
            return 1  # counted with its axis
        if index in self.axes.blocks:
            return self._extent(index)
        trips = self.trips.get(index)
        if trips is None:
            raise NoClosedForm
        return trips

    def _extent(self, block: int) -> Any:
        """Return the number of blocks along the axis of a block index: a number or a symbol."""
        return self.extent_of_axis(self.axes.blocks.index(block))

    def extent_of_axis(self, axis: int) -> Any:
        """Return the number of blocks along an axis: a number or a symbol."""
        if self.axes.grid is not None:
            return self.open.sympy.Integer(self.axes.grid[axis])
        extent = self.axes.extents[axis]
        if extent is None:
            raise NoClosedForm
        return self.open.symbol(self.open.algebra.atoms[extent])

    def line(self, thread: int, part: Inequality) -> Any:
        """Return how many spans of a warp along an axis have a lane whose index, counted through, is below a bound.

        The index is `thread + extent * block + extent * blocks * iteration`: each number once.
        """
        axis = self.of_thread[thread]
        unit = -part.factors[thread]
        if not unit.is_Integer or unit <= 0:
            raise NoClosedForm
        reach: Any = unit * self.block[axis]  # what all variables so far cover without a gap
        others = dict(part.factors)
        others.pop(thread)
        limited = True
        while others:
            index = next((i for i, factor in others.items() if self.open.sympy.expand(-factor - reach) == 0), None)
            if index is None:
                raise NoClosedForm
            others.pop(index)
            if index in self.trips:  # the loop goes on while the guard holds
                limited = False
                if others:
                    raise NoClosedForm
                break
            reach = reach * self._extent(index)
        spans = self.open.sympy.ceiling(part.rest / (unit * self.spans[axis]))
        if limited and self.axes.grid is not None:
            return self.open.sympy.Min(spans, reach / (unit * self.spans[axis]))
        return spans  # enough blocks are supposed

    def _rows(self, variables: frozenset[int], parts: Sequence[Inequality]) -> Any:
        """Return how many blocks along an axis are below a bound that is their own: of threads they have one there."""
        if len(variables) > 1 or len(parts) > 1:
            raise NoClosedForm
        ((block, factor),) = parts[0].factors.items()
        if not factor.is_Integer or factor >= 0:
            raise NoClosedForm
        rows = self.open.sympy.ceiling(parts[0].rest / -factor)
        return rows if self.axes.grid is None else self.open.sympy.Min(rows, self._extent(block))

    def nest(self, variables: frozenset[int], parts: Sequence[Inequality]) -> Any:
        """Return the iterations of a nest of loops, from the innermost out."""
        if any(self.counters[index].is_block_index for index in variables):
            return self._rows(variables, parts)
        names = {index: self.open.sympy.Symbol(f"_{index}", integer=True, nonnegative=True) for index in variables}
        total = self.open.sympy.Integer(1)
        left = list(parts)
        for index in reversed([index for index in self.order if index in variables]):
            bounding = [part for part in left if index in part.factors]
            if len(bounding) != 1:
                raise NoClosedForm
            left.remove(bounding[0])
            step = -bounding[0].factors[index]
            room = bounding[0].rest + sum(f * names[i] for i, f in bounding[0].factors.items() if i != index)
            if not step.is_Integer or step <= 0 or (step != 1 and room.free_symbols & set(names.values())):
                raise NoClosedForm
            last = self.open.sympy.ceiling(room / step) - 1
            is_constant = names[index] not in total.free_symbols  # a sum of sympy takes a hundred times as long
            total = total * (last + 1) if is_constant else self.open.sympy.summation(total, (names[index], 0, last))
        if left or total.free_symbols & set(names.values()):
            raise NoClosedForm
        return self.open.sympy.factor(total) if not total.has(self.open.sympy.ceiling) else total


def warp_spans(block: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return the lanes of a warp along x, y and z; NoClosedForm where warps are no boxes of the block."""
    left, spans = 32, []
    for extent in block:
        span = min(left, extent)
        if extent % span or left % span:
            raise NoClosedForm
        spans.append(span)
        left //= span
        if left > 1 and span < extent:
            raise NoClosedForm
    return spans[0], spans[1], spans[2]
