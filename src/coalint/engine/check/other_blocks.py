"""One kernel at other blocks than its own, each analysed once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.facts.analysis import Analysis
from coalint.core.facts.launch import Specialization
from coalint.rule import Block

if TYPE_CHECKING:
    from coalint.core import ir


class OtherBlocks:
    """Analyses a kernel at blocks that rules, and formulas of counts, ask for."""

    def __init__(self, module: ir.Module, kernel: ir.Kernel, specialization: Specialization) -> None:
        self._module, self._kernel, self._own = module, kernel, specialization
        self._known: dict[tuple[Block, bool], Analysis | None] = {}

    def reshaped(self, block: Block, races: bool = False) -> Analysis | None:
        """Return the kernel at another block; its grid has as many threads along each axis, as far as that goes."""
        if (block, True) in self._known:
            races = True
        if (block, races) not in self._known:
            self._known[block, races] = self._analysed(self._resized(block), races)
        return self._known[block, races]

    def sketched(self, block: Block) -> Analysis | None:
        """Return the kernel at another block, with accesses that have addresses but need not have lanes."""
        for races in (False, True):
            if (block, races) in self._known:
                return self._known[block, races]
        return analysed_again(self._module, self._kernel, self._resized(block), lanes=False)

    def _resized(self, block: Block) -> Specialization:
        """Return the kernel's specialization with another block, and a grid with as many threads."""
        grid = self._own.grid
        if grid is not None:
            old = self._own.block
            x, y, z = (max(1, -(-n * before // new)) for n, before, new in zip(grid, old, block, strict=True))
            grid = (x, y, z)
        return replace(self._own, block=block, grid=grid)

    def at(self, specialization: Specialization, races: bool = False) -> Analysis | None:
        """Return the kernel at a specialization that differs from its own in the block alone."""
        if self._own.grid is None:
            return self.reshaped(specialization.block, races)
        return self._analysed(specialization, races)

    def in_same_grid(self, block: Block) -> Analysis | None:
        """Return the kernel at another block in its grid, without what divides arguments where the block is its own."""
        if self._own.grid is None and not self._own.divisors:
            return self.reshaped(block)
        return self._analysed(replace(self._own, block=block, divisors=()), False)

    def _analysed(self, specialization: Specialization, races: bool) -> Analysis | None:
        return analysed_again(self._module, self._kernel, specialization, races)


def analysed_again(
    module: ir.Module, kernel: ir.Kernel, specialization: Specialization, races: bool = False, lanes: bool = True
) -> Analysis | None:
    """Return the analysis at another specialization alone; None where the kernel cannot be analysed so."""
    from coalint.analysis.evaluate import tried

    return tried(module, kernel, specialization, with_races=races, with_lanes=lanes)
