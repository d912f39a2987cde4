"""Which files libclang opened or looked for in vain, over all the parses that one source took."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field

from clang.cindex import TranslationUnit

from coalint.core.records import record
from coalint.frontend.cuda.build.include_folders import INCLUDE
from coalint.frontend.cuda.libclang.errors import MISSING, errors
from coalint.frontend.cuda.libclang.inclusions import names_of

_BUNDLED = os.path.join(INCLUDE, "")


@record
class Opened:
    """The names of the files that parses included, in the order in which they were met, and those that are missing.

    `sought` are paths at which a header was looked for beside that.
    """

    names: dict[str, None] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    sought: dict[str, None] = field(default_factory=dict)


_opened: ContextVar[Opened | None] = ContextVar("opened", default=None)


@contextmanager
def recorded() -> Iterator[Opened]:
    """Gather what parses in the body include."""
    opened = Opened()
    token = _opened.set(opened)
    try:
        yield opened
    finally:
        _opened.reset(token)


def note(unit: TranslationUnit) -> None:
    """Add what a translation unit included, coalint's own headers apart: they belong to the program."""
    opened = _opened.get()
    if opened is None:
        return
    opened.names.update((name, None) for name in names_of(unit) if not name.startswith(_BUNDLED))
    opened.missing.update(missing[1] for error in errors(unit) if (missing := MISSING.search(error.spelling)))


def note_read(paths: Iterable[str]) -> None:
    """Add files that were read without a parse."""
    opened = _opened.get()
    if opened is not None:
        opened.names.update(dict.fromkeys(paths))


def note_sought(paths: Iterable[str]) -> None:
    """Add paths at which a file was looked for without a parse."""
    opened = _opened.get()
    if opened is not None:
        opened.sought.update(dict.fromkeys(paths))
