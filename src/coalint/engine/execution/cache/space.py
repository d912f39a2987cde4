"""Bounds what the entries of one kind take on the disk, at any time and for all processes that write to the cache.

Each write adds to a file whose size says, in blocks, what was written since the entries were last counted. Where that
comes to the bound, the entries used least recently are removed and the rest is counted.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

DAY = 86_400
OLDEST = 30 * DAY
"""Seconds after which an unused entry is removed."""
LARGEST = 256 << 20
"""Bytes that all entries of one kind may take."""
_BLOCK = 4096
_WRITTEN, _PRUNED = "written", "pruned"


def take(folder: Path, size: int) -> None:
    """Note down that an entry of so many bytes is written. Raises OSError where there is no room for it."""
    blocks = _blocks(size)
    ledger = folder / _WRITTEN
    if not ledger.exists() or (ledger.stat().st_size + blocks) * _BLOCK > LARGEST:
        _remove(folder, LARGEST * 3 // 4)  # so that it is not done for each entry
        if (ledger.stat().st_size + blocks) * _BLOCK > LARGEST:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    handle = os.open(ledger, os.O_WRONLY | os.O_APPEND | getattr(os, "O_NONBLOCK", 0))
    try:
        os.write(handle, bytes(blocks))
    finally:
        os.close(handle)


def prune(folder: Path) -> None:
    """Remove old entries of a folder, and the least recently used of too many; once a day."""
    with suppress(OSError):
        marker = folder / _PRUNED
        if not marker.exists() or time.time() - marker.stat().st_mtime >= DAY:
            marker.touch()
            _remove(folder, LARGEST)


def _remove(folder: Path, largest: int) -> None:
    """Remove what is old and what is more than `largest` bytes; note down what is left."""
    now, left = time.time(), 0
    for used, blocks, path in sorted(_entries(folder), reverse=True):
        is_old = now - used > OLDEST or (path.suffix == ".tmp" and now - used > DAY)
        if is_old or (left + blocks) * _BLOCK > largest:
            with suppress(OSError):
                path.unlink()
                continue
        left += blocks
    with open(folder / _WRITTEN, "ab") as ledger:  # never emptied: others may be adding to it
        ledger.truncate(left)


def _entries(folder: Path) -> Iterator[tuple[float, int, Path]]:
    """Yield when each entry was last used, in seconds, what it takes, in blocks, and its path."""
    for path in folder.glob("*/*"):
        with suppress(OSError):
            state = path.stat()
            yield state.st_mtime, _blocks(state.st_size), path


def _blocks(size: int) -> int:
    return size // _BLOCK + 1
