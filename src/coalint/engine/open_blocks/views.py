"""A kernel at one block, with what tells its instructions and barriers from each other whatever the block is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from coalint.core.facts.access import Space
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.executions import Counting
from coalint.core.records import record
from coalint.machine.nvcc.instructions import MachineInstruction

Key = tuple[object, ...]
"""What tells an instruction, or a barrier, from the others of its kernel, whatever the block is."""


@record(frozen=True, slots=True)
class View:
    """A kernel at one block: its instructions and barriers by their keys, with what counts them."""

    counting: Counting
    instructions: dict[Key, MachineInstruction]
    barriers: dict[Key, int]

    @classmethod
    def of(cls, analysis: Analysis, instructions: Sequence[MachineInstruction]) -> View | None:
        """Return the view; None where nothing counts the executions."""
        if analysis.counting is None:
            return None
        by_key: dict[Key, MachineInstruction] = {}
        for number, made in enumerate(instructions):
            if made.access.space in (Space.GLOBAL, Space.SHARED) and number == min(made.members, default=number):
                by_key[_free((made.written.span, made.written.op, made.access.bytes), by_key)] = made
        barriers: dict[Key, int] = {}
        for number, barrier in enumerate(analysis.barriers):
            barriers[_free((barrier.span, barrier.function), barriers)] = number
        return cls(analysis.counting, by_key, barriers)


def _free(base: Key, taken: dict[Key, Any]) -> Key:
    """Return a key with which of those alike it is."""
    return next(key for key in _numbered(base) if key not in taken)


def _numbered(base: Key) -> Iterator[Key]:
    number = 0
    while True:
        yield (*base, number)
        number += 1
