"""How much of a file's processor time is left."""

from __future__ import annotations

import mmap
import struct
import time

from coalint.engine.check.limits import Limits

_MOMENT = 1e-3  # seconds
_SECONDS = struct.Struct("d")


class Clock:
    """How much of a file's processor time is left. A kernel gets a quarter at most, all together four fifths."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.begin = time.process_time()
        self._own = 0
        self._taken: mmap.mmap | None = None  # by each process that works on the file: shared by them

    def share_with(self, processes: int) -> None:
        """Count what all of so many processes take: this one, and others forked from it, which `become_copy` first."""
        self.begin -= self._elsewhere
        self._taken = mmap.mmap(-1, processes * _SECONDS.size)
        self.note()

    def become_copy(self, number: int) -> None:
        """Make it the clock of the forked process of this number, from 1 on, which has just begun."""
        self._own, self.begin = number, time.process_time()

    def note(self) -> None:
        """Tell the other processes what this one has taken."""
        if self._taken is not None:
            _SECONDS.pack_into(self._taken, self._own * _SECONDS.size, time.process_time() - self.begin)

    @property
    def _elsewhere(self) -> float:
        """Seconds that other processes have taken for the file."""
        if self._taken is None:
            return 0
        taken: list[float] = [seconds for (seconds,) in _SECONDS.iter_unpack(self._taken)]
        return sum(taken) - taken[self._own]

    @property
    def left(self) -> float:
        """Seconds until what is done must be handed over; 0 for no bound."""
        seconds = self.limits.seconds
        if not seconds:
            return 0
        self.note()
        return max(_MOMENT, self.begin + 0.8 * seconds - time.process_time() - self._elsewhere)

    @property
    def is_over(self) -> bool:
        """Whether there is no time left for another kernel."""
        return bool(self.limits.seconds) and self.left <= _MOMENT

    @property
    def share(self) -> float:
        """Seconds for the next kernel; 0 for no bound."""
        return min(self.left, self.limits.seconds / 4)
