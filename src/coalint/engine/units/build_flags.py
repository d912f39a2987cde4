"""The flags that build files of a repository give: the last resort for a file that no compile command is known for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import field

from coalint.core.records import record
from coalint.core.source.reading import FileKind, read_text
from coalint.frontend.cuda.build.build_files import NAMES, flags_of
from coalint.frontend.cuda.build.translation import Translation, translate_flags


@record
class BuildFlags:
    """Reads the build files around sources, each once.

    Attributes:
        by_folder: The flags of a folder's sources, and the build files that they are from, by folder and root.
    """

    by_folder: dict[tuple[str, str], tuple[Translation, tuple[str, ...]] | None] = field(default_factory=dict)
    _texts: dict[str, str | None] = field(default_factory=dict, init=False)

    def around(self, folder: str, root: str) -> tuple[Translation, tuple[str, ...]] | None:
        """Return the flags for sources in a folder (a real path), with the files that they are from; None for none.

        The build files in the folder and above it count, up to the repository's root.
        """
        key = (folder, root)
        if key not in self.by_folder:
            paths = [path for path in _above(folder, root) if self._text(path) is not None]
            flags = flags_of((os.path.basename(path), self._text(path) or "") for path in paths)
            translation = translate_flags(flags, root) if flags else None
            self.by_folder[key] = None if translation is None else (translation, tuple(paths))
        return self.by_folder[key]

    def _text(self, path: str) -> str | None:
        if path not in self._texts:
            try:
                self._texts[path] = read_text(path, FileKind.BUILD_FILE, (os.path.dirname(path),))
            except OSError:
                self._texts[path] = None
        return self._texts[path]


def _above(folder: str, root: str) -> Iterator[str]:
    """Yield where build files would stand in a folder and above it up to the root, the nearest first."""
    while True:
        yield from (os.path.join(folder, name) for name in NAMES)
        if len(folder) <= len(root) or os.path.dirname(folder) == folder:
            return
        folder = os.path.dirname(folder)
