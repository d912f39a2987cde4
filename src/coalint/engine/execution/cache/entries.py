"""Entries of the cache: files that are written at once, seals that show damage, removal of what is old."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from coalint.core.source.reading import Kind, read_bytes
from coalint.engine.execution.cache.include_names import digest_of

DAY = 86_400
RESULTS = "results"
"""The folder of the results of files."""
ANSWERS = "formulas"
"""The folder of what sympy answered about open addresses."""
KERNELS = "kernels"
"""The folder of the results of kernels."""
OLDEST = 30 * DAY
"""Seconds after which an unused entry is removed."""
LARGEST = 256 << 20
"""Bytes that all entries of one kind may take; those used least recently are removed first."""
_PRUNED = "pruned"


def seal(name: str, text: str) -> str:
    """Return what an entry begins with: a damaged one, and one under another's name, do not fit to it."""
    return digest_of(f"{name}\n{text}".encode())


def write_entry(path: Path, text: str) -> None:
    """Write a file atomically, though other processes may write it too. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def write_sealed(path: Path, name: str, text: str) -> None:
    """Write the text of an entry of this name, if there is space."""
    with suppress(OSError):
        write_entry(path, f"{seal(name, text)}\n{text}")


def read_sealed(path: Path, name: str) -> str:
    """Return the text of an entry. Raises OSError, and ValueError where it is damaged or of another name."""
    digest, _, text = read_bytes(path, Kind.CACHE_ENTRY).decode().partition("\n")
    if digest != seal(name, text):
        raise ValueError(f"{path} is damaged")
    mark_used(path)
    return text


def mark_used(path: Path) -> None:
    """Note down that an entry was used, to the day."""
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)


def prune(folder: Path, now: bool = False) -> None:
    """Remove old entries of a folder and the least recently used of too many; once a day, or `now`."""
    with suppress(OSError):
        marker = folder / _PRUNED
        if not now and marker.exists() and time.time() - marker.stat().st_mtime < DAY:
            return
        marker.touch()
        _remove(folder, time.time())


def _remove(folder: Path, now: float) -> None:
    entries = sorted(_entries(folder), reverse=True)
    total = 0
    for used, size, path in entries:
        total += size
        if now - used > OLDEST or total > LARGEST or (path.suffix == ".tmp" and now - used > DAY):
            with suppress(OSError):
                path.unlink()


def _entries(folder: Path) -> Iterator[tuple[float, int, Path]]:
    """Yield when each entry was last used, in seconds, its size in bytes, and its path."""
    for path in folder.glob("*/*"):
        with suppress(OSError):
            state = path.stat()
            yield state.st_mtime, state.st_size, path
