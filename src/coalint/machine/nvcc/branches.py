"""Operations with branches of their own, over which accesses to shared memory do not become one.

Seen in the machine code of nvcc 13.0 for sm_90 (tests/machine/test_slow_paths.py): `s[2 * t]` and `s[2 * t + 1]` of a
static array stay two loads where a quotient or a square root of floating-point numbers stands between them, and so do
the copies of a loop that has one. The assembler alone merges these, within what has no branches. Those of a dynamic
array become one before there are any, but over a function with a loop: `sinf`, `fmodf`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from coalint.core.facts.access import Access, LoopStride, Space
from coalint.core.facts.slow_paths import SlowPath
from coalint.core.source.spans import Span


class Branches:
    """The operations of a kernel with branches, in the order of its accesses."""

    def __init__(self, accesses: Sequence[Access], slow_paths: Sequence[SlowPath]) -> None:
        self._accesses = accesses
        self._all = _Ordered(slow_paths)
        self._looping = _Ordered([slow for slow in slow_paths if slow.has_loop])

    def may_part(self, access: Access) -> bool:
        """Whether there is an operation over which an access does not become one with others."""
        parting = self._parting(access)
        return parting is not None and bool(parting)

    def between(self, one: int, other: int) -> SlowPath | None:
        """Return an operation between two accesses that keeps them from becoming one."""
        parting = self._parting(self._accesses[one])
        return None if parting is None else parting.between(min(one, other), max(one, other))

    def inside(self, loop: LoopStride, access: Access) -> SlowPath | None:
        """Return an operation in a loop that keeps iterations from becoming one."""
        parting = self._parting(access)
        return None if parting is None else parting.by_loop.get(loop.span)

    def _parting(self, access: Access) -> _Ordered | None:
        """Return the operations over which an access does not become one with others; None for no such access."""
        if access.space is not Space.SHARED:
            return None
        return self._all if access.memory is not None and not access.memory.dynamic else self._looping


class _Ordered:
    """Operations by the accesses before them, and one of each loop around some."""

    def __init__(self, slow_paths: Sequence[SlowPath]) -> None:
        self._sorted = sorted(slow_paths, key=lambda slow: slow.accesses_before)
        self._counts = [slow.accesses_before for slow in self._sorted]
        self.by_loop: dict[Span, SlowPath] = {loop: slow for slow in reversed(slow_paths) for loop in slow.loops}

    def __bool__(self) -> bool:
        return bool(self._counts)

    def between(self, first: int, last: int) -> SlowPath | None:
        at = bisect_right(self._counts, first)
        return self._sorted[at] if at < len(self._counts) and self._counts[at] <= last else None
