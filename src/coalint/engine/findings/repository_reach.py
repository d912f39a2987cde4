"""What is asked about all files of one repository: which hold kernels, and which kernels nothing launches."""

from __future__ import annotations

import os
from dataclasses import field
from hashlib import blake2b
from typing import Protocol

from coalint.core.records import record
from coalint.engine.units.discovery import every_name
from coalint.frontend.cuda.mentions.names import Names, is_read, names_of
from coalint.frontend.cuda.mentions.unreached import Unreached


@record
class Reach:
    """Answers about one repository.

    Attributes:
        sources: The files that launch or define kernels, relative to the root; None for a repository too large to read.
        unreached: By file and kernel (`path:name`), what nothing calls; "" where the kernel may be reached.
    """

    sources: tuple[str, ...] | None
    unreached: dict[str, str]


class ReachStore(Protocol):
    """Keeps answers for later runs, by the state of a repository's files."""

    def find(self, state: str) -> Reach | None:
        """Return the answers about a repository in this state, if they are known."""

    def keep(self, state: str, answers: Reach) -> None:
        """Keep the answers about a repository in this state."""


@record
class RepositoryReach:
    """Answers about the repository at `root`, a real path; it is read where `store` does not know them all."""

    root: str
    store: ReachStore | None
    _is_new: bool = field(default=False)
    _known: Reach | None = field(default=None)
    _listed: tuple[str, ...] = field(default=())
    _state: str = field(default="")
    _unreached: Unreached | None = field(default=None)
    _is_read: bool = field(default=False)

    @property
    def sources(self) -> tuple[str, ...] | None:
        """The files that launch or define kernels, relative to the root; None where the repository is too large."""
        return self._answers.sources

    def why(self, kernel: str, file: str) -> str | None:
        """Return what nothing calls or launches: a kernel of a file (a real path), or what launches it; else None."""
        answers, key = self._answers, f"{os.path.relpath(file, self.root)}:{kernel}"
        if key not in answers.unreached:
            unreached = self._read()
            answers.unreached[key] = "" if unreached is None else unreached.why(kernel, file) or ""
            self._is_new = True
        return answers.unreached[key] or None

    def save(self) -> None:
        """Keep what was found out."""
        if self.store is not None and self._is_new and self._known is not None:
            self.store.keep(self._state, self._known)
            self._is_new = False

    @property
    def _answers(self) -> Reach:
        if self._known is None:
            self._listed = tuple(filter(is_read, every_name(self.root)))
            if self.store is not None:
                self._state = _state_of(self.root, self._listed)
                self._known = self.store.find(self._state)
        if self._known is None:
            unreached = self._read()
            names = None if unreached is None else unreached.names
            self._known, self._is_new = Reach(None if names is None else _with_kernels(names), {}), True
        return self._known

    def _read(self) -> Unreached | None:
        if not self._is_read:
            names = names_of(self.root, self._listed)
            self._unreached = None if names is None else Unreached(self.root, names)
            self._is_read = True
        return self._unreached


def _with_kernels(names: Names) -> tuple[str, ...]:
    return tuple(names.files[number] for number in sorted(names.with_kernels))


def _state_of(root: str, listed: tuple[str, ...]) -> str:
    """Return a digest of the names, sizes and times of files."""
    digest = blake2b(root.encode("utf-8", "surrogateescape"), digest_size=20)
    for path in listed:
        try:
            status = os.stat(os.path.join(root, path))
        except OSError:
            continue
        text = f"\0{path}\0{status.st_size}\0{status.st_mtime_ns}"
        digest.update(text.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()
