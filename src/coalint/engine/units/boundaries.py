"""How far the reading of a source may go: its repository, what the user named, and headers that the build names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from coalint.core.source.boundary import Boundary
from coalint.core.source.reading import lies_in
from coalint.frontend.cuda.build.compiler_options import Drop
from coalint.frontend.cuda.build.header_names import holds_headers, is_header
from coalint.frontend.cuda.build.translation import Dropped, Translation

_FOLDERS = frozenset({"-isystem", "-iquote", "-idirafter"})
_FORCED = frozenset({"-include", "-imacros"})


def outermost(reals: Iterable[str]) -> tuple[str, ...]:
    """Return real paths without those that lie in another of them, sorted."""
    kept: list[str] = []
    for real in sorted(set(reals)):
        if not kept or not lies_in(real, kept[-1:]):
            kept.append(real)
    return tuple(kept)


def widened(boundary: Boundary, paths: Iterable[str]) -> Boundary:
    """Return the boundary with more that may be shown."""
    reals = (os.path.realpath(path) for path in paths)
    more = [real for real in reals if not boundary.shows(real)]
    return replace(boundary, shown=outermost((*boundary.shown, *more))) if more else boundary


def named_in(flags: Sequence[str]) -> Iterator[str]:
    """Yield the folders and files that flags name, as `translate` writes them."""
    return (path for _, path in _words(flags) if os.path.isabs(path))


def kept_within(translation: Translation, boundary: Boundary) -> tuple[Translation, tuple[str, ...]]:
    """Keep of the flags that a repository brings what names nothing outside of the boundary but headers.

    Returns them with the folders of headers, and forced headers, that lie elsewhere.
    """
    kept: list[str] = []
    dropped: list[Dropped] = []
    headers: list[str] = []
    for words, path in _words(translation.flags):
        real = os.path.realpath(path) if os.path.isabs(path) else ""
        if not real or boundary.shows(real):
            kept += words
        elif is_header(real) if words[0] in _FORCED else holds_headers(real):
            kept += words
            headers.append(real)
        else:
            dropped.append(Dropped(" ".join(words), Drop.OUTSIDE))
    confined = replace(translation, flags=tuple(kept), dropped=(*translation.dropped, *dropped))
    return confined, outermost(headers)


def _words(flags: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each flag with its value, and the path that it names or an empty text."""
    rest = iter(flags)
    for word in rest:
        if word in _FOLDERS or word in _FORCED:
            value = next(rest, "")
            yield (word, value), value
        else:
            yield (word,), word[2:] if word.startswith("-I") else ""
