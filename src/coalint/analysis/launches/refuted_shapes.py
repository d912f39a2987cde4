"""Block shapes that are guessed, and that the kernel's own arrays in shared memory speak against."""

from __future__ import annotations

from collections.abc import Iterable

from coalint.core.facts.access import Access, Space
from coalint.core.facts.launch import Specialization


def is_refuted(specialization: Specialization, accesses: Iterable[Access]) -> bool:
    """Whether threads of a guessed block would leave the rows that an array in shared memory is declared with.

    That is where an access numbers rows by one axis and columns by another, and all of the first warp make it.
    """
    return specialization.guesses_shape and any(_leaves_rows(access, specialization) for access in accesses)


def _leaves_rows(access: Access, specialization: Specialization) -> bool:
    memory, lanes = access.memory, access.result.lanes
    if access.space is not Space.SHARED or memory is None or lanes is None or len(memory.extents) < 2:
        return False
    pitch, steps = memory.row_pitch, [abs(step or 0) for step in access.strides]
    if pitch is None or not bool(lanes.active.reshape(-1, lanes.active.shape[-1])[0].all()):
        return False
    rows = [axis for axis, step in enumerate(steps) if step and step % pitch == 0]
    columns = [axis for axis, step in enumerate(steps) if 0 < step < pitch or (step == pitch == memory.element_bytes)]
    return any(
        row != column
        and specialization.block[row] > 1
        and (specialization.block[column] - 1) * steps[column] + access.bytes > pitch
        for row in rows
        for column in columns
    )
