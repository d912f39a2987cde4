"""What a process has used so far: processor time, also of its copies, and memory."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import NamedTuple

_LINUX = sys.platform.startswith("linux")


class Usage(NamedTuple):
    """What a process has used so far.

    `worked` are seconds of processor time (None where the system does not tell), `waits` says that it could not use the
    processor if it had it, and `memory` counts the bytes that it holds.
    """

    worked: float | None
    waits: bool
    memory: int


NOTHING = Usage(None, True, 0)


def usage(process: int | None, *, with_copies: bool = False) -> Usage:
    """Return what a process uses so far; nothing where it is gone.

    Of what it has forked itself that counts which has ended; `with_copies` what it may wait for, too.
    """
    try:
        if _LINUX:
            words, waits = _stat(f"/proc/{process}/stat"), _waits(process)
            ticks = sum(map(int, words[11:15]))
            for copy in _children(process) if with_copies and waits else ():
                ticks += sum(map(int, _stat(f"/proc/{copy}/stat")[11:13]))
                waits = waits and _waits(copy)
            memory = int(words[21]) * os.sysconf("SC_PAGESIZE")
            return Usage(ticks / os.sysconf("SC_CLK_TCK"), waits, memory)
        command = ["ps", "-o", "rss=", "-p", str(process)]
        import subprocess

        return Usage(None, True, int(subprocess.run(command, capture_output=True, text=True).stdout or 0) * 1024)
    except (OSError, ValueError, IndexError):
        return NOTHING


def _waits(process: int | str | None) -> bool:
    """Whether no thread of a process runs or could run; that a quota or a busy host keep it from that is no waiting."""
    return all(
        _stat(f"/proc/{process}/task/{thread}/stat")[0] != b"R" for thread in os.listdir(f"/proc/{process}/task")
    )


def _stat(path: str) -> list[bytes]:
    """Return what the system tells of a process or thread, from the third field on."""
    with open(path, "rb") as file:
        return file.read().rpartition(b")")[2].split()


def _children(process: int | None) -> list[str]:
    """Return the processes that a process has forked."""
    children: list[str] = []
    for other in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError, IndexError):  # it has ended
            if int(_stat(f"/proc/{other}/stat")[1]) == process:
                children.append(other)
    return children
