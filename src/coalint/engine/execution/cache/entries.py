"""Entries of the cache: files that are written at once, and seals that show damage."""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from coalint.core.source.reading import FileKind, read_bytes
from coalint.engine.execution.cache.include_names import digest_of
from coalint.engine.execution.cache.space import DAY, take

RESULTS = "results"
"""The folder of the results of files."""
ANSWERS = "formulas"
"""The folder of what sympy answered about open addresses."""
KERNELS = "kernels"
"""The folder of the results of kernels."""
REACH = "reach"
"""The folder of what is asked about all files of a repository."""


def seal(name: str, text: str) -> str:
    """Return what an entry begins with: a damaged one, and one under another's name, do not fit to it."""
    return digest_of(f"{name}\n{text}".encode())


def write_entry(path: Path, text: str) -> None:
    """Write a file atomically, though other processes may write it too. Raises OSError, for want of room too."""
    data = text.encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    take(path.parent.parent, len(data))
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with open(handle, "wb") as file:
            file.write(data)
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
    digest, _, text = read_bytes(path, FileKind.CACHE_ENTRY).decode().partition("\n")
    if digest != seal(name, text):
        raise ValueError(f"{path} is damaged")
    mark_used(path)
    return text


def mark_used(path: Path) -> None:
    """Note down that an entry was used, to the day."""
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)
