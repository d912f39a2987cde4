"""What may be read for one source: a repository names only what lies in it, its user whatever they like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from coalint.core.records import record
from coalint.core.source.reading import lies_in
from coalint.core.source.real_paths import RealPaths


@record(frozen=True, slots=True)
class Boundary:
    """The folders and files that reading one source may not leave, as real paths.

    Attributes:
        shown: The repository, and what the user named: texts of these may stand in a report.
        headers: Include folders elsewhere that the repository's build names. Headers are read from them, so that types
            and macros are known, but no text of theirs is shown.
    """

    shown: tuple[str, ...]
    headers: tuple[str, ...] = ()

    @property
    def roots(self) -> tuple[str, ...]:
        """Everything that may be read."""
        return (*self.shown, *self.headers)

    def admits(self, real: str) -> bool:
        """Whether a real path may be read, as far as its folder tells."""
        return lies_in(real, self.shown) or lies_in(real, self.headers)

    def shows(self, real: str) -> bool:
        """Whether text of a real path may stand in a report."""
        return lies_in(real, self.shown)


_now: ContextVar[tuple[Boundary, set[str]] | None] = ContextVar("boundary", default=None)


@contextmanager
def confined(boundary: Boundary | None, hidden: Iterable[str] = ()) -> Iterator[None]:
    """Keep what the body reads within a boundary, None for none, and away from files of the `hidden` names."""
    token = _now.set(None if boundary is None else (boundary, set(hidden)))
    try:
        yield
    finally:
        _now.reset(token)


def boundary() -> Boundary | None:
    """Return the boundary of what is being read now."""
    now = _now.get()
    return None if now is None else now[0]


def hidden_names() -> set[str]:
    """Return names that turned out to lead out of the boundary while the present source is read.

    For the parser to add to.
    """
    now = _now.get()
    return set() if now is None else now[1]


def is_shown(path: str, real: RealPaths | None = None) -> bool:
    """Whether text of a file may stand in a report on what is being read now; `real` is for several files at once."""
    now = _now.get()
    return now is None or now[0].shows((real or RealPaths()).of(path))


def roots() -> Sequence[str] | None:
    """Return the roots of what is being read now, as the gate takes them."""
    now = _now.get()
    return None if now is None else now[0].roots
