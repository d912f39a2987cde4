"""Which files libclang opened, over all the parses that one source took."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from clang.cindex import TranslationUnit

from coalint.frontend.paths import INCLUDE

_BUNDLED = os.path.join(INCLUDE, "")
_names: ContextVar[dict[str, None] | None] = ContextVar("opened", default=None)


@contextmanager
def recorded() -> Iterator[dict[str, None]]:
    """Gather the names of the files that parses in the body include, in the order in which they were met."""
    names: dict[str, None] = {}
    token = _names.set(names)
    try:
        yield names
    finally:
        _names.reset(token)


def note(unit: TranslationUnit) -> None:
    """Add what a translation unit included, coalint's own headers apart: they belong to the program."""
    names = _names.get()
    if names is not None:
        included = (inclusion.include.name for inclusion in unit.get_includes())
        names.update((name, None) for name in included if not name.startswith(_BUNDLED))
