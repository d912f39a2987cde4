"""How often a launch touches one address by an access: what a cache may serve, so that memory moves the rest at least.

Thread indices, block indices and iterations that move an address by steps which never meet give each an address of
its own; all others may come to one again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.counts.axes import Axes
from coalint.analysis.counts.reaches import Reach
from coalint.analysis.domain.algebra.atoms import Level, Poly

if TYPE_CHECKING:
    from coalint.analysis.warps.model import WarpModel


def most_touches(model: WarpModel, axes: Axes, reach: Reach, offset: Poly, width: int) -> int | None:
    """Return how often at most one byte is touched; None where the steps of the address are not known.

    Args:
        model: The lanes of one block.
        axes: The axes of the launch.
        reach: The loops around the access.
        offset: The byte offset of the access.
        width: Bytes of a lane.
    """
    threads = zip(axes.threads, model.block, strict=True)
    extents = {thread: extent for thread, extent in threads if thread is not None}
    repeated = 1
    for axis, block in enumerate(axes.blocks):
        if axes.grid is None:
            if axes.read[axis] or axis == 0:
                return None
        elif block is not None:
            extents[block] = axes.grid[axis]
    for loop in reach.loops:
        if loop.trips is None:
            return None
        if loop.counter is None:
            repeated *= loop.trips
        else:
            extents[loop.counter.index] = loop.trips
    steps = _steps(model, offset, extents)
    if steps is None or width <= 0:
        return None
    reached = width  # bytes that all variables so far cover, at distances that never meet
    for index in sorted(extents, key=lambda index: (abs(steps.get(index, 0)), index)):
        step, extent = abs(steps.get(index, 0)), extents[index]
        if step >= reached:
            reached = step * (extent - 1) + reached
        else:
            repeated *= extent
    return repeated


def _steps(model: WarpModel, offset: Poly, extents: dict[int, int]) -> dict[int, int] | None:
    """Return by how many bytes each variable moves the address; None where it is no sum of multiples of them."""
    steps: dict[int, int] = {}
    for coefficient, monomial in model.algebra.terms(offset):
        moving = [index for index, _ in monomial if index in extents]
        if not moving:
            if any(model.algebra.atoms[index].level is not Level.UNIFORM for index, _ in monomial):
                return None
            if _rests_on(model, monomial, extents):
                return None
            continue
        if len(monomial) > 1 or monomial[0][1] > 1:
            return None
        steps[moving[0]] = steps.get(moving[0], 0) + coefficient
    return steps


def _rests_on(model: WarpModel, monomial: tuple[tuple[int, int], ...], extents: dict[int, int]) -> bool:
    """Whether what all threads of a block share changes with the block or the iteration."""
    operands = (operand for index, _ in monomial for operand in model.algebra.atoms[index].operands)
    return any(atom.index in extents for operand in operands for atom in model.algebra.closure(operand))
