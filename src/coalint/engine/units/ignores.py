"""What ignore files, the configuration and the command line leave out of a run.

The deepest ignore file that says anything about a path decides, as in git.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path

from coalint.core.records import record
from coalint.core.source.reading import FileKind, read_text
from coalint.engine.config.selection import Patterns
from coalint.engine.units.ignore_patterns import IgnorePatterns, ignore_patterns

NAME = ".gitignore"

Excluding = Callable[[str], Sequence[Patterns]]
"""Gives the patterns of what to leave out of a folder (absolute), the weakest first."""


MOST_COMPARISONS = 50_000_000
"""Names times patterns that one walk compares, about 20 s: folders may be many, and each may have an ignore file."""


@record
class Effort:
    """How many names may still be compared with patterns; what comes after is not compared."""

    left: int = field(default_factory=lambda: MOST_COMPARISONS)

    def spend(self, comparisons: int) -> bool:
        """Whether there is enough left for that many."""
        self.left -= comparisons
        return self.left >= 0


@record
class Ignore:
    """The patterns of one ignore file, or of one list of the configuration or the command line.

    Attributes:
        name: What messages call it.
        folder: What its patterns are relative to.
        lines: The patterns.
        unread: Why the file was not read; empty where it was.
        effort: What the walk may spend on patterns.
    """

    name: str
    folder: Path
    lines: tuple[str, ...]
    unread: str = ""
    effort: Effort = field(default_factory=Effort)

    @classmethod
    def of(cls, folder: Path, within: Sequence[str], effort: Effort) -> Ignore | None:
        """Return the ignore file of a folder; None where it has none. One that is refused has no lines."""
        path = folder / NAME
        try:
            text = read_text(path, FileKind.IGNORE_FILE, within)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR):
                return None
            return cls(str(path), absolute(folder), (), error.strerror or str(error), effort)
        return cls(str(path), absolute(folder), tuple(text.splitlines()), effort=effort)

    @cached_property
    def patterns(self) -> IgnorePatterns:
        """The patterns, compiled."""
        return ignore_patterns(self.lines)

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not applied of it, as sentences."""
        return (f"{self.unread}; nothing is left out for it",) if self.unread else self.patterns.problems

    def verdict(self, path: Path, folder: bool) -> bool | None:
        """Return True where ignored, False where expressly not, None where not mentioned; `path` is absolute."""
        spec = self.patterns.spec
        if not spec.patterns or not self.effort.spend(len(spec.patterns)):
            return None
        return spec.check_file(self._name(path) + ("/" if folder else "")).include

    @cached_property
    def _prefix(self) -> str:
        return os.path.join(str(self.folder), "")

    def _name(self, path: Path) -> str:
        """Return the name of a path that patterns are compared with, from the folder or the file system's root on."""
        if (text := str(path)).startswith(self._prefix):  # what `relative_to` gives, for a fraction of its cost
            return text[len(self._prefix) :].replace(os.sep, "/")
        base = self.folder if path.is_relative_to(self.folder) else Path(path.anchor)
        return path.relative_to(base).as_posix()

    def ignores(self, path: Path, folder: bool) -> bool:
        """Whether `path` or a folder that it lies in is ignored."""
        outer = [parent for parent in path.parents if parent.name and parent not in (self.folder, *self.folder.parents)]
        return bool(self.verdict(path, folder)) or any(self.verdict(parent, True) for parent in outer)


class Excluded:
    """What configuration and command line leave out; the stronger of two that mention a path decides."""

    def __init__(self, excluding: Excluding, effort: Effort | None = None) -> None:
        self.excluding = excluding
        self.effort = effort or Effort()
        self._ignores: dict[str, list[Ignore]] = {}

    def verdict(self, path: Path, folder: bool) -> bool | None:
        """Return True where left out, False where expressly not, None where not mentioned. `path` is absolute."""
        for ignore in self._of(path.parent):
            verdict = ignore.verdict(path, folder)
            if verdict is not None:
                return verdict
        return None

    def leaves_out(self, path: Path) -> bool:
        """Whether a file (absolute) or a folder that it lies in is left out."""
        ignores = self._of(path.parent)
        verdict = next((verdict for ignore in ignores if (verdict := ignore.verdict(path, False)) is not None), None)
        return any(ignore.ignores(path, False) for ignore in ignores) if verdict is None else verdict

    def all(self) -> Iterator[Ignore]:
        """Yield all patterns that were asked so far."""
        for ignores in self._ignores.values():
            yield from ignores

    def _of(self, folder: Path) -> list[Ignore]:
        """Return the strongest first."""
        key = str(folder)
        if key not in self._ignores:
            patterns = reversed(self.excluding(key))
            ignores = [
                Ignore("exclude", absolute(Path(p.folder or os.curdir)), p.lines, effort=self.effort)
                for p in patterns
                if p.lines
            ]
            self._ignores[key] = ignores
        return self._ignores[key]


def is_ignored(path: Path, ignores: Sequence[Ignore], folder: bool) -> bool:
    """Whether ignore files, the outermost first, leave out a path (absolute)."""
    for ignore in reversed(ignores):
        verdict = ignore.verdict(path, folder)
        if verdict is not None:
            return verdict
    return False


def above(root: Path, within: Sequence[str], effort: Effort) -> list[Ignore]:
    """Return the ignore files between the repository's root and `root`, outermost first.

    None outside a repository, and none when they ignore `root` itself: who names an ignored folder means it.
    """
    start = absolute(root)
    parents = [start, *start.parents]
    top = next((index for index, parent in enumerate(parents) if (parent / ".git").exists()), None)
    if top is None:
        return []
    ignores = [file for parent in reversed(parents[1 : top + 1]) if (file := Ignore.of(parent, within, effort))]
    return [] if any(ignore.ignores(start, folder=True) for ignore in ignores) else ignores


def absolute(path: Path) -> Path:
    """Return absolute and without `..`, as patterns need it; symbolic links stay."""
    return Path(os.path.abspath(path))
