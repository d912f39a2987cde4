"""What a check depends on: the files that it read, and the paths at which it found none."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import field

from coalint.core.records import record
from coalint.core.source.overlay import contents_of
from coalint.core.source.reading import FileKind, read_bytes
from coalint.engine.execution.cache.include_names import FileContent, digest_of, read_includes, spellings
from coalint.engine.execution.cache.search_paths import candidate_paths, search_paths

MARGIN = 20_000_000
"""Nanoseconds by which the clock of a file system may lag behind."""


@record(frozen=True, slots=True)
class Inputs:
    """The files that a parse opened, and those that it would have opened if they had existed.

    Attributes:
        opened: The files opened, as (name, digest).
        folders: The folders searched for includes.
        names: The names of includes looked for in each of them.
        beside: Paths looked for beside the including files.
        present: Those of all these candidate paths that are files.
        refused: Names that the parse was not to open, with the real paths that they had.
    """

    opened: tuple[tuple[str, str], ...]
    folders: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()


@record
class Files:
    """The contents and existence of files, each read once per run."""

    _contents: dict[str, tuple[tuple[int, int, int], FileContent]] = field(default_factory=dict)
    _digests: dict[str, str | None] = field(default_factory=dict)
    _present: dict[str, bool] = field(default_factory=dict)

    def inputs(
        self,
        path: str,
        opened: Iterable[str],
        missing: Iterable[str],
        flags: Sequence[str],
        began: int,
        sought: Iterable[str] = (),
        refused: Iterable[str] = (),
    ) -> Inputs | None:
        """Return the inputs of a parse; None where they are not all known.

        That is so where `__has_include` is given a macro, a flag reads files, or a file changed during the parse.

        Args:
            path: The file parsed.
            opened: The other files that were opened.
            missing: The names of includes that were not found.
            flags: The arguments of clang.
            began: When the parse began, in nanoseconds.
            sought: Other paths at which a file was looked for.
            refused: Names that turned out to lead out of what may be read.
        """
        searched = search_paths(flags)
        if searched is None:
            return None
        folders, names = searched
        beside: set[str] = set(sought)
        computing: list[str] = []  # the folders of files that include what a macro names
        digests: list[tuple[str, str]] = []
        for name in dict.fromkeys((path, *opened)):
            content = self._content(name)
            if content is None or content.asked or content.changed >= began - MARGIN:
                return None
            digests.append((name, content.digest))
            names.update(content.named)
            names.update(content.quoted)
            beside.update(os.path.join(os.path.dirname(name), quoted) for quoted in content.quoted)
            if content.computed:
                computing.append(os.path.dirname(name))
        if computing:
            names_of_missing = {*missing, *spellings([name for name, _ in digests], [*folders, *computing])}
            names.update(names_of_missing)
            beside.update(os.path.join(folder, name) for folder in set(computing) for name in names_of_missing)
        present = [candidate for candidate in candidate_paths(folders, names, beside) if os.path.isfile(candidate)]
        return Inputs(
            opened=tuple(digests),
            folders=tuple(folders),
            names=tuple(sorted(names)),
            beside=tuple(sorted(beside)),
            present=tuple(sorted(present)),
            refused=tuple((name, os.path.realpath(name)) for name in sorted(refused)),
        )

    def unchanged(self, inputs: Inputs) -> bool:
        """Whether a parse would read the same files with the same contents."""
        if any(self.digest(name) != digest for name, digest in inputs.opened):
            return False
        if any(os.path.realpath(name) != real for name, real in inputs.refused):
            return False
        present = set(inputs.present)
        candidates = candidate_paths(inputs.folders, inputs.names, inputs.beside)
        return all(self.is_file(candidate) == (candidate in present) for candidate in candidates)

    def digest(self, path: str) -> str | None:
        """Return the digest of a file's contents; None where it cannot be read."""
        replacement = contents_of(path)
        if replacement is not None:
            return digest_of(replacement)
        if path not in self._digests:
            data = self.read(path)
            self._digests[path] = None if data is None else digest_of(data)
        return self._digests[path]

    def read(self, path: str) -> bytes | None:
        """Return the contents of a regular file, or of the text that replaces it; None where it cannot be read."""
        replacement = contents_of(path)
        if replacement is not None:
            return replacement
        try:
            return read_bytes(path, FileKind.SOURCE)
        except OSError:
            return None

    def is_file(self, path: str) -> bool:
        """Whether a file of this name exists; an include finds no folder, and no pipe."""
        if path not in self._present:
            self._present[path] = os.path.isfile(path)
        return self._present[path]

    def _content(self, path: str) -> FileContent | None:
        replacement = contents_of(path)
        if replacement is not None:
            return read_includes(replacement, 0)
        try:
            state = os.stat(path)
            key = (state.st_mtime_ns, state.st_ctime_ns, state.st_size)
            known = self._contents.get(path)
            if known is not None and known[0] == key:
                return known[1]
            data = read_bytes(path, FileKind.SOURCE)
        except OSError:
            return None
        content = read_includes(data, max(key[:2]))
        self._contents[path] = (key, content)
        return content
