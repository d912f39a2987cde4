"""The files that a run changes: held in memory, then written or shown as a diff."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from coalint.core.records import record
from coalint.core.source.reading import FileKind, read_bytes
from coalint.core.source.spans import Edit
from coalint.core.source.text_edits import apply_edits
from coalint.core.source.writing import replace_file
from coalint.engine.check.records import Overlay


class WriteError(Exception):
    """A file cannot be written; the text says which and why."""


@record(frozen=True, slots=True)
class _File:
    name: str
    before: bytes
    now: bytes


@record
class Workspace:
    """Files with changes that are not yet written.

    Attributes:
        files: The files by their real paths.
        unwritten: The real paths of files that are never written, as stdin.
    """

    files: dict[str, _File] = field(default_factory=dict)
    unwritten: frozenset[str] = frozenset()

    @classmethod
    def around(cls, contents: Iterable[tuple[str, bytes]]) -> Workspace:
        """Return a workspace in which these contents replace files, by name; the files are neither read nor written."""
        files = {os.path.realpath(name): _File(name, data, data) for name, data in contents}
        return cls(files, frozenset(files))

    @property
    def overlay(self) -> Overlay:
        """The present texts of the files that changed and of those that are never written."""
        files = ((p, file) for p, file in sorted(self.files.items()) if file.now != file.before or p in self.unwritten)
        return tuple((path, _decoded(file.now)) for path, file in files)

    def contents(self, name: str) -> bytes:
        """Return the present contents of a file in the workspace."""
        return self.files[os.path.realpath(name)].now

    def refuses(self, name: str, sources: Mapping[str, str]) -> str | None:
        """Return why a file cannot be edited; None where it can. `sources` are the texts that places refer to."""
        path = os.path.realpath(name)
        try:
            if path not in self.files:
                data = read_bytes(path, FileKind.SOURCE)
                self.files[path] = _File(name, data, data)
        except OSError as error:
            return f"{name}: cannot be read: {error.strerror}"
        text = _decoded(self.files[path].now)
        if _plain(text) != _plain(sources.get(name, "")):
            return f"{name}: changed while it was analysed; run coalint again"
        if "\r" in text.replace("\r\n", ""):
            return f"{name}: its line ends are single carriage returns, which coalint does not edit"
        return None

    def edited(self, edits: Iterable[Edit]) -> Workspace:
        """Return the workspace with edits applied, which must not overlap."""
        by_path: dict[str, list[Edit]] = {}
        for edit in edits:
            by_path.setdefault(os.path.realpath(edit.span.file), []).append(edit)
        files = dict(self.files)
        for path, edits_of_file in by_path.items():
            old = files[path]
            files[path] = _File(old.name, old.before, apply_edits(old.now, edits_of_file))
        return Workspace(files, self.unwritten)

    @property
    def changed(self) -> list[str]:
        """The names of the files that changed."""
        return sorted(file.name for file in self.files.values() if file.now != file.before)

    def write(self) -> None:
        """Write the files that changed. Raises WriteError; the files before it are written then, and none in part."""
        for path, file in sorted(self.files.items()):
            if file.now == file.before or path in self.unwritten:
                continue
            try:
                if read_bytes(path, FileKind.SOURCE) != file.before:
                    raise WriteError(f"{file.name}: changed in the meantime and was left as it is; run coalint again")
                replace_file(path, file.now)
            except OSError as error:
                raise WriteError(f"{file.name}: cannot be written: {error.strerror}") from None

    def diff(self) -> Iterator[str]:
        """Yield the lines of a unified diff, with their ends."""
        for _, file in sorted(self.files.items(), key=lambda item: item[1].name):
            if file.now == file.before:
                continue
            before, after = (_decoded(data).split("\n") for data in (file.before, file.now))
            lines = difflib.unified_diff(_ended(before), _ended(after), _label(file.name, "a"), _label(file.name, "b"))
            for line in lines:
                yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _ended(lines: list[str]) -> list[str]:
    """Return lines with their ends; what follows the last line feed has none."""
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _label(name: str, side: str) -> str:
    return name if os.path.isabs(name) else f"{side}/{os.path.normpath(name)}"


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n")
