"""Folders of headers: which hold libraries that coalint brings itself, and paths as a compiler reads them."""

from __future__ import annotations

import os
from functools import lru_cache

from coalint.frontend.clang import INCLUDE

# A folder that holds one of these files is the root of the library's headers.
_LIBRARIES = (
    ("the CUDA toolkit", ("cuda_runtime_api.h", "crt/host_defines.h", "cuda_device_runtime_api.h")),
    ("CUB, Thrust or libcu++", ("cub/version.cuh", "thrust/version.h", "cuda/std/version")),
    ("the C library", ("sys/cdefs.h", "features.h")),
    ("a compiler's own headers", ("stdarg.h", "stddef.h")),
    ("the C++ library", ("cstdlib", "bits/c++config.h")),
    ("PyTorch", ("ATen/ATen.h", "ATen/Config.h", "c10/macros/Macros.h", "torch/extension.h", "torch/all.h")),
)


def brings_own(folder: str, source: str) -> str | None:
    """The library that `folder` is the root of, where coalint has headers for it; not where `source` is part of it."""
    if source.startswith(folder.rstrip(os.sep) + os.sep):
        return None
    return _library(folder)


@lru_cache(maxsize=4096)
def _library(folder: str) -> str | None:
    for name, marks in _LIBRARIES:
        if any(os.path.isfile(os.path.join(folder, mark)) for mark in marks):
            return name
    return None


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
    """`path` as a compiler that runs in `directory` finds it; `..` behind a symbolic link leads where the link does."""
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
