"""Texts that stand in for files while a file is read: what a change would make of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

_NONE: Mapping[str, str] = {}
_texts: ContextVar[Mapping[str, str]] = ContextVar("overlay", default=_NONE)


@contextmanager
def overlaid(texts: Sequence[tuple[str, str]]) -> Iterator[None]:
    """Read these texts in place of the files of these real paths in the body."""
    token = _texts.set(dict(texts))
    try:
        yield
    finally:
        _texts.reset(token)


def text_of(path: str) -> str | None:
    """Return the text that stands in for a file, if one does."""
    texts = _texts.get()
    return texts.get(os.path.realpath(path)) if texts else None


def contents_of(path: str) -> bytes | None:
    """Return the bytes of the text that stands in for a file, if one does."""
    text = text_of(path)
    return None if text is None else text.encode("utf-8", errors="replace")


def unsaved() -> list[tuple[str, str]]:
    """Return the texts as libclang takes them; a file is the same to it by whatever name it is included."""
    return list(_texts.get().items())
