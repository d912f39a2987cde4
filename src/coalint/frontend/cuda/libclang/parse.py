"""Parses one file with the forced header, precompiled where that is possible."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from clang.cindex import TranslationUnit, TranslationUnitLoadError

from coalint.core.source import overlay
from coalint.core.source.boundary import boundary, hidden_names
from coalint.frontend.cuda.build.include_folders import FIRST, FORCED, INCLUDE
from coalint.frontend.cuda.libclang.bindings import BASE, OPTIONS, index, library
from coalint.frontend.cuda.libclang.confinement import ROUNDS, refused, view
from coalint.frontend.cuda.libclang.inclusions import names_of
from coalint.frontend.cuda.libclang.irregular_files import freed_from_irregular_files
from coalint.frontend.cuda.libclang.opened_files import note
from coalint.frontend.cuda.libclang.precompiled import discard, included, precompiled
from coalint.frontend.interface import FrontendError

_NONE: Mapping[str, str] = {}
STUBS = str(INCLUDE / "coalint_stubs.h")
"""The name of the file that declares what the user's headers do not; it exists in memory only."""


def arguments(flags: Sequence[str] = (), header: str | None = None, ahead: Sequence[str] = ()) -> list[str]:
    """Return the command line for libclang: coalint's own, then the user's, but for the folders that come FIRST.

    `header` is the forced header, precompiled; headers of `coalint/` that come `ahead` of the file follow it.
    """
    first = [f"-I{flag.removeprefix(FIRST)}" for flag in flags if flag.startswith(FIRST)]
    others = [flag for flag in flags if not flag.startswith(FIRST)]
    forced = ("-include", str(INCLUDE / FORCED)) if header is None else ("-include-pch", header)
    return [*first, *BASE, *forced, *included(ahead), *others]


def parse(
    path: str,
    flags: Sequence[str] = (),
    text: str | None = None,
    headers: str | None = None,
    stubs: str = "",
    others: Mapping[str, str] = _NONE,
    ahead: Sequence[str] = (),
) -> TranslationUnit:
    """Parse one file; `text` stands in for its contents, `stubs` is source that comes before it.

    `others` stand in for the contents of files that it includes, by their names as libclang gives them. `headers` is
    the folder of precompiled headers, `ahead` are headers of `coalint/` that come before the first line.

    Raises FrontendError when libclang gives nothing.
    """
    library()
    own = os.path.realpath(path)
    replaced = {own, *map(os.path.realpath, others)}
    unsaved = [(name, other) for name, other in overlay.unsaved() if name not in replaced]
    unsaved += others.items()
    if text is not None:
        unsaved.append((path, text))
    if stubs:
        unsaved.append((STUBS, stubs))
        flags = ("-include", STUBS, *flags)
    ready = precompiled(flags, headers, ahead) if headers is not None else ()
    for used in range(len(ready), -1, -1):
        header = ready[used - 1] if used else None
        command = arguments(flags, header, () if used > 1 else ahead)
        try:
            unit = _parse(path, command, unsaved, ready[:used])
        except TranslationUnitLoadError:
            continue
        discard(ready[used:])  # since the file parses without
        return unit
    raise FrontendError(
        f"{path}: libclang could not parse the file",
        "check the flags given after --, or report it with the file attached",
    )


def _parse(
    path: str, arguments: list[str], unsaved: list[tuple[str, str]], ready: Sequence[str] = ()
) -> TranslationUnit:
    unit = _confined(path, arguments, unsaved, ready)
    note(unit)
    return unit


def _confined(path: str, arguments: list[str], unsaved: list[tuple[str, str]], ready: Sequence[str]) -> TranslationUnit:
    """Parse within the boundary of what is read now: what a link leads to elsewhere is missing, as other files are."""
    bounds = boundary()
    if bounds is None:
        with freed_from_irregular_files(None):
            return _opened(path, arguments, unsaved)
    hidden = hidden_names()
    for _ in range(ROUNDS):
        try:
            texts = [path, *(name for name, _ in unsaved)]
            with view(arguments, bounds, hidden, texts, ready) as confining, freed_from_irregular_files(bounds) as met:
                unit = _opened(path, [*arguments, *confining], unsaved)
        except UnicodeEncodeError:
            raise FrontendError(
                f"{path}: libclang cannot open it: a name is not UTF-8", "rename the file or folder"
            ) from None
        fresh = (refused(names_of(unit), bounds) | met) - hidden
        if not fresh:
            return unit
        hidden |= fresh
    raise FrontendError(f"{path}: includes files outside of the repository, through links in it", "remove the links")


def _opened(path: str, arguments: list[str], unsaved: list[tuple[str, str]]) -> TranslationUnit:
    return index().parse(path, args=arguments, unsaved_files=unsaved, options=OPTIONS)
