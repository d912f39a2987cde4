"""The threads of a block as arrays of lanes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray


LANES = 32


@lru_cache(maxsize=64)
def thread_arrays(
    block: tuple[int, int, int],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return threadIdx.x, .y, .z and existence of each lane, shape (1, W, 32).

    Lanes count linear thread ids (guide, 2.2).

    Lanes that the last warp lacks stand where its last one does, so that they differ from no other.
    """
    x, y, z = block
    threads = x * y * z
    lanes = np.arange(-(-threads // LANES) * LANES, dtype=np.int64).reshape(1, -1, LANES)
    linear = np.minimum(lanes, threads - 1)
    return linear % x, linear // x % y, linear // (x * y), lanes < threads
