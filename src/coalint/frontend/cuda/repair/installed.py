"""What installed folders of CUDA headers hold, and how a parse is given a part of it.

What coalint brings itself stays, since it is what kernels are analysed with: the runtime, types, intrinsics. An
installed header that includes one of these gets coalint's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, replace
from functools import cache

from coalint.core.records import record
from coalint.core.source.installed_headers import InstalledHeader
from coalint.core.source.reading import FileKind, read_text
from coalint.frontend.cuda.build.include_folders import FIRST, INCLUDE, bundled
from coalint.frontend.cuda.libclang.opened_files import note_read, note_sought

LIBRARIES = ("cub", "thrust", "cuda", "nv")
"""The folders of headers that go together: CUB, Thrust and libcu++."""
_ROOTS = ("cub/version.cuh", "thrust/version.h", "cuda/std/version")
_FAMILIES = ("cublas", "cusparse", "cusolver", "cufft", "nvrtc", "nvml", "nccl")
"""How the names and the headers of a library of the host begin."""
_DRIVER = "driver"
_OF_DRIVER = re.compile(r"CU[A-Za-z_]|cu[A-Z]")
_SINGLE = {"curand": "curand.h", _DRIVER: "cuda.h"}
"""Libraries of the host with one header: the others that begin so are for kernels, and coalint's own."""


@record(frozen=True, slots=True)
class Served:
    """What a parse is given: folders before coalint's headers and after all, and texts that stand in for headers.

    `headers` are those that come from an installed folder, by the name under which they are looked for.
    """

    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    headers: tuple[InstalledHeader, ...] = ()

    def as_included(self, names: Iterable[str]) -> Served:
        """Return it with those of the headers alone that are among the included files, or hold one as a folder."""
        reals = {os.path.realpath(name) for name in names}
        used = (header for header in self.headers if _is_among(header, reals))
        return replace(self, headers=tuple(used))


def _is_among(header: InstalledHeader, reals: Collection[str]) -> bool:
    path = os.path.realpath(os.path.join(header.folder, header.name))
    return any(real == path or real.startswith(os.path.join(path, "")) for real in reals)


def served(folders: tuple[str, ...], headers: Iterable[str], families: Collection[str], libraries: bool) -> Served:
    """Return what gives a parse these headers, libraries of the host, and CUB and its like."""
    used: dict[str, set[str]] = {}
    for header in sorted(headers):
        folder = holder(folders, header)
        if folder is not None:
            used.setdefault(folder, set()).add(header)
    last = tuple(word for folder in used for word in ("-idirafter", folder))
    texts: dict[str, str] = {}
    taken: set[str] = set()
    for family in sorted(families):
        folder = _holder_of(folders, family)
        if folder is not None:
            own = _headers_of(folder, family)
            used.setdefault(folder, set()).update(own)
            taken.update(own)
            texts |= {os.path.join(INCLUDE, h): _include(os.path.join(folder, h)) for h in own if bundled(h)}
    with_all = with_libraries(folders) if libraries else None
    if with_all is not None:
        used.setdefault(with_all, set()).update(LIBRARIES)
    for folder in used:
        shared = (name for name in _brought_by_both(folder) if name not in taken)
        texts |= {os.path.join(folder, name): _include(os.path.join(INCLUDE, name)) for name in shared}
    return Served(
        first=() if with_all is None else (f"{FIRST}{with_all}",),
        last=last,
        texts=texts,
        headers=tuple(InstalledHeader(name, folder) for folder in used for name in sorted(used[folder])),
    )


def _include(path: str) -> str:
    return f'#include "{path}"\n'


def holder(folders: Iterable[str], header: str) -> str | None:
    """Return the first folder that has a header."""
    if os.path.isabs(header) or ".." in header.split("/"):
        return None
    paths = {folder: os.path.join(folder, header) for folder in folders}
    note_sought(paths.values())
    return next((folder for folder, path in paths.items() if os.path.isfile(path)), None)


def with_libraries(folders: Iterable[str]) -> str | None:
    """Return the first folder with all of CUB, Thrust and libcu++."""
    whole = (folder for folder in folders if all(holder((folder,), root) is not None for root in _ROOTS))
    return next(whole, None)


def family_of(name: str) -> str | None:
    """Return the library of the host that a name is of: `cublas` for `CUBLAS_OP_N`."""
    named = next((family for family in (*_FAMILIES, *_SINGLE) if name.lower().startswith(family)), None)
    return _DRIVER if named is None and _OF_DRIVER.match(name) else named


def has_name(folders: Iterable[str], family: str, name: str) -> bool:
    """Whether an installed header of a library of the host has a name."""
    folder = _holder_of(folders, family)
    if folder is None:
        return False
    paths = [os.path.join(folder, header) for header in _headers_of(folder, family)]
    note_read(paths)
    return any(name in _words(path) for path in paths)


def _holder_of(folders: Iterable[str], family: str) -> str | None:
    """Return the first folder with headers of a library of the host."""
    return next((folder for folder in folders if _headers_of(folder, family)), None)


@cache
def _headers_of(folder: str, family: str) -> tuple[str, ...]:
    if family in _SINGLE:
        return (_SINGLE[family],) if os.path.isfile(os.path.join(folder, _SINGLE[family])) else ()
    names = os.listdir(folder)
    return tuple(sorted(name for name in names if name.startswith(family) and name.endswith(".h")))


@cache
def _words(path: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", read_text(path, FileKind.HEADER)))


@cache
def _brought_by_both(folder: str) -> tuple[str, ...]:
    """Return the headers of coalint's that an installed folder has too, CUB and its like apart."""
    names = (path.relative_to(INCLUDE).as_posix() for path in INCLUDE.rglob("*") if path.is_file())
    shared = (name for name in names if name.partition("/")[0] not in LIBRARIES)
    return tuple(sorted(name for name in shared if os.path.isfile(os.path.join(folder, name))))
