"""Which accesses to shared memory have no barrier between them, in one iteration of the loops around or in the next."""

from __future__ import annotations

from collections.abc import Sequence

from coalint.analysis.recorder.events import Item, LoopRegion, SharedAccess, SyncPoint
from coalint.core.facts.access import Operation
from coalint.core.records import record

MAX_PAIRS = 4000  # of one kernel


@record(frozen=True, slots=True, eq=False)
class Pair:
    """Two accesses to one object, at least one of which writes, without a barrier of the block between.

    Each thread comes to `first` first. With `turn`, it comes to `second` in the next iteration of that loop. `in_warp`
    says that not even the lanes of a warp wait for one another.
    """

    first: SharedAccess
    second: SharedAccess
    turn: LoopRegion | None
    in_warp: bool


def pairs(items: Sequence[Item]) -> list[Pair]:
    """Return the pairs of a kernel, in the order in which a thread completes them."""
    walk = _Walk()
    walk.through(items)
    return walk.pairs


class _Walk:
    """`open` are the accesses since the last barrier of the block, and whether the lanes of a warp have met since.

    `looks` are loads that only look what an atomic that follows is to do.

    Behind something `doubtful`, threads may be ordered in ways that are not followed, until the block meets again.
    """

    def __init__(self) -> None:
        self.pairs: list[Pair] = []
        self.open: dict[SharedAccess, bool] = {}
        self.looks: set[SharedAccess] = set()
        self.doubtful = False

    def through(self, items: Sequence[Item]) -> None:
        for item in items:
            match item:
                case SharedAccess():
                    self._meet(item, None)
                    if item.operation is Operation.ATOMIC and item.by_loads:
                        self._forget_looks(item)
                    if not self.doubtful:
                        self.open[item] = False
                        self._pair(item, item, None, False)
                case SyncPoint():
                    self._wait(item)
                case LoopRegion():
                    self._round(item)

    def _wait(self, meeting: SyncPoint) -> None:
        if meeting.block:
            self.open = {}
            self.doubtful = not meeting.certain
        elif meeting.orders_memory:
            self.open = dict.fromkeys(self.open, True)
        else:
            self.open = {touch: met or touch.operation is Operation.LOAD for touch, met in self.open.items()}

    def _round(self, loop: LoopRegion) -> None:
        self.doubtful |= loop.waits
        self.through(loop.items)
        if loop.trips is None or loop.trips > 1:
            after, doubtful = self.open, self.doubtful
            self.open = {touch: met for touch, met in after.items() if loop in touch.loops}
            self._again(loop.items, loop)
            self.open, self.doubtful = after, doubtful
        self.doubtful |= loop.waits

    def _again(self, items: Sequence[Item], loop: LoopRegion) -> bool:
        """Begin the next iteration, up to where the block meets. False from there on."""
        for item in items:
            match item:
                case SharedAccess():
                    self._meet(item, loop)
                case SyncPoint():
                    self._wait(item)
                    if item.block:
                        return False
                case LoopRegion():
                    self.doubtful |= item.waits
                    if not self._again(item.items, loop):
                        return False
        return True

    def _meet(self, touch: SharedAccess, turn: LoopRegion | None) -> None:
        if not self.doubtful:
            for other, met in self.open.items():
                self._pair(other, touch, turn, met)

    def _forget_looks(self, atomic: SharedAccess) -> None:
        """Forget loads before an atomic on the same object that rests on what was loaded.

        They look what it is to do.
        """
        looks = {touch for touch in self.open if touch.operation is Operation.LOAD and touch.base is atomic.base}
        if looks:
            self.looks |= looks
            self.pairs = [pair for pair in self.pairs if not _is_look(pair, looks)]

    def _pair(self, first: SharedAccess, second: SharedAccess, turn: LoopRegion | None, met: bool) -> None:
        if Operation.ATOMIC in (first.operation, second.operation) and self.looks & {first, second}:
            return
        if first.base is second.base and _conflict(first, second) and len(self.pairs) < MAX_PAIRS:
            self.pairs.append(Pair(first, second, turn, not met))


def _is_look(pair: Pair, looks: set[SharedAccess]) -> bool:
    """Whether a pair is an atomic and a load that is meant to be early."""
    touches = (pair.first, pair.second)
    return any(t.operation is Operation.ATOMIC for t in touches) and any(t in looks for t in touches)


def _conflict(first: SharedAccess, second: SharedAccess) -> bool:
    operations = {first.operation, second.operation}
    if first is second:
        return operations == {Operation.STORE}
    return Operation.STORE in operations or operations == {Operation.ATOMIC, Operation.LOAD}
