"""Bounds on what the check of one file may take: how long, and how much memory."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from coalint.core.records import record

R = TypeVar("R")

SECONDS = 60.0
MEGABYTES = 2048
LIBCLANG = {
    "LIBCLANG_DISABLE_CRASH_RECOVERY": "1",  # a process that crashed is of no further use
    "LIBCLANG_NOTHREADS": "1",  # parse in the thread that asks, so on a deep stack, not on one of 8 MB
}
"""The environment that libclang needs in a process that may be lost."""
_STACK = 64 << 20
_FRAMES = 10_000
PR_SET_PDEATHSIG = 1
_LINUX = sys.platform.startswith("linux")


class OvertimeError(BaseException):
    """Raised inside of `deadline` when the time is over; no Exception, so that no handler on the way stops it."""


@record(frozen=True, slots=True)
class Limits:
    """`seconds` and bytes of resident `memory` that one item may take; 0 for no bound.

    Seconds in which other programs had the processor do not count, so that a busy machine changes no result, where the
    system tells them apart (Linux).
    """

    seconds: float = SECONDS
    memory: int = MEGABYTES << 20

    @property
    def memory_text(self) -> str:
        """The bound on memory as users wrote it: `2048 MB`."""
        return f"{self.memory >> 20} MB"

    def impose(self) -> None:
        """Prepare a worker process: what can be bounded from inside is.

        On Linux an allocation beyond the bound fails at once (Python raises MemoryError), the worker dies with its
        parent, and the kernel, short of memory, ends it rather than other processes. A crash leaves no core file.
        """
        if sys.platform == "win32":
            return
        import resource

        _limit(resource.RLIMIT_CORE, 0)
        if _LINUX:
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
            if self.memory:
                _limit(resource.RLIMIT_DATA, self.memory + _data_bytes() + _STACK)
            with open("/proc/self/oom_score_adj", "w") as file:
                file.write("800")


UNBOUNDED = Limits(0, 0)


def _limit(kind: int, bytes: int) -> None:
    import resource

    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        bytes = min(bytes, hard)
    resource.setrlimit(kind, (bytes, hard))


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise OvertimeError in this thread when the body takes more processor time than `seconds` (0: no limit).

    What runs in C is interrupted when it returns. Not for bodies that call back from C: an exception is lost there.
    """
    if seconds <= 0:
        yield
        return
    thread, lock, over = threading.get_ident(), threading.Lock(), threading.Event()
    end = time.process_time() + seconds
    fired = False

    def watch() -> None:
        nonlocal fired
        left = seconds
        while left > 0:
            if over.wait(left):
                return
            left = end - time.process_time()
        with lock:
            if not over.is_set():
                fired = True
                _raise_in(thread, OvertimeError)

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        with lock:
            over.set()
        watching.join()  # a process with threads is not forked
        if fired:
            _raise_in(thread, None)  # it may still be on its way
    if fired:
        raise OvertimeError


def with_deep_stack(function: Callable[[], R]) -> R:
    """Call the function where statements and sums may nest some thousand deep, as they do in generated code.

    That is a thread of its own, with a stack of 64 MB for libclang's recursion and more of Python's frames.
    """
    results: list[R] = []
    errors: list[BaseException] = []

    def call() -> None:
        try:
            results.append(_with_room(function))
        except BaseException as error:
            errors.append(error)

    before = threading.stack_size(_STACK)
    try:
        thread = threading.Thread(target=call, daemon=True)
        thread.start()
    finally:
        threading.stack_size(before)
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _FRAMES))
    thread.join()
    if errors:
        raise errors[0]
    return results[0]


def _with_room(function: Callable[[], R]) -> R:
    """Call the function where frames have 4 MB in one piece.

    CPython takes memory for frames from the system in pieces of 16 KB, and gives each back as soon as it is empty: a
    loop of calls at the end of one can take a third of the time. The piece around a frame is as large as that needs.
    """
    return function()


_with_room.__code__ = _with_room.__code__.replace(co_stacksize=(4 << 20) // ctypes.sizeof(ctypes.c_void_p) + 64)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    target = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), target)


def _data_bytes() -> int:
    """Return what RLIMIT_DATA counts in this process: its private writable memory."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[5]) * os.sysconf("SC_PAGESIZE")
