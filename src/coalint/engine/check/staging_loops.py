"""Loops that bring tiles of an open size through shared memory: they have many iterations, not a few.

A product of matrices walks K in tiles of 16 or 32, attention the keys in tiles of 64: what is made once before or after
such a loop is little of the kernel.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from coalint.core.facts.access import UNKNOWN_TRIPS, Access, Conditions, LoopStride, Operation, Space
from coalint.core.source.spans import Span
from coalint.engine.check.searches import SEARCHED
from coalint.machine.nvcc.instructions import MachineInstruction

MANY_TRIPS = 64
"""How many iterations such a loop counts as."""
_SECTOR = 32  # bytes


def staging_loops(instructions: Iterable[MachineInstruction]) -> frozenset[Span]:
    """Return the loops of open length that load from global memory a tile further on, and read shared memory again."""
    ahead: set[Span] = set()
    again: set[Span] = set()
    for access in (made.written for made in instructions if made.written.op is Operation.LOAD):
        for loop in access.loops:
            if loop.trips is not None:
                continue
            if access.space is Space.GLOBAL and _goes_on(loop):
                ahead.add(loop.span)
            elif access.space is Space.SHARED and (loop.bytes == 0 or loop.multiple):
                again.add(loop.span)
    return frozenset(ahead & again)


def weight(
    access: Access, staging: frozenset[Span], searching: frozenset[Span], left: frozenset[Span] = frozenset()
) -> float:
    """Return how often a thread makes an access, as far as the loops around it tell.

    Of loops of open length those that stage tiles and those that search have many iterations; what a search does under
    a condition counts as done once, since few elements fulfil it. So is what `left` loops are left after.
    """
    return prod((_trips(loop, staging, searching) for loop in access.loops if loop.span not in left), start=1.0)


def _goes_on(loop: LoopStride) -> bool:
    """Whether an iteration moves by a sector or more, or by rows."""
    return loop.text != "?" if loop.bytes is None else abs(loop.bytes) >= _SECTOR


def _trips(loop: LoopStride, staging: frozenset[Span], searching: frozenset[Span]) -> int:
    if loop.trips is not None:
        return loop.trips
    if loop.span in searching:
        return 1 if loop.conditions is Conditions.DIFFERENT else SEARCHED
    return MANY_TRIPS if loop.span in staging else UNKNOWN_TRIPS
