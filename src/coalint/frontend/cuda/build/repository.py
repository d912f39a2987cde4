"""The names of a repository's files, listed once when first asked for, and which of them an include may mean."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import field
from functools import cached_property
from itertools import islice

from coalint.core.records import record
from coalint.core.source.boundary import roots
from coalint.core.source.reading import FileKind, read_bytes
from coalint.frontend.cuda.build.include_folders import brings_own, in_bundled_library

MOST = 200_000
"""Files of a repository whose names are listed."""
_CUDA = frozenset({"cuda", "cu", "nvidia", "nvcc"})
_OTHERS = frozenset({"hip", "rocm", "amd", "amdgpu", "sycl", "dpcpp", "xpu", "opencl", "metal", "musa", "cpu"})


@record(frozen=True, slots=True)
class Candidate:
    """What an include was taken for: the folder that it is relative to, or None, and the files that matched it."""

    folder: str | None
    files: tuple[str, ...] = ()


@record
class Repository:
    """The files below `root` (a real path). `listed` yields their paths, relative to it."""

    root: str
    listed: Callable[[], Iterator[str]]
    _candidates: dict[tuple[str, str, bool], Candidate] = field(default_factory=dict)
    _ending: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def holds(self, path: str) -> bool:
        """Whether a file lies in the repository."""
        return os.path.realpath(path).startswith(self.root.rstrip(os.sep) + os.sep)

    def find(self, include: str, includer: str, source: str) -> Candidate:
        """Return the file below the root whose path ends with `include`.

        Of several, the one that shares most folders with `includer`; where that does not decide, the one that is for
        CUDA by its folders' names, or the first if all hold the same text, else none. Libraries that coalint brings are
        not looked for, unless `source` is part of them.
        """
        library = in_bundled_library(include)
        key = (include, source if library else os.path.dirname(includer), library)
        if key not in self._candidates:
            if include not in self._ending:
                self._ending[include] = tuple(self._ending_with(include))
            files = [file for file in self._ending[include] if file != includer]
            if library:
                files = [file for file in files if source.startswith(_folder(file, include) + os.sep)]
            files = [file for file in files if brings_own(_folder(file, include), source) is None]
            self._candidates[key] = _chosen(include, files, os.path.dirname(os.path.realpath(includer)))
        return self._candidates[key]

    def named(self, is_wanted: Callable[[str], bool]) -> Iterator[str]:
        """Yield the paths, relative to the root, of the files whose names are wanted."""
        for name, paths in self._by_name.items():
            if is_wanted(name):
                yield from paths

    def _ending_with(self, include: str) -> Iterator[str]:
        parts = os.path.normpath(include).split(os.sep)
        if os.path.isabs(include) or ".." in parts:
            return
        ending = os.sep + os.path.join(*parts)
        for name in self._by_name.get(parts[-1], ()):
            if f"{os.sep}{name}".endswith(ending):
                path = os.path.join(self.root, name)
                if self.holds(path) and os.path.isfile(path):
                    yield path
        if len(parts) > 1 and parts[0] == os.path.basename(self.root):  # the folder that is named has the path's first
            path = os.path.join(self.root, *parts[1:])
            if self.holds(path) and os.path.isfile(path):
                yield path

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        names: dict[str, list[str]] = {}
        for path in islice(self.listed(), MOST):
            names.setdefault(os.path.basename(path), []).append(path)
        return names


def _folder(file: str, include: str) -> str:
    """Return the folder that `include` is relative to."""
    return file[: -len(os.path.normpath(include)) - 1]


def _chosen(include: str, files: list[str], home: str) -> Candidate:
    if not files:
        return Candidate(None)
    shared = {file: len(os.path.commonpath([home, file])) for file in files}
    nearest = [file for file in files if shared[file] == max(shared.values())]
    nearest = _for_cuda(nearest)
    same = len(nearest) == 1 or len({_contents(file) for file in nearest}) == 1
    return Candidate(_folder(nearest[0], include) if same else None, tuple(files))


def _contents(file: str) -> bytes | str:
    """Return the bytes of a file, or its name where it cannot be read, which is like no other's."""
    try:
        return read_bytes(file, FileKind.HEADER, roots())
    except OSError:
        return file


def _for_cuda(files: list[str]) -> list[str]:
    """Return the files that may be meant where the code is CUDA's: `targets/cuda/math.h`, not `targets/hip/math.h`."""
    if len(files) == 1:
        return files
    common = len(os.path.commonpath(files))
    folders = {file: {part.lower() for part in file[common:].split(os.sep)[:-1]} for file in files}
    left = [file for file in files if not folders[file] & _OTHERS] or files
    return [file for file in left if folders[file] & _CUDA] or left
