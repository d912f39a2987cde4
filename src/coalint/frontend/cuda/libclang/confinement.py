"""What libclang can see of the file system: a view of the folders that may be read, and of nothing else.

libclang opens includes itself, and tells a source whether a file exists (`__has_include`). Behind this view all that
lies elsewhere is missing, whatever name a repository gives it. Links are followed below the view; a parse that opened a
file through one that leads out is repeated without that name. The view resolves `linked/../x.h` by name, where a
compiler follows the link first: a parse for which that is another file is repeated without it, too.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache

from coalint.core.source.boundary import Boundary
from coalint.core.source.reading import lies_in
from coalint.core.source.real_paths import RealPaths
from coalint.frontend.cuda.build.header_names import may_read
from coalint.frontend.cuda.build.include_folders import INCLUDE

ROUNDS = 8
"""Parses of one text in which further names may turn out to lead out."""
_BUNDLED = os.path.join(INCLUDE, "")
_FOLDERS = ("-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-include-pch")


def refused(opened: Iterable[str], boundary: Boundary) -> set[str]:
    """Return the names of opened files that may not be read, or that a compiler would take for other files.

    The first lie outside of the boundary, or are no headers where only these may be.
    """
    real = RealPaths()
    users = (name for name in opened if not name.startswith(_BUNDLED) or f"{os.sep}{os.pardir}{os.sep}" in name)
    return {name for name in users if not may_read(real.of(name), boundary) or _is_another(name)}


def _is_another(name: str) -> bool:
    """Whether a name leads elsewhere where `..` is taken from what a link before it leads to."""
    return f"{os.sep}..{os.sep}" in name and os.path.realpath(name) != os.path.realpath(os.path.normpath(name))


@contextmanager
def view(
    arguments: Sequence[str], boundary: Boundary, hidden: Iterable[str], texts: Iterable[str], ready: Iterable[str]
) -> Iterator[tuple[str, ...]]:
    """Give the arguments that confine a parse with these arguments, none where the boundary holds everything.

    `ready` are the precompiled headers that it reads. The `hidden` names are missing in it. Behind this view libclang
    crashes for `texts` that stand in for a file that is missing: an empty file is there, then.
    """
    if os.sep in boundary.roots:
        yield ()
        return
    texts = [os.path.abspath(name) for name in texts]
    places = (*texts, *_places(arguments))
    names = {*boundary.roots, str(INCLUDE), *(_as_spelled(place, boundary.roots) or "" for place in places)}
    roots = [_gone(os.path.abspath(name)) for name in hidden]
    roots += [_there(name) for name in sorted({*names, *ready} - {""})]
    with ExitStack() as files:
        absent = (name for name in dict.fromkeys(texts) if not os.path.isfile(name))
        roots[:0] = [_mapped("file", name, files.enter_context(_file(b""))) for name in absent]
        tree = {
            "version": 0,
            "redirecting-with": "redirect-only",
            "case-sensitive": "true",
            "use-external-names": "false",  # files keep the names by which they were included
            "roots": roots,
        }
        yield ("-ivfsoverlay", files.enter_context(_file(json.dumps(tree, ensure_ascii=False).encode())))


def _there(name: str) -> dict[str, str]:
    return _mapped("directory-remap" if os.path.isdir(name) else "file", name, name)


def _gone(name: str) -> dict[str, str]:
    return _mapped("file", name, os.path.join(INCLUDE, "no-such-file"))


def _mapped(kind: str, name: str, contents: str) -> dict[str, str]:
    return {"type": kind, "name": name, "external-contents": contents}


def _places(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the folders and files in arguments, and the working directory under both of its names."""
    words = iter(arguments)
    for word in words:
        if word in _FOLDERS:
            yield os.path.abspath(next(words, ""))
        elif word.startswith("-I"):
            yield os.path.abspath(word[2:])
    yield os.getcwd()
    if os.path.isabs(named := os.environ.get("PWD", "")):
        yield os.path.normpath(named)


@lru_cache(maxsize=4096)
def _as_spelled(place: str, roots: tuple[str, ...]) -> str | None:
    """Return the outermost folder above a place, or the place, that really lies in the roots.

    Clang names files below it.
    """
    above = [place]
    while (parent := os.path.dirname(above[-1])) != above[-1]:
        above.append(parent)
    return next((folder for folder in reversed(above) if lies_in(os.path.realpath(folder), roots)), None)


@contextmanager
def _file(data: bytes) -> Iterator[str]:
    """Make a file with these contents, in memory where the system has that."""
    if hasattr(os, "memfd_create") and os.path.isdir("/proc/self/fd"):
        handle = os.memfd_create("coalint-view", os.MFD_CLOEXEC)
        try:
            os.write(handle, data)
            yield f"/proc/self/fd/{handle}"
        finally:
            os.close(handle)
        return
    handle, name = tempfile.mkstemp(prefix="coalint-view-", suffix=".yaml")
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
        yield name
    finally:
        os.unlink(name)
