"""The sizes that a launch leaves open, and numbers that stand in for them where accesses are weighed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from coalint.analysis.counts.axes import Axes
from coalint.analysis.counts.reaches import Reach
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Poly
from coalint.analysis.domain.conditions import conjuncts
from coalint.core.facts.executions import SampleSizes

if TYPE_CHECKING:
    from coalint.analysis.warps.model import WarpModel


class OpenSizes:
    """Tells the sizes that guards compare threads or blocks with from those that bound loops alone.

    Args:
        model: The lanes of one block.
        axes: The axes of the launch.
        reaches: Where all accesses of the kernel stand.
    """

    def __init__(self, model: WarpModel, axes: Axes, reaches: Iterable[Reach]) -> None:
        self._model, self._axes = model, axes
        algebra = model.algebra
        self._of_threads: set[int] = set()
        seen: set[Poly] = set()
        for value in (guard.value for reach in reaches for guard in reach.guards):
            if value in seen:
                continue
            seen.add(value)
            for part in conjuncts(algebra, value):
                inside = algebra.closure(part)
                if any(atom.index in axes.threads or atom.is_block_index for atom in inside):
                    self._of_threads |= {atom.index for atom in inside if atom.kind is AtomKind.UNIFORM}

    def numbers(self, reach: Reach, sizes: SampleSizes) -> dict[int, int]:
        """Return numbers for the open sizes of a place, by the indices of their atoms; none for what memory holds.

        What has bounds of its own lies within these: a flag, or a pointer that may be null, is 1.
        """
        return {
            atom.index: _within_bounds(atom, sizes.threads if atom.index in self._of_threads else sizes.loops)
            for atom in self._model.algebra.closure(*reach.sizes)
            if atom.kind is AtomKind.UNIFORM and atom.index not in self._axes.extents
        }

    def extents(self, reach: Reach, sizes: SampleSizes, *, tested: bool) -> dict[int, int]:
        """Return open numbers of blocks, as many as there are threads for, by the indices of their atoms.

        `tested` says whether also along axes whose block index the guards test: these may bound it themselves.
        """
        axes = self._axes
        inside = {atom.index for atom in self._model.algebra.closure(*(guard.value for guard in reach.guards))}
        return {
            extent: -(-sizes.threads // self._model.block[axis])
            for axis, (extent, block) in enumerate(zip(axes.extents, axes.blocks, strict=True))
            if extent is not None
            and axes.grid is None
            and axes.read[axis]
            and (tested or block not in inside or extent in inside)
        }


def _within_bounds(atom: Atom, number: int) -> int:
    least = number if atom.low is None else max(number, atom.low)
    return least if atom.high is None else min(least, atom.high)
