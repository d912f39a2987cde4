"""Files of precompiled headers in a folder that runs share.

A file is named by what went into it and by the digest of its contents, so that a damaged one is never read, and is
moved into place whole: processes that build the same one at the same time do no harm.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from clang.cindex import TranslationUnit, TranslationUnitLoadError, TranslationUnitSaveError

from coalint.core.source.reading import FileKind, read_bytes
from coalint.frontend.cuda.libclang.errors import errors

SUFFIX = ".pch"
KEPT = 96
"""Files in a folder, of 0.05 to 2 MB each; those that were used last stay."""


def stored(folder: Path, prefix: str) -> str | None:
    """Return the file of this name whose contents are what its name says; others of the name are damaged and go."""
    for path in sorted(folder.glob(f"{prefix}-*{SUFFIX}")):
        try:
            if path.name == _name(prefix, read_bytes(path, FileKind.CACHE_ENTRY)):
                os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))  # a chain rests on the time of change
                return str(path)
            path.unlink()
        except OSError:
            continue
    return None


def built(folder: Path, prefix: str, parsed: Callable[[], TranslationUnit]) -> str | None:
    """Return the file that a parse for serialization gives; None where it has errors or cannot be written."""
    temporary: Path | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, suffix=".tmp")
        os.close(handle)
        temporary = Path(name)
        unit = parsed()
        if errors(unit):
            return None
        unit.save(name)
        path = folder / _name(prefix, read_bytes(temporary, FileKind.CACHE_ENTRY))
        temporary.replace(path)
        _prune(folder)
        return str(path)
    except (OSError, TranslationUnitLoadError, TranslationUnitSaveError):
        return None
    finally:
        if temporary is not None:
            remove(temporary)


def remove(path: Path) -> None:
    """Remove a file, if there is one and it may be."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def _name(prefix: str, data: bytes) -> str:
    return f"{prefix}-{blake2b(data, digest_size=16).hexdigest()}{SUFFIX}"


def _prune(folder: Path) -> None:
    """Keep the files that were used last."""
    used = []
    for path in folder.glob(f"*{SUFFIX}"):
        try:
            used.append((path.stat().st_atime_ns, path))
        except OSError:
            continue
    for _, path in sorted(used)[:-KEPT]:
        remove(path)
