"""The forced header, compiled once into a folder that runs share, for every set of flags that it depends on.

A file is named by what went into it and by the digest of its contents, so that a damaged one is never read, and is
moved into place whole: processes that build the same one at the same time do no harm.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path

from clang.cindex import TranslationUnitLoadError, TranslationUnitSaveError

from coalint.core.source.reading import FileKind, read_bytes
from coalint.frontend.cuda.build.include_folders import FIRST, INCLUDE
from coalint.frontend.cuda.libclang.bindings import BASE, FORCED, OPTIONS, index, library, version
from coalint.frontend.cuda.libclang.errors import errors

SUFFIX = ".pch"
KEPT = 32  # files in a folder, about 1.5 MB each; those that were used last stay
_INCOMPLETE, _FOR_SERIALIZATION = 0x2, 0x10
_WORD = re.compile(rb"[A-Za-z_]\w*")
_MACRO = re.compile(r"-[DU](\w+)")
_WITH_VALUE = frozenset({"-I", "-isystem", "-iquote", "-idirafter", "-include", "-D", "-U"})
_FREE = (FIRST, "-I", "-isystem", "-iquote", "-idirafter", "-g", "-W", "-w")
_NEVER = ("-imacros", "-include-pch", "-Xclang", "-Wp,", "-Xpreprocessor", "@", "--config")

_precompiled: dict[tuple[str, tuple[str, ...]], str | None] = {}


def precompiled(flags: Sequence[str], folder: str) -> str | None:
    """Return a precompiled header that suits the flags, built where the folder has none.

    None where it cannot be built or written, or the flags read files that the name cannot account for.
    """
    needed = _needed(flags)
    if needed is None:
        return None
    key = (folder, needed)
    if key not in _precompiled:
        prefix = _prefix(needed)
        _precompiled[key] = _stored(Path(folder), prefix) or _build(Path(folder), prefix, needed)
    return _precompiled[key]


def find(flags: Sequence[str], folder: str) -> None:
    """Look for the precompiled header that suits the flags, for this process and those that it forks.

    None is built: libclang ends its process where the disk is full.
    """
    needed = _needed(flags)
    if needed is not None and (folder, needed) not in _precompiled:
        stored = _stored(Path(folder), _prefix(needed))
        if stored is not None:
            _precompiled[folder, needed] = stored


def discard(path: str) -> None:
    """Forget a precompiled header that libclang refused: this process does without, the next builds another."""
    for key, value in _precompiled.items():
        if value == path:
            _precompiled[key] = None
    _remove(Path(path))


def _needed(flags: Sequence[str]) -> tuple[str, ...] | None:
    """Return the flags that a precompiled header must share with what uses it.

    Search folders and warnings do not matter, nor do macros that the headers do not mention: clang accepts what the
    command line adds to them. For everything else it refuses a header that was built otherwise.
    """
    needed: list[str] = []
    rest = iter(flags)
    for flag in rest:
        if flag.startswith(_NEVER):
            return None
        value = next(rest, "") if flag in _WITH_VALUE else ""
        macro = _MACRO.match(flag + value)
        if macro is not None:
            if macro.group(1).encode() in _words():
                needed.append(flag + value)
        elif flag != "-include" and not flag.startswith(_FREE):
            needed.append(flag)
    return tuple(needed)


@cache
def _words() -> frozenset[bytes]:
    """Return every identifier of the headers, within comments too."""
    return frozenset(word for path in _headers() for word in _WORD.findall(read_bytes(path, FileKind.PROGRAM)))


def _headers() -> Iterator[Path]:
    yield INCLUDE / FORCED
    yield from sorted((INCLUDE / "coalint").iterdir())


@cache
def _contents() -> bytes:
    """Return what the forced header may be made of; clang compares the times of change too."""
    state = blake2b(f"{version()}\0{INCLUDE}".encode())
    for path in _headers():
        state.update(f"\0{path.name}\0{path.stat().st_mtime_ns}\0".encode())
        state.update(read_bytes(path, FileKind.PROGRAM))
    return state.digest()


def _prefix(needed: tuple[str, ...]) -> str:
    return blake2b(b"\0".join([_contents(), *(flag.encode() for flag in (*BASE, *needed))]), digest_size=16).hexdigest()


def _stored(folder: Path, prefix: str) -> str | None:
    """Return the file of this name whose contents are what its name says; others of the name are damaged and go."""
    for path in sorted(folder.glob(f"{prefix}-*{SUFFIX}")):
        try:
            if path.name == _name(prefix, read_bytes(path, FileKind.CACHE_ENTRY)):
                os.utime(path)
                return str(path)
            path.unlink()
        except OSError:
            continue
    return None


def _name(prefix: str, data: bytes) -> str:
    return f"{prefix}-{blake2b(data, digest_size=16).hexdigest()}{SUFFIX}"


def _build(folder: Path, prefix: str, needed: tuple[str, ...]) -> str | None:
    library()
    header = str(INCLUDE / FORCED)
    temporary: Path | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, suffix=".tmp")
        os.close(handle)
        temporary = Path(name)
        unit = index().parse(header, args=[*BASE, *needed], options=OPTIONS | _INCOMPLETE | _FOR_SERIALIZATION)
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
            _remove(temporary)


def _prune(folder: Path) -> None:
    """Keep the files that were used last."""
    used = []
    for path in folder.glob(f"*{SUFFIX}"):
        try:
            used.append((path.stat().st_mtime_ns, path))
        except OSError:
            continue
    for _, path in sorted(used)[:-KEPT]:
        _remove(path)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
