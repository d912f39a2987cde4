"""Accesses to two rows of a dynamic shared array that may be the same row, and touch different bytes in any case.

Of `a[k] += b[k]` with `a = s + 8 * t` and `b = s + 8 * (t + n)` nvcc does not know whether the rows are one. It knows
that they lie a multiple of 32 bytes apart, so that `a[0]` is neither `b[1]` nor `b[2]` nor `b[3]`: a vector of stores
to `a` is made after a vector of loads of `b`. So LLVM's analysis of aliases sees it
(`lib/Analysis/BasicAliasAnalysis.cpp`: an offset that is no multiple of what all variable parts are multiples of).
Seen in the PTX of nvcc 13.2 for sm_90; of static arrays nothing is merged there.
"""

from __future__ import annotations

from coalint.core.arrays import distinct
from coalint.core.facts.access import Access, Operation
from coalint.core.source.spans import Span


def apart_in_iterations(other: Access, access: Access, loop: Span, width: int, *, comes_first: bool) -> bool:
    """Whether two accesses that walk with a loop meet at most in the same iteration, and not where one is moved.

    `width` is that of the vector in bytes, and `comes_first` whether the other one comes first in an iteration. Stores
    are made where the last of the vector is, loads where the first is.
    """
    steps = [next((at.bytes for at in one.loops if at.span == loop), None) for one in (other, access)]
    if steps[0] is None or steps[0] != steps[1] or comes_first is (access.op is Operation.LOAD):
        return False
    return _distance(other, access, width) == 0


def apart_beside(other: Access, moved: Access, width: int) -> bool:
    """Whether two accesses touch different bytes if vectors of `width` bytes that hold them begin where they may."""
    if any(one.result.lanes is None or one.result.lanes.alignment % width for one in (other, moved)):
        return False
    distance = _distance(other, moved, width)
    return distance is not None and moved.bytes <= distance <= width - moved.bytes


def _distance(other: Access, access: Access, width: int) -> int | None:
    """Return how far apart in vectors of a dynamic shared array two accesses lie; None where lanes differ in it."""
    alike = (other.memory, other.bytes) == (access.memory, access.bytes) and other.op is not Operation.ATOMIC
    lanes, others = access.result.lanes, other.result.lanes
    if not alike or access.memory is None or not access.memory.dynamic or lanes is None or others is None:
        return None
    if lanes.active.shape != others.active.shape:
        return None
    rows = [(name, tuple(values.tolist())) for name, values in lanes.counters]
    if rows != [(name, tuple(values.tolist())) for name, values in others.counters]:
        return None
    row = int((lanes.active.any(axis=(1, 2)) & others.active.any(axis=(1, 2))).argmax())
    starts, begins = (distinct(one.offsets[row][one.active[row]] % width) for one in (lanes, others))
    return (int(begins[0]) - int(starts[0])) % width if len(starts) == len(begins) == 1 else None
