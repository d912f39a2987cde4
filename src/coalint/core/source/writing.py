"""Writes files whole: readers see the old contents or the new, whatever ends the program, and however full the disk."""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from itertools import chain

LEFT = 60
"""Seconds after which a file that is to replace another is one that an earlier write left."""
_PREFIX, _SUFFIX = ".coalint-", ".tmp"


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Put new contents in the place of a file, with its permissions; a link stays and its target is replaced.

    A pipe or a device is written to directly. Raises OSError; the file is as it was then.
    """
    real = os.path.realpath(path)
    if not is_replaceable(real):
        with open(real, "wb") as stream:
            stream.write(data)
        return
    folder = os.path.dirname(real)
    handle = _unnamed(folder)
    temporary = None
    if handle is None:
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=_PREFIX, suffix=_SUFFIX)
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.chmod(stream.fileno() if temporary is None else temporary, _mode(real))
            if temporary is None:
                temporary = _named(stream.fileno(), real)
        if temporary != real:
            os.replace(temporary, real)
    except BaseException:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)
        raise


def _unnamed(folder: str) -> int | None:
    """Open a file without a name, which is gone with the process; None where the system or the folder has no such."""
    if not hasattr(os, "O_TMPFILE") or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    except OSError:  # not on every file system; what else is wrong with the folder `mkstemp` tells
        return None


def _named(handle: int, real: str) -> str:
    """Give a file without a name one and return it: that of the file to write, if there is none, else one beside it.

    A kill before that replaces the file, the next thing, leaves it. Its name is always the same for the same file, so
    that the next write finds it and removes it.
    """
    folder, wanted = os.path.split(real)
    place = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    beside = f"{_PREFIX}{blake2b(os.fsencode(wanted), digest_size=8).hexdigest()}{_SUFFIX}"
    try:
        _remove_left(os.path.join(folder, beside))
        for name in chain((wanted, beside), _others()):
            with suppress(FileExistsError):
                os.link(f"/proc/self/fd/{handle}", name, dst_dir_fd=place, follow_symlinks=True)
                return os.path.join(folder, name)
        raise AssertionError
    finally:
        os.close(place)


def _others() -> Iterator[str]:
    """Yield names for what another process writes at the same time."""
    while True:
        yield f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"


def _remove_left(path: str) -> None:
    """Remove what an earlier write of this user's left, if it is too old to be another's that goes on."""
    with suppress(OSError):
        state = os.lstat(path)
        if stat.S_ISREG(state.st_mode) and state.st_uid == os.geteuid() and time.time() - state.st_ctime > LEFT:
            os.unlink(path)


def is_replaceable(path: str) -> bool:
    """Whether a path is a file or does not exist; pipes and devices are written to directly."""
    return not os.path.exists(path) or os.path.isfile(path)


def _mode(path: str) -> int:
    """Return the permissions of the file that is replaced, else those of a new file."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
