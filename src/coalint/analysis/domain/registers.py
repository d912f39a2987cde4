"""The values of the special registers in one launch, as atoms under the names that the source language gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.algebra import Algebra
    from coalint.core.facts.launch import Specialization

WARP = 32  # lanes

Registers = dict[tuple[ir.Register, ir.Axis | None], Poly]
"""Values by register and component; that of the warp size has no component."""


def thread_index(algebra: Algebra, spelling: ir.Spelling, block: tuple[int, int, int]) -> tuple[Poly, ...]:
    """Return the components of the thread index; zero along an axis with one thread."""
    return tuple(
        algebra.atom(
            AtomKind.THREAD,
            spelling.component_of(ir.Register.THREAD_INDEX, axis),
            Level.DIVERGENT,
            low=0,
            high=extent - 1,
        )
        if extent > 1
        else algebra.zero
        for axis, extent in zip(ir.AXES, block, strict=True)
    )


def kernel_registers(
    algebra: Algebra, spelling: ir.Spelling, specialization: Specialization, threads: tuple[Poly, ...]
) -> Registers:
    """Return the registers of a kernel at a specialization; `threads` are the components of the thread index."""
    registers: Registers = {(ir.Register.WARP_SIZE, None): algebra.constant(WARP)}
    grid = specialization.grid or specialization.extents
    for axis, thread, extent, blocks in zip(ir.AXES, threads, specialization.block, grid, strict=True):
        registers[(ir.Register.THREAD_INDEX, axis)] = thread
        registers[(ir.Register.BLOCK_EXTENT, axis)] = algebra.constant(extent)
        registers[(ir.Register.BLOCK_INDEX, axis)] = (
            algebra.zero
            if blocks == 1
            else algebra.atom(
                AtomKind.COUNTER,
                spelling.component_of(ir.Register.BLOCK_INDEX, axis),
                Level.UNIFORM,
                low=0,
                high=None if blocks is None else blocks - 1,
                trips=blocks,
                is_block_index=True,
            )
        )
        extent_name = spelling.component_of(ir.Register.GRID_EXTENT, axis)
        registers[(ir.Register.GRID_EXTENT, axis)] = (
            algebra.constant(blocks)
            if blocks is not None
            else algebra.atom(AtomKind.UNIFORM, extent_name, Level.UNIFORM, low=1)
        )
    return registers


def host_registers(algebra: Algebra, spelling: ir.Spelling) -> Registers:
    """Return registers of which nothing is known, for host functions, which have none."""
    registers: Registers = {
        (register, axis): algebra.atom(AtomKind.UNIFORM, spelling.component_of(register, axis), Level.UNIFORM)
        for register in (
            ir.Register.THREAD_INDEX,
            ir.Register.BLOCK_EXTENT,
            ir.Register.BLOCK_INDEX,
            ir.Register.GRID_EXTENT,
        )
        for axis in ir.AXES
    }
    return {**registers, (ir.Register.WARP_SIZE, None): algebra.constant(WARP)}
