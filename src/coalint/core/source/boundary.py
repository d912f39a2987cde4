"""The folders and files that reading one source may not leave, while it is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

_roots: ContextVar[Sequence[str] | None] = ContextVar("roots", default=None)


@contextmanager
def confined(roots: Sequence[str] | None) -> Iterator[None]:
    """Let what the body reads lie in these folders and files, real paths; None stands for no boundary."""
    token = _roots.set(roots)
    try:
        yield
    finally:
        _roots.reset(token)


def boundary() -> Sequence[str] | None:
    """The roots of what is being read now; None where there is no boundary."""
    return _roots.get()
