"""Which files of a run are fragments that others include, and through which of these their kernels are checked.

A fragment often needs what its includer declares before it, so alone it parses badly; and what many files include is
to be checked once. This looks at `#include` lines as text: the preprocessor decides later what is really included.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from coalint.core.source.boundary import Boundary
from coalint.core.source.reading import FileKind, is_readable_file, read_bytes
from coalint.engine.check.records import Source
from coalint.frontend.cuda.build.includes import IncludeGraph
from coalint.frontend.cuda.build.kernel_marks import defines_kernels
from coalint.frontend.registry import suffixes

MAX_SIBLINGS = 300  # files of a folder that are searched for one that includes a file given by itself
_HOST_SUFFIXES = (".cpp", ".cc", ".cxx", ".c++")


def units(
    given: Iterable[tuple[Source, Collection[str]]],
    is_wanted: Callable[[str], bool],
    others: Callable[[Sequence[str]], Sequence[Source]],
) -> list[Source]:
    """Return the translation units to check in place of the files of a run: fragments go to one that includes them.

    `given` are the files, each with all that it seems to include. Outside of the run, a header beside the units that
    include it holds kernels of theirs, and a lone fragment is checked through a file beside it that includes it:
    `is_wanted` tells by the real path whether such a file may be looked at, `others` gives its Source.
    """
    given = list(given)
    real = _Real()
    sources = {real[source.path]: source for source, _ in given}
    reached = {real[source.path]: {real[name] for name in names} - {real[source.path]} for source, names in given}
    roots = _roots(reached)
    fragments = _shared_out(sources, roots, reached, is_wanted)
    planned = {root: replace(sources[root], fragments=tuple(sorted(fragments[root]))) for root in roots}
    through = _beside(sources, roots, is_wanted)
    for other in others(sorted(set(through.values()))) if through else ():
        taken = [planned.pop(root) for root, path in through.items() if path == other.path]
        inner = {path for unit in taken for path in (real[unit.path], *unit.fragments)}
        planned[real[other.path]] = replace(other, fragments=tuple(sorted(inner)), itself=False)
    return sorted(planned.values(), key=lambda source: source.path)


class _Real(dict[str, str]):
    """Real paths, each looked up once."""

    def __missing__(self, path: str) -> str:
        real = self[path] = os.path.realpath(path)
        return real


def _roots(reached: Mapping[str, Collection[str]]) -> list[str]:
    """Return the files that no other includes; of files that include one another, the first."""
    included = {path for paths in reached.values() for path in paths}
    roots = sorted(path for path in reached if path not in included)
    covered = set(roots).union(*(reached[root] for root in roots))
    for path in sorted(reached):
        if path not in covered:
            roots.append(path)
            covered |= {path, *reached[path]}
    return roots


def _shared_out(
    sources: Collection[str],
    roots: Sequence[str],
    reached: Mapping[str, Collection[str]],
    is_wanted: Callable[[str], bool],
) -> dict[str, list[str]]:
    """Return the fragments of each root; among equals, one that has few of them takes the next."""
    includers: dict[str, list[str]] = defaultdict(list)
    has_kernels: dict[str, bool] = {}
    for root in roots:
        folder = os.path.dirname(root) + os.sep
        for path in reached[root]:
            # A file with one of these suffixes is found by the run itself, or not wanted.
            if path not in sources and not path.endswith(suffixes()) and path.startswith(folder):
                if path not in has_kernels:
                    has_kernels[path] = _has_kernels(path) and is_wanted(path)
                if has_kernels[path]:
                    includers[path].append(root)
            elif path in sources and path not in roots:
                includers[path].append(root)
    fragments: dict[str, list[str]] = defaultdict(list)
    for path, candidates in sorted(includers.items()):
        chosen = min(candidates, key=lambda root: (_preference(path, root), len(fragments[root]), root))
        fragments[chosen].append(path)
    return fragments


def _preference(path: str, root: str) -> tuple[bool, bool, bool]:
    """Return orders the units that include a file: a source file, of its name, of its folder."""
    stem, folder = os.path.splitext(os.path.basename(path))[0], os.path.dirname(path)
    name, suffix = os.path.splitext(os.path.basename(root))
    return suffix != ".cu", name != stem, os.path.dirname(root) != folder


def _has_kernels(path: str) -> bool:
    try:
        return defines_kernels(read_bytes(path, FileKind.HEADER))
    except OSError:
        return False


def _beside(sources: Mapping[str, Source], roots: Sequence[str], is_wanted: Callable[[str], bool]) -> dict[str, str]:
    """Return for roots that a file of their folder, outside of the run, includes: that file.

    A pre-commit hook hands over the changed header alone; and a build may compile C++ files as CUDA, which launch the
    kernels of a header.
    """
    by_folder: dict[str, list[str]] = defaultdict(list)
    for root in roots:
        by_folder[os.path.dirname(sources[root].path)].append(root)
    graph = IncludeGraph()
    includers: dict[str, str] = {}
    for folder, lone in by_folder.items():
        including: dict[str, list[str]] = defaultdict(list)
        for path in _siblings(folder, sources[lone[0]].boundary):
            if os.path.realpath(path) not in sources:
                for include in graph.includes(path):
                    including[_meant(include.name, folder, lone)].append(path)
        for root in lone:
            candidates = [path for path in including[root] if is_wanted(os.path.realpath(path))]
            if candidates:
                includers[root] = min(candidates, key=lambda path: (_preference(root, path), path))
    return includers


def _meant(name: str, folder: str, lone: Collection[str]) -> str:
    """Return the real path that an include in a file of `folder` means: beside it, or one of `lone` elsewhere below."""
    beside = os.path.realpath(os.path.join(folder, name))
    if beside in lone or "/" not in name or name.startswith("."):
        return beside
    below = f"{os.sep}{os.path.normpath(name)}"
    return next((root for root in lone if root.endswith(below)), beside)


def _siblings(folder: str, boundary: Boundary | None) -> list[str]:
    """Return the CUDA files of a folder, and those of C++ that launch kernels."""
    try:
        names = sorted(name for name in os.listdir(folder or ".") if name.endswith((".cu", *_HOST_SUFFIXES)))
    except OSError:
        return []
    paths = [os.path.join(folder, name) for name in names[:MAX_SIBLINGS]]
    within = None if boundary is None else boundary.shown
    return [path for path in paths if is_readable_file(path, within) and (path.endswith(".cu") or _launches(path))]


def _launches(path: str) -> bool:
    try:
        return b"<<<" in read_bytes(path, FileKind.SOURCE)
    except OSError:
        return False
