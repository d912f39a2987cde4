"""Real paths of many files that lie in few folders."""

from __future__ import annotations

import os


class RealPaths:
    """Real paths, as `os.path.realpath` gives them; each folder is followed once, so that one of these serves one step.

    What is a link may change between steps.
    """

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}
        self._files: dict[str, str] = {}

    def of(self, path: str) -> str:
        """Return the real path of a file."""
        if path not in self._files:
            self._files[path] = self._followed(path)
        return self._files[path]

    def _followed(self, path: str) -> str:
        folder, name = os.path.split(path)
        if name in ("", os.curdir, os.pardir) or os.path.islink(path):
            return os.path.realpath(path)
        real = self._folders.get(folder)
        if real is None:
            real = self._folders[folder] = os.path.realpath(folder)
        return os.path.join(real, name)
