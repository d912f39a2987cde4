"""Whether lanes touch as many sectors wherever the unknown place is that they all count from."""

from __future__ import annotations

from dataclasses import replace
from math import gcd
from typing import TYPE_CHECKING

from coalint.core.lazy import np
from coalint.machine.global_memory.sectors import sector_counts

if TYPE_CHECKING:
    from coalint.core.facts.lanes import Lanes

SECTOR = 32  # bytes


def same_wherever_it_begins(lanes: Lanes, width: int) -> bool:
    """Return whether each warp touches as many sectors for every base that `lanes.alignment` allows.

    `width` is what a lane moves, in bytes. Where the lanes are at multiples of it from the base, so is the base: an
    address that is not would end the kernel.
    """
    if width < 1:
        return False
    step = gcd(lanes.alignment, SECTOR)
    offsets = lanes.offsets[lanes.active]
    if width & (width - 1) == 0 and not (offsets % width).any():
        step = max(step, min(width, SECTOR))
    at_zero = sector_counts(lanes, width)
    return all(
        np.array_equal(sector_counts(replace(lanes, offsets=lanes.offsets + base), width), at_zero)
        for base in range(step, SECTOR, step)
    )
