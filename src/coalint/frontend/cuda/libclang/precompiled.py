"""The forced header, precompiled for every set of flags that it depends on, alone and with other bundled headers.

What many files have ahead of their first line is precompiled too, in a further file that continues the one of the
forced header: Clang calls that a chain.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path

from clang.cindex import TranslationUnit

from coalint.core.source.reading import FileKind, read_bytes
from coalint.frontend.cuda.build.include_folders import FIRST, FORCED, INCLUDE
from coalint.frontend.cuda.libclang.bindings import BASE, OPTIONS, index, library, version
from coalint.frontend.cuda.libclang.precompiled_files import built, remove, stored

MORE = "coalint_more.h"
"""The empty header that stands for what is precompiled beyond the forced one."""
WORTH = 2
"""Parses in this process with the same headers ahead until these are precompiled, which costs about one."""
_INCOMPLETE, _FOR_SERIALIZATION = 0x2, 0x10
_WORD = re.compile(rb"[A-Za-z_]\w*")
_MACRO = re.compile(r"-[DU](\w+)")
_WITH_VALUE = frozenset({"-I", "-isystem", "-iquote", "-idirafter", "-include", "-D", "-U"})
_FREE = (FIRST, "-I", "-isystem", "-iquote", "-idirafter", "-g", "-W", "-w")
_NEVER = ("-imacros", "-include-pch", "-Xclang", "-Wp,", "-Xpreprocessor", "@", "--config")

_Key = tuple[str, tuple[str, ...], tuple[str, ...]]
"""Folder, flags that matter, and the headers beyond the forced one."""
_precompiled: dict[_Key, str | None] = {}
_wanted: Counter[_Key] = Counter()


def precompiled(flags: Sequence[str], folder: str, ahead: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the precompiled header that suits the flags, built where the folder has none, or several in a chain.

    A second one holds the headers that come `ahead` too, where it exists or they have been wanted often. Nothing is
    returned where there is none and none can be built or written, or the flags read files that no name accounts for.
    """
    needed = _needed(flags)
    if needed is None:
        return ()
    base = _of((folder, needed, ()), partial(_parsed, INCLUDE / FORCED, (*BASE, *needed)))
    if base is None or not ahead:
        return () if base is None else (base,)
    key = (folder, needed, tuple(ahead))
    if key not in _precompiled and not _is_stored(key):
        _wanted[key] += 1
        if _wanted[key] < WORTH:
            return (base,)
    arguments = (*BASE, "-include-pch", base, *needed, *included(ahead))
    chained = _of(key, partial(_parsed, INCLUDE / MORE, arguments))
    return (base,) if chained is None else (base, chained)


def included(ahead: Iterable[str]) -> Iterator[str]:
    """Yield the arguments that include these headers of `coalint/`."""
    for header in ahead:
        yield from ("-include", str(INCLUDE / header))


def find(flags: Sequence[str], folder: str) -> None:
    """Look for the precompiled header that suits the flags, for this process and those that it forks.

    None is built: libclang ends its process where the disk is full.
    """
    needed = _needed(flags)
    if needed is not None:
        _is_stored((folder, needed, ()))


def discard(paths: Iterable[str]) -> None:
    """Forget precompiled headers that libclang refused: this process does without, the next builds others."""
    refused = {*paths}
    for key, value in _precompiled.items():
        if value in refused:
            _precompiled[key] = None
    for path in refused:
        remove(Path(path))


def _of(key: _Key, parsed: Callable[[], TranslationUnit]) -> str | None:
    """Return the precompiled header of a key, built where there is none; None where it cannot be built."""
    if key not in _precompiled and not _is_stored(key):
        library()
        _precompiled[key] = built(Path(key[0]), _prefix(key), parsed)
    return _precompiled[key]


def _is_stored(key: _Key) -> bool:
    """Whether there is a precompiled header: it is looked for in its folder, once found it is known."""
    if key not in _precompiled:
        found = stored(Path(key[0]), _prefix(key))
        if found is None:
            return False
        _precompiled[key] = found
    return _precompiled[key] is not None


def _parsed(header: Path, arguments: Sequence[str]) -> TranslationUnit:
    return index().parse(str(header), args=list(arguments), options=OPTIONS | _INCOMPLETE | _FOR_SERIALIZATION)


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
    yield from (INCLUDE / FORCED, INCLUDE / MORE)
    yield from sorted((INCLUDE / "coalint").iterdir())


@cache
def _contents() -> bytes:
    """Return what the headers may be made of; clang compares the times of change too."""
    state = blake2b(f"{version()}\0{INCLUDE}".encode())
    for path in _headers():
        state.update(f"\0{path.name}\0{path.stat().st_mtime_ns}\0".encode())
        state.update(read_bytes(path, FileKind.PROGRAM))
    return state.digest()


def _prefix(key: _Key) -> str:
    folder, needed, ahead = key
    parts = [_contents(), *(flag.encode() for flag in (*BASE, *needed))]
    if ahead:
        base = Path(_precompiled[folder, needed, ()] or "")
        with suppress(OSError):  # it is gone: so is what continues it
            parts += [b"", f"{base.name} {base.stat().st_mtime_ns}".encode(), *map(str.encode, ahead)]
    return blake2b(b"\0".join(parts), digest_size=16).hexdigest()
