"""Folders of headers: which hold libraries that coalint brings itself, and paths as a compiler reads them."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

INCLUDE = Path(__file__).parent.parent / "headers"
"""coalint's own headers."""

FORCED = "coalint_cuda.h"
"""The header that every file is parsed with."""

FIRST = "--coalint-first="
"""Before a folder among the flags of a source: it is searched before coalint's own headers."""

# A folder that holds all files of one of these groups is the root of the library's headers.
_SYSTEM = (
    ("the CUDA toolkit", ("cuda_runtime_api.h", "driver_types.h")),
    ("the CUDA toolkit", ("crt/host_defines.h",)),
    ("the C library", ("features.h", "stdio.h")),
    ("the C library", ("sys/cdefs.h", "bits/types.h")),
    ("a compiler's own headers", ("stdarg.h", "stddef.h", "float.h")),
    ("the C++ library", ("cstdlib", "vector")),
    ("the C++ library", ("bits/c++config.h",)),
)
_LIBRARIES = (
    ("CUB, Thrust or libcu++", ("cub/version.cuh",)),
    ("CUB, Thrust or libcu++", ("thrust/version.h",)),
    ("CUB, Thrust or libcu++", ("cuda/std/version",)),
    ("PyTorch", ("ATen/ATen.h",)),
    ("PyTorch", ("c10/macros/Macros.h",)),
    ("PyTorch", ("torch/extension.h",)),
    ("PyTorch", ("torch/all.h",)),
)


def brings_own(folder: str, source: str) -> str | None:
    """Return the library that `folder` is the root of, where coalint has headers for it.

    Not where `source` is part of it.

    A folder of the source's own repository may hold more than a library's copy, unless that is the system's.
    """
    if source.startswith(folder.rstrip(os.sep) + os.sep):
        return None
    repository = _repository(folder)
    inside = repository is not None and source.startswith(repository + os.sep)
    return _held(folder, _SYSTEM) or (None if inside else _held(folder, _LIBRARIES))


@lru_cache(maxsize=4096)
def _held(folder: str, libraries: tuple[tuple[str, tuple[str, ...]], ...]) -> str | None:
    for name, marks in libraries:
        if all(os.path.isfile(os.path.join(folder, mark)) for mark in marks):
            return name
    return None


@lru_cache(maxsize=4096)
def _repository(folder: str) -> str | None:
    """Return the nearest folder from `folder` upward that git knows."""
    while not os.path.exists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return folder


@lru_cache(maxsize=65536)
def bundled(name: str) -> bool:
    """Whether coalint brings a header of this name."""
    return os.path.isfile(INCLUDE / name)


@lru_cache(maxsize=65536)
def in_bundled_library(name: str) -> bool:
    """Whether an include's first folder is one that coalint brings headers of: `cub/agent/agent_scan.cuh`."""
    first, slash, _ = name.partition("/")
    return bool(slash) and first not in (".", "..") and os.path.isdir(INCLUDE / first)


@lru_cache(maxsize=65536)
def absolute(directory: str, path: str) -> str:
    """Return `path` as a compiler that runs in `directory` finds it.

    `..` after a symbolic link leads where the link does.
    """
    joined = os.path.join(directory, path)
    plain = os.path.normpath(joined)
    if ".." in joined and os.path.realpath(plain) != os.path.realpath(joined):
        return os.path.realpath(joined)
    return plain


@lru_cache(maxsize=65536)
def shadowed(folder: str) -> bool:
    """Whether the folder itself holds a file of the name of a bundled header, as `math.h`."""
    try:
        names = os.listdir(folder)
    except OSError:
        return False
    return any(bundled(name) for name in names)
