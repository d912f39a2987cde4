"""How much of a run's work is done, by the bytes of its files: the largest are checked first."""

from __future__ import annotations

import os
from collections.abc import Iterable


class Share:
    """The part of the work that is done."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self._finished: set[str] = set()
        self._bytes = 0

    def expect(self, paths: Iterable[str]) -> None:
        """Add files that are to be checked."""
        for path in paths:
            if path not in self.sizes:
                self.sizes[path] = _size(path)

    def finish(self, path: str) -> None:
        """Note that a file is done."""
        if path not in self._finished:
            self._finished.add(path)
            self._bytes += self.sizes.get(path, 0)

    @property
    def done(self) -> float:
        """The part of the bytes that is done, from 0 to 1."""
        total = sum(self.sizes.values())
        return self._bytes / total if total else 1.0


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
