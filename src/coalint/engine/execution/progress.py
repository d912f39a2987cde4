"""How far a run is, and the callback that follows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coalint.core.records import record


@record(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is.

    Attributes:
        done: The number of files done.
        total: The number of all files that are known to be checked.
        kernels: The number of kernels in the files done, each once for every launch under which it was analysed.
        share: The part of the work that is done, from 0 to 1, by the bytes of the files.
        running: The files that are being checked, each with the seconds since it was begun, the longest first.
    """

    done: int
    total: int
    kernels: int = 0
    share: float = 0.0
    running: tuple[tuple[str, float], ...] = ()


Follower = Callable[[Progress], None]
"""Called repeatedly while a run goes on."""

Tick = Callable[[int, Sequence[tuple[int, float]]], None]
"""Called with the number of items done, and the positions of those at work with the seconds that each has taken."""
