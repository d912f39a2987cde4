"""The atoms of a launch's axes: which stand for thread indices, block indices and extents of the grid."""

from __future__ import annotations

from collections.abc import Collection

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.registers import Registers
from coalint.core import ir
from coalint.core.records import record


@record(frozen=True, slots=True)
class Axes:
    """The launch's axes x, y and z, by the indices of their atoms; None where a component is a known number.

    Attributes:
        threads: The components of the thread index.
        blocks: The components of the block index.
        extents: The numbers of blocks, where they are open.
        grid: The numbers of blocks; None where the launch does not tell.
        read: Whether the kernel reads the components of the block index.
    """

    threads: tuple[int | None, ...]
    blocks: tuple[int | None, ...]
    extents: tuple[int | None, ...]
    grid: tuple[int, int, int] | None
    read: tuple[bool, ...]

    @classmethod
    def of(
        cls, algebra: Algebra, registers: Registers, grid: tuple[int, int, int] | None, read: Collection[ir.Axis]
    ) -> Axes:
        """Return the axes of a kernel's registers; `read` are those of the block index that it reads."""

        def atoms(register: ir.Register) -> tuple[int | None, ...]:
            values = [algebra.atoms_of(registers[register, axis]) for axis in ir.AXES]
            return tuple(of_axis[0].index if of_axis else None for of_axis in values)

        return cls(
            threads=atoms(ir.Register.THREAD_INDEX),
            blocks=atoms(ir.Register.BLOCK_INDEX),
            extents=atoms(ir.Register.GRID_EXTENT),
            grid=grid,
            read=tuple(axis in read for axis in ir.AXES),
        )
