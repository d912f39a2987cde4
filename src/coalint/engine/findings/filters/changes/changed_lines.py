"""Asks git which lines a branch has changed since it left another."""

from __future__ import annotations

import os
import re
from dataclasses import field
from functools import cached_property

from coalint.core.records import record
from coalint.engine.findings.filters.changes.git import GitError, NoGitError, git

_HUNK = re.compile(rb"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_PLAIN = ("--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "--ignore-submodules=all", "--no-relative")


class ChangesError(Exception):
    """Git cannot say what changed; the text says why and what to do."""


@record(frozen=True, slots=True)
class Changed:
    """What changed in one file.

    Attributes:
        lines: Ranges of changed lines, as (first, last).
        gaps: Lines after which others were removed.
    """

    lines: tuple[tuple[int, int], ...] = ()
    gaps: tuple[int, ...] = ()

    def touches(self, first: int, last: int) -> bool:
        """Whether any line from `first` to `last` changed, or lines between them were removed."""
        inside = any(begin <= last and end >= first for begin, end in self.lines)
        return inside or any(first <= gap < last for gap in self.gaps)


EVERYTHING = Changed(((1, 1 << 60),))


@record
class Changes:
    """What changed in working trees since they left a revision: staged or not, including untracked files.

    Attributes:
        base: The revision.
    """

    base: str
    _repositories: dict[str, _Repository] = field(default_factory=dict)
    _folders: dict[str, str] = field(default_factory=dict)
    _files: dict[str, Changed] = field(default_factory=dict)

    def in_file(self, path: str) -> Changed:
        """Return what changed in a file. Raises ChangesError."""
        real = os.path.realpath(path)
        if real not in self._files:
            self._files[real] = self._repository(os.path.dirname(real)).changed(real)
        return self._files[real]

    def check(self, folder: str) -> None:
        """Raise ChangesError where git cannot say what changed in a folder."""
        self._repository(os.path.realpath(folder))

    def _repository(self, folder: str) -> _Repository:
        if folder not in self._folders:
            self._folders[folder] = _top(folder)
        top = self._folders[folder]
        if top not in self._repositories:
            self._repositories[top] = _Repository(top, _merge_base(top, self.base))
        return self._repositories[top]


@record
class _Repository:
    top: str
    revision: str

    def changed(self, path: str) -> Changed:
        name = os.fsencode(os.path.relpath(path, self.top))
        if name not in self.tracked:
            return EVERYTHING
        if name not in self.touched:
            return Changed()
        before = self.touched[name]
        paths = [os.fsdecode(b":(top,literal)" + one) for one in dict.fromkeys((before, name))]
        diff = _git(self.top, "diff", "-U0", *_PLAIN, self.revision, "--", *paths)
        if b"\nBinary files " in diff:
            return EVERYTHING
        lines: list[tuple[int, int]] = []
        gaps: list[int] = []
        for match in _HUNK.finditer(diff):
            first, count = int(match[1]), int(match[2] or 1)
            if count:
                lines.append((first, first + count - 1))
            else:
                gaps.append(first)
        return Changed(tuple(lines), tuple(gaps))

    @cached_property
    def tracked(self) -> frozenset[bytes]:
        return frozenset(_git(self.top, "ls-files", "-z").split(b"\0"))

    @cached_property
    def touched(self) -> dict[bytes, bytes]:
        """The files that differ, by their present names, each with its former name."""
        listed = _git(self.top, "diff", *_PLAIN, "--name-status", "-z", self.revision)
        words = iter(listed.split(b"\0"))
        former_names: dict[bytes, bytes] = {}
        for status in words:
            if status[:1] in (b"R", b"C"):
                before = next(words, b"")
                former_names[next(words, b"")] = before
            elif status:
                name = next(words, b"")
                former_names[name] = name
        return former_names


def _top(folder: str) -> str:
    try:
        return os.path.realpath(os.fsdecode(_git(folder, "rev-parse", "--show-toplevel").removesuffix(b"\n")))
    except _GitError as error:
        if "not a git repository" in str(error):
            raise ChangesError(
                f"{folder} is not in a git repository; leave out --diff-base, or lint files in a repository"
            ) from None
        raise


def _merge_base(top: str, base: str) -> str:
    try:
        commit = (
            _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}").decode().strip()
        )
    except _GitError:
        raise ChangesError(
            f"`{base}` is not a revision of the repository {top}; "
            "`git branch --all` lists the branches, and `git fetch origin` fetches missing ones"
        ) from None
    try:
        return _git(top, "merge-base", commit, "HEAD").decode().split()[0]
    except _GitError:
        raise ChangesError(
            f"`{base}` and the working tree of {top} have no commit in common; "
            "in a shallow clone `git fetch --unshallow` fetches the history"
        ) from None


class _GitError(ChangesError):
    pass


def _git(folder: str, *arguments: str) -> bytes:
    try:
        return git(folder, *arguments)
    except NoGitError as error:
        raise ChangesError(str(error)) from None
    except GitError as error:
        raise _GitError(str(error)) from None
