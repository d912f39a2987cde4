"""Which extents of a block are open, and the blocks at which formulas in them are tried."""

from __future__ import annotations

from itertools import product
from math import prod

from coalint.core import ir
from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.core.ir.spelling import Spelling
from coalint.core.records import record
from coalint.rule import Block

LANES = 32
MOST_THREADS = 1024


@record(frozen=True, slots=True)
class OpenBlock:
    """A block of which some extents are supposed.

    Attributes:
        block: The block that is supposed.
        axes: The open axes, 0 for x to 2 for z.
        names: What users call the extents of these.
    """

    block: Block
    axes: tuple[int, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, specialization: Specialization, spelling: Spelling) -> OpenBlock | None:
        """Return the open extents; None where the block is given."""
        given = specialization.line is not None and not any(specialization.known)
        if specialization.source is not LaunchSource.ASSUMED or given:
            return None
        block, known = specialization.block, specialization.known
        rows = any(extent > 1 for extent in block[1:])
        axes = tuple(
            axis
            for axis, extent in enumerate(known)
            if extent is None and (block[axis] > 1 or (axis == 0 and not rows))
        )
        if not axes:
            return None
        names = tuple(spelling.component_of(ir.Register.BLOCK_EXTENT, ir.AXES[axis]) for axis in axes)
        return cls(block, axes, names)

    @property
    def supposed(self) -> tuple[tuple[str, int], ...]:
        """The open extents with what is supposed of them."""
        return tuple((name, self.block[axis]) for axis, name in zip(self.axes, self.names, strict=True))

    @property
    def is_tried(self) -> bool:
        """Whether formulas are looked for: warps are whole parts of rows, and the blocks to try are not too many."""
        return self.axes[-1] < 2 and (0 in self.axes or self.block[0] % LANES == 0)

    @property
    def powers(self) -> tuple[Block, ...]:
        """All blocks whose open extents are powers of two, with whole warps along x."""
        return self._blocks({axis: [self._unit(axis) << bit for bit in range(11)] for axis in self.axes})

    @property
    def others(self) -> tuple[Block, ...]:
        """All further blocks with whole warps along x, where one extent is open; none where both are."""
        if len(self.axes) > 1:
            return ()
        (axis,) = self.axes
        every = self._blocks({axis: list(range(self._unit(axis), MOST_THREADS + 1, self._unit(axis)))})
        return tuple(block for block in every if block not in self.powers)

    def conditions(self, *, is_for_all: bool) -> str:
        """Return in words which blocks `powers` are, or these and the `others`; empty for all blocks that there are."""
        texts = []
        for axis, name in zip(self.axes, self.names, strict=True):
            if is_for_all:
                texts += [f"`{name}` is a multiple of {LANES}"] if axis == 0 else []
            else:
                texts.append(f"`{name}` is a power of two" + (f" from {LANES} on" if axis == 0 else ""))
        return ", ".join(texts)

    def _unit(self, axis: int) -> int:
        return LANES if axis == 0 else 1

    def _blocks(self, extents: dict[int, list[int]]) -> tuple[Block, ...]:
        blocks = []
        for chosen in product(*extents.values()):
            x, y, z = (dict(zip(extents, chosen, strict=True)).get(axis, own) for axis, own in enumerate(self.block))
            if prod((x, y, z)) <= MOST_THREADS:
                blocks.append((x, y, z))
        return tuple(blocks)
