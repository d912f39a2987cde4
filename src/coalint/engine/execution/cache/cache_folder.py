"""Where coalint keeps what it need not compute again.

By default that is the user's own cache folder, not one inside the repository: what is read back from a cache decides
what coalint says, and a precompiled header is fed to libclang unchecked, so a checkout must not be able to bring one.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

VARIABLE = "COALINT_CACHE_DIR"

_TAGGED = "CACHEDIR.TAG"
_IGNORING = ".gitignore"
_TAG = """Signature: 8a477f597d28d172789f06886806bc55
# This folder was made by coalint; `coalint clean` removes it.
# For information about cache directory tags see https://bford.info/cachedir/
"""


def cache_folder(configured: str = "") -> Path | None:
    """The folder that may be written to, made where it is missing; None where that is not possible.

    `configured` (from --cache-dir) comes first, then the environment's COALINT_CACHE_DIR, then the user's cache folder
    (on Linux $XDG_CACHE_HOME/coalint or ~/.cache/coalint). A folder that holds other things is left alone.
    """
    folder = folder_name(configured)
    try:
        if not _is_own(folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_begun(folder) and not _is_own(folder):  # another run may just have made it
                return None
            _fill(folder / _TAGGED, _TAG)
            _fill(folder / _IGNORING, "*\n")
        return folder if os.access(folder, os.W_OK | os.X_OK) else None
    except OSError:
        return None


def clean(configured: str = "") -> tuple[Path, int]:
    """Remove the cache folder; its name, and how many bytes it held. OSError where that is not possible."""
    folder = folder_name(configured)
    if not _is_own(folder):
        return folder, 0
    size = sum(path.lstat().st_size for path in folder.rglob("*"))
    shutil.rmtree(folder)
    return folder, size


def _is_own(folder: Path) -> bool:
    return _tag(folder) == _TAG


def _is_begun(folder: Path) -> bool:
    """Whether a folder is empty, or another run has just begun to make it."""
    return {path.name for path in folder.iterdir()} <= {_TAGGED, _IGNORING} and _TAG.startswith(_tag(folder))


def _tag(folder: Path) -> str:
    try:
        return (folder / _TAGGED).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""


def _fill(path: Path, text: str) -> None:
    """Write a file that others may be writing at the same time, with the same text: it is never cut short."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o644), "w", encoding="ascii") as file:
        file.write(text)


def folder_name(configured: str = "") -> Path:
    """The cache folder's name, whether it exists or not."""
    named = configured or os.environ.get(VARIABLE, "")
    if named:
        return Path(named).absolute()
    from platformdirs import user_cache_path

    return user_cache_path("coalint", appauthor=False)
