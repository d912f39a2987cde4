"""The one gate through which coalint reads files: regular files only, of bounded size, and inside of the given roots.

A repository is a stranger's: a name that coalint looks for in it may be a pipe, a device, a link to anything, or larger
than memory. No other module opens a path for reading; `tests/structure/test_reading.py` holds this. libclang reads
includes itself: `coalint.frontend.cuda.libclang.confinement` bounds what it can see.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a pipe put there since the check opens at once, and is refused then
)
_PIECE = 1 << 20
_LEADS_OUT = "this is a link to outside of the repository"
_IRREGULAR = (
    (stat.S_ISDIR, errno.EISDIR, "this is a folder"),
    (stat.S_ISFIFO, errno.EINVAL, "this is a named pipe, not a regular file"),
    (stat.S_ISSOCK, errno.EINVAL, "this is a socket, not a regular file"),
    (stat.S_ISCHR, errno.EINVAL, "this is a device, not a regular file"),
    (stat.S_ISBLK, errno.EINVAL, "this is a device, not a regular file"),
)


class FileKind(Enum):
    """What a file is read as: its name in messages, and the most bytes that are read."""

    SOURCE = "a source file", 32 << 20
    HEADER = "a header", 32 << 20
    CONFIGURATION = "a configuration file", 1 << 20
    IGNORE_FILE = "an ignore file", 256 << 10
    BASELINE = "a baseline", 64 << 20
    COMPILE_DATABASE = "a compile database", 256 << 20
    BUILD_FILE = "a build file", 1 << 20
    RESPONSE_FILE = "a response file", 4 << 20
    CACHE_ENTRY = "a cache entry", 256 << 20
    COUNTERS = "a file of counters", 512 << 20
    PROGRAM = "a file of the program", 64 << 20

    @property
    def noun(self) -> str:
        """What messages call such a file."""
        return self.value[0]

    @property
    def largest(self) -> int:
        """The most bytes that are read of one."""
        return self.value[1]


class RefusedError(OSError):
    """A file is not read though it is there; `strerror` says why, as for any other OSError."""


def read_bytes(path: str | os.PathLike[str], kind: FileKind, within: Sequence[str] | None = None) -> bytes:
    """Return the contents of a regular file.

    Args:
        path: The file.
        kind: What it is read as, which bounds its size.
        within: Real paths of the folders and files that links may lead to; None for a path that the user gave, whose
            links are theirs.

    Raises OSError where it cannot be read, and RefusedError, which is one, where it must not be: an entry of the cache
    also where it belongs to another user.
    """
    _check_type(os.stat(path))
    handle = os.open(path, _FLAGS)
    try:
        state = os.fstat(handle)
        _check_type(state)
        if within is not None and not lies_in(_opened_path(handle, path), within):
            raise RefusedError(errno.EPERM, _LEADS_OUT)
        if kind is FileKind.CACHE_ENTRY:
            check_owner(state)
        _check_size(state.st_size, kind)
        return _contents(handle, kind)
    finally:
        os.close(handle)


def read_text(path: str | os.PathLike[str], kind: FileKind, within: Sequence[str] | None = None) -> str:
    """Return the text of a file as `read_bytes` does, bytes that are no UTF-8 replaced, line ends as line feeds."""
    text = read_bytes(path, kind, within).decode("utf-8", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lies_in(path: str, roots: Sequence[str]) -> bool:
    """Whether a real path is one of `roots` or lies below one."""
    return path in roots or path.startswith(_below(tuple(roots)))


@lru_cache(maxsize=64)
def _below(roots: tuple[str, ...]) -> tuple[str, ...]:
    """Return how the paths below these folders begin."""
    return tuple(root.rstrip(os.sep) + os.sep for root in roots)


def is_readable_file(path: str | os.PathLike[str], within: Sequence[str] | None = None) -> bool:
    """Whether a path is a regular file, and no link out of the roots: see `read_bytes`."""
    return os.path.isfile(path) and (within is None or lies_in(os.path.realpath(path), within))


def is_fit(path: str, kind: FileKind) -> bool | None:
    """Whether a path is a regular file of no more than the kind's size; None where there is no file, but a folder."""
    try:
        state = os.stat(path)
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(state.st_mode):
        return None
    return stat.S_ISREG(state.st_mode) and state.st_size <= kind.largest


def refusal(path: str, kind: FileKind, within: Sequence[str] | None = None) -> str:
    """Return why `read_bytes` would not read what is there; an empty text where it would, or there is nothing."""
    try:
        state = os.stat(path)
        if within is not None and not lies_in(os.path.realpath(path), within):
            return _LEADS_OUT
        _check_type(state)
        _check_size(state.st_size, kind)
    except RefusedError as refused:
        return refused.strerror or ""
    except (OSError, ValueError):
        return ""
    return ""


def check_owner(state: os.stat_result) -> None:
    """Raise RefusedError for what belongs to neither this process's user nor root: the cache decides what is reported.

    A shared folder may hold what others put there, under a name that fits and with a seal that does.
    """
    if hasattr(os, "geteuid") and state.st_uid not in (os.geteuid(), 0):
        raise RefusedError(errno.EPERM, "this belongs to another user")


def _check_type(state: os.stat_result) -> None:
    for is_type, number, reason in _IRREGULAR:
        if is_type(state.st_mode):
            raise RefusedError(number, reason)


def _check_size(size: int, kind: FileKind) -> None:
    if size > kind.largest:
        bound = f"{_amount(kind.largest)} that coalint reads of {kind.noun}"
        raise RefusedError(errno.EFBIG, f"it has {_amount(size)}, more than the {bound}")


def _amount(size: int) -> str:
    return f"{size >> 20} MB" if size >= 1 << 20 else f"{size >> 10} KB"


def _contents(handle: int, kind: FileKind) -> bytes:
    """Return everything up to the bound, whatever size the file had when it was opened."""
    pieces: list[bytes] = []
    size = 0
    while piece := os.read(handle, _PIECE):
        pieces.append(piece)
        size += len(piece)
        _check_size(size, kind)
    return b"".join(pieces)


def _opened_path(handle: int, path: str | os.PathLike[str]) -> str:
    """Return the real path of an open file: on Linux what was opened, though links have changed since."""
    if sys.platform.startswith("linux"):
        try:
            return os.readlink(f"/proc/self/fd/{handle}")
        except OSError:  # no /proc
            pass
    return os.path.realpath(path)
