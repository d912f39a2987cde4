"""Writes files whole: readers see the old contents or the new, whatever ends the program, and however full the disk."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Put new contents in the place of a file, with its permissions; a link stays and its target is replaced.

    A pipe or a device is written to directly. Raises OSError; the file is as it was then.
    """
    real = os.path.realpath(path)
    if not is_replaceable(real):
        with open(real, "wb") as stream:
            stream.write(data)
        return
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(real), prefix=".coalint-", suffix=".tmp")
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
        os.chmod(temporary, _mode(real))
        os.replace(temporary, real)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


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
