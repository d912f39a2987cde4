"""Frees a parse from pipes and endless devices that libclang opens itself.

Names that stand in a source are looked at before the parse (`build/includes`). A name that macros compose, or one that
turns into a pipe during the parse, shows only when libclang waits for a writer: here the pipe gets one that writes
nothing. A device such as /dev/zero ends as soon as it is seen. The parse goes on as with an empty file; it is to be
repeated without the names that were met. Linux tells what a thread waits for; elsewhere the bound on time ends it.
"""

from __future__ import annotations

import os
import platform
import stat
import sys
from _thread import LockType, allocate_lock, start_new_thread
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from coalint.core.source.boundary import Boundary
from coalint.core.source.reading import lies_in

PERIOD = 0.1
"""Seconds after which a parse is looked at, again and again."""
_OPENING = {"x86_64": {2: 0, 257: 1, 437: 1}, "aarch64": {56: 1, 437: 1}}.get(platform.machine(), {})
"""The numbers of the system calls open, openat and openat2, and which argument of each is the path."""
_LONGEST = 4096
_MEMORY_DEVICES, _NULL = 1, 3
"""The major number of /dev/zero, /dev/random and their like, and the minor number of /dev/null."""


@contextmanager
def freed_from_irregular_files(boundary: Boundary | None) -> Iterator[set[str]]:
    """Free what the body parses from pipes within the boundary (None: anywhere) and from devices without an end.

    Gives the names of the pipes, complete when the body is done.
    """
    met: set[str] = set()
    if not sys.platform.startswith("linux"):
        yield met
        return
    done, ended = _held_lock(), _held_lock()
    # `threading` waits for a thread to begin and knows of it for long: a tenth of what a small file takes.
    start_new_thread(_watch, (done, ended, met, None if boundary is None else boundary.roots))
    try:
        yield met
    finally:
        done.release()
        ended.acquire()


def _held_lock() -> LockType:
    lock = allocate_lock()
    lock.acquire()
    return lock


def _watch(done: LockType, ended: LockType, met: set[str], roots: tuple[str, ...] | None) -> None:
    try:
        while not done.acquire(timeout=PERIOD):
            with suppress(OSError):
                for path in _being_opened():
                    _free(path, met, roots)
                _end_devices()
    finally:
        ended.release()


def _free(path: str, met: set[str], roots: tuple[str, ...] | None) -> None:
    """Let the opening of a pipe succeed, with nothing to read; a pipe elsewhere may be of use to other programs."""
    with suppress(OSError):
        if stat.S_ISFIFO(os.stat(path).st_mode) and (roots is None or lies_in(os.path.realpath(path), roots)):
            met.add(path)
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC))


def _being_opened() -> Iterator[str]:
    """Yield the paths that threads of this process wait to open."""
    for thread in os.listdir("/proc/self/task"):
        with suppress(OSError, ValueError, IndexError):
            with open(f"/proc/self/task/{thread}/syscall", "rb") as file:
                number, *arguments = file.read().split()
            if number.isdigit() and int(number) in _OPENING:
                yield os.fsdecode(_text_at(int(arguments[_OPENING[int(number)]], 16)))


def _text_at(address: int) -> bytes:
    """Return the text at an address of this process. Raises OSError where there is no memory any more."""
    with open("/proc/self/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        return memory.read(_LONGEST).partition(b"\0")[0]


def _end_devices() -> None:
    """Have /dev/null in the place of each endless device that is read."""
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            state = os.fstat(int(name))
            endless = stat.S_ISCHR(state.st_mode) and os.major(state.st_rdev) == _MEMORY_DEVICES
            if endless and os.minor(state.st_rdev) != _NULL and int(name) > 2:
                nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
                os.dup2(nothing, int(name), inheritable=False)
                os.close(nothing)
