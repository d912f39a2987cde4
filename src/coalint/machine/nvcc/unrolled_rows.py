"""Vectors made by iterations of a loop that moves by no constant: `s[8 * t + (i ^ 1)]`, `s[i / 4 * 32 + i % 4]`.

Seen in the machine code of nvcc 13.2 for sm_90: iterations that follow each other are one instruction, in whichever
order they walk a vector. Loads are also where the others of a vector come later (all even elements, then the odd ones);
stores are not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.core.facts.access import Access, LoopStride, Operation
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def first_of_vectors(access: Access, loop: LoopStride, width: int) -> NDArray[np.bool_] | None:
    """Return the rows in which all lanes begin a vector of `width` bytes, of an access whose iterations are rows.

    None where not all iterations are known, or not all are parts of whole aligned vectors.
    """
    runs = _runs(access, loop)
    if runs is None or not loop.trips or loop.trips * access.bytes % width:
        return None
    starts = np.zeros(runs.size, dtype=bool)
    walk = np.arange(0, width, access.bytes)
    for run in runs:
        steps = _steps(access, run)
        if steps is None:
            return None
        if access.op is Operation.LOAD:
            run = run[np.argsort(steps, kind="stable")]
            steps = np.sort(steps, kind="stable")
        for rows, moved in zip(run.reshape(-1, len(walk)), steps.reshape(-1, len(walk)), strict=True):
            first = int(np.argmin(moved))
            if (np.sort(moved) - moved[first] != walk).any() or not _begins(access, int(rows[first]), width):
                return None
            starts[rows[first]] = True
    return starts


def _runs(access: Access, loop: LoopStride) -> NDArray[np.int64] | None:
    """Return the numbers of the rows by runs of the loop (first axis), in the order of its iterations."""
    lanes = access.result.lanes
    names = [] if lanes is None else [name for name, _ in lanes.counters]
    if lanes is None or not loop.trips or names.count(loop.variable) != 1:
        return None
    counters = [np.asarray(numbers).reshape(-1) for _, numbers in lanes.counters]
    turn = counters.pop(names.index(loop.variable))
    if turn.size != lanes.offsets.shape[0] or turn.size % loop.trips:
        return None
    runs = np.lexsort((turn, *counters)).reshape(-1, loop.trips)
    if any((numbers[runs] != numbers[runs[:, :1]]).any() for numbers in counters):
        return None
    return runs


def _steps(access: Access, run: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return how far rows are from the first one in bytes; None where lanes differ in that, or take part in some."""
    lanes = access.result.lanes
    assert lanes is not None
    active = np.broadcast_to(lanes.active, lanes.offsets.shape)[run]
    if not active[0].any() or (active != active[:1]).any():
        return None
    offsets = lanes.offsets[run]
    moved = (offsets - offsets[:1])[:, active[0]]
    return None if (moved != moved[:, :1]).any() else moved[:, 0]


def _begins(access: Access, row: int, width: int) -> bool:
    """Whether each lane that takes part in a row is at a multiple of `width` bytes there."""
    lanes = access.result.lanes
    assert lanes is not None
    active = np.broadcast_to(lanes.active, lanes.offsets.shape)[row]
    return not (lanes.offsets[row][active] % width).any()
