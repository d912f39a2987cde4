"""How much of a file's processor time is left."""

from __future__ import annotations

import time

from coalint.engine.check.limits import Limits

_MOMENT = 1e-3  # seconds


class Clock:
    """How much of a file's processor time is left. A kernel gets a quarter at most, all together four fifths."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.begin = time.process_time()

    @property
    def left(self) -> float:
        """Seconds until what is done must be handed over; 0 for no bound."""
        seconds = self.limits.seconds
        return max(_MOMENT, self.begin + 0.8 * seconds - time.process_time()) if seconds else 0

    @property
    def is_over(self) -> bool:
        """Whether there is no time left for another kernel."""
        return bool(self.limits.seconds) and self.left <= _MOMENT

    @property
    def share(self) -> float:
        """Seconds for the next kernel; 0 for no bound."""
        return min(self.left, self.limits.seconds / 4)
