"""Loads of which the other warps of a block use the rest of the sectors, as where threadIdx.y picks the component.

What that costs in time was measured on an H100 (benchmarks/interleaved.cu): blocks of 64 threads in x and one in y for
each field of a struct take 0.95 to 1.1 times as long as with an array per field, for structs of 2 to 12 floats or
doubles. Stores take 1.2 to 2 times as long, as each warp hands its part of the sectors on to the L2 cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.core.arrays import distinct
from coalint.core.facts.access import Access, Operation
from coalint.core.lazy import np
from coalint.rules.support.caching import FARTHEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SECTOR = 32  # bytes
_LANES = 32
_ROWS = 8  # combinations of enumerated values that are looked at

SHARED_IN_BLOCK = (
    "the other warps of the block load most of the rest of these sectors by the same instruction, so that the L1 cache "
    "holds them: more requests than needed, but hardly more traffic to memory"
)


def are_shared_in_block(access: Access) -> bool:
    """Whether the warps of a block together load two thirds of the bytes of the sectors that each of them touches.

    Their lanes must lie close to each other, as where a warp loads one number of each of 32 neighbouring structs.
    """
    lanes = access.result.lanes
    if access.op is not Operation.LOAD or lanes is None or lanes.groups is not None:
        return False
    if lanes.offsets.shape[1] < 2 or not access.result.has_one_base:
        return False
    for offsets, active in zip(lanes.offsets[:_ROWS], lanes.active[:_ROWS], strict=True):
        warps = [warp[on] for warp, on in zip(offsets, active, strict=True) if on.any()]
        if any(int(np.ptp(warp)) > _LANES * FARTHEST for warp in warps):
            return False
        if warps and not _use_most(np.concatenate(warps)[:, None] + np.arange(access.bytes)):
            return False
    return True


def _use_most(touched: NDArray[np.int64]) -> bool:
    """Whether bytes are two thirds of those in the sectors that they lie in."""
    used = distinct(touched)
    return 3 * len(used) >= 2 * _SECTOR * len(distinct(used // _SECTOR))
