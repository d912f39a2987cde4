"""The special registers that tell a thread its place in the launch."""

from __future__ import annotations

from enum import Enum


class Register(Enum):
    """What a special register holds; all but WARP_SIZE have three components."""

    THREAD_INDEX = "thread-index"  # of the thread in its block
    BLOCK_INDEX = "block-index"  # of the block in the grid
    BLOCK_EXTENT = "block-extent"  # threads of the block
    GRID_EXTENT = "grid-extent"  # blocks of the grid
    WARP_SIZE = "warp-size"


class Axis(Enum):
    """One component of a register; lanes of a warp are counted along X first."""

    X = "x"
    Y = "y"
    Z = "z"


AXES = (Axis.X, Axis.Y, Axis.Z)
"""The components in their order, as shapes and indices list them."""
