"""Keeps interrupts (Ctrl-C) from places where they do harm or are lost."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def holding_interrupts() -> Iterator[None]:
    """Block interrupts until the body is done; processes started in it inherit the block."""
    if sys.platform == "win32":
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def deferring_interrupts() -> Iterator[None]:
    """Call this process's handler of interrupts after the body, for one that came in the body.

    Python discards what a handler raises while an object is finalized (`object.__del__` in its reference), as a pipe
    is that is no longer used: the interrupt would be lost. Only the main thread has handlers; in others this does
    nothing.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if came:
        handler(*came[0])
