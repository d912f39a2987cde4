"""The cache folder: where results and precompiled headers are stored.

By default it is the user's own, not one inside the repository: stored results decide what coalint reports, and libclang
reads precompiled headers unchecked, so a checkout must not be able to bring any.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from coalint.core.source.reading import FileKind, check_owner, read_text

VARIABLE = "COALINT_CACHE_DIR"

_TAGGED = "CACHEDIR.TAG"
_IGNORING = ".gitignore"
_TAG = """Signature: 8a477f597d28d172789f06886806bc55
# This folder was made by coalint; `coalint clean` removes it.
# For information about cache directory tags see https://bford.info/cachedir/
"""


def cache_folder(configured: str = "") -> Path | None:
    """Return the cache folder, created where it is missing; None where it cannot be created or written to.

    `configured` (from --cache-dir) comes first, then the environment's COALINT_CACHE_DIR, then the user's cache folder
    (on Linux $XDG_CACHE_HOME/coalint or ~/.cache/coalint). A folder that holds other things, or belongs to another user
    than root, is left alone.
    """
    folder = folder_name(configured)
    try:
        if not _is_own(folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_begun(folder) and not _is_own(folder):  # another process may have created it just now
                return None
            _fill(folder / _TAGGED, _TAG)
            _fill(folder / _IGNORING, "*\n")
        check_owner(folder.stat())
        return folder if os.access(folder, os.W_OK | os.X_OK) else None
    except OSError:
        return None


def clean(configured: str = "") -> tuple[Path, int]:
    """Remove the cache folder; return its path and the bytes that it held. Raises OSError."""
    folder = folder_name(configured)
    if not _is_own(folder):
        return folder, 0
    size = sum(path.lstat().st_size for path in folder.rglob("*"))
    shutil.rmtree(folder)
    return folder, size


def _is_own(folder: Path) -> bool:
    return _tag(folder) == _TAG


def _is_begun(folder: Path) -> bool:
    """Whether a folder is empty, or another process has just begun to create it as a cache folder."""
    return {path.name for path in folder.iterdir()} <= {_TAGGED, _IGNORING} and _TAG.startswith(_tag(folder))


def _tag(folder: Path) -> str:
    try:
        return read_text(folder / _TAGGED, FileKind.CACHE_ENTRY)
    except FileNotFoundError:
        return ""


def _fill(path: Path, text: str) -> None:
    """Write a file that other processes may be writing with the same text: it is never truncated."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o644), "w", encoding="ascii") as file:
        file.write(text)


def folder_name(configured: str = "") -> Path:
    """Return the path of the cache folder, whether it exists or not."""
    named = configured or os.environ.get(VARIABLE, "")
    if named:
        return Path(named).absolute()
    from platformdirs import user_cache_path

    return user_cache_path("coalint", appauthor=False)
