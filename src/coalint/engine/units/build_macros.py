"""The macros of a source to which build files of its repository give values: tried where it cannot be read without."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import field
from itertools import islice

from coalint.core.records import record
from coalint.core.source.reading import FileKind, read_bytes, read_text
from coalint.frontend.cuda.build.build_values import may_give_values, values_of
from coalint.frontend.cuda.build.python_values import may_name_macros
from coalint.frontend.cuda.build.repository import Repository
from coalint.frontend.interface import BuildMacro

MOST_FILES = 1500
"""Build files and Python programs of a repository that are read."""
MOST_INCLUDED = 500
"""Files of one translation unit in which macros are looked for."""


@record
class BuildMacros:
    """Reads the build files of repositories, each once when a source of it is planned."""

    _given: dict[str, tuple[tuple[str, tuple[BuildMacro, ...]], ...]] = field(default_factory=dict, init=False)
    _used: dict[tuple[str, str], frozenset[bytes]] = field(default_factory=dict, init=False)

    def of(self, path: str, included: Iterable[str], repository: Repository) -> tuple[BuildMacro, ...]:
        """Return the macros that a source (a real path) or what it includes names, as the nearest build file has them.

        `included` are the files of the translation unit.
        """
        root = repository.root
        given = self._of_repository(repository)
        if not given:
            return ()
        pattern = self._pattern(given)
        inside = (file for file in sorted(included) if repository.holds(file))
        used = {
            name.decode()
            for file in (path, *islice(inside, MOST_INCLUDED))
            for name in self._names(file, root, pattern)
        }
        home = os.path.relpath(path, root).split(os.sep)
        macros: dict[str, BuildMacro] = {}
        for _, its in sorted(given, key=lambda item: (-_shared(home, item[0].split(os.sep)), item[0])):
            for macro in its:
                if macro.name in used:
                    macros.setdefault(macro.name, macro)
        return tuple(macros.values())

    def _of_repository(self, repository: Repository) -> tuple[tuple[str, tuple[BuildMacro, ...]], ...]:
        """Return the build files that give macros values, relative to the root, with these."""
        root = repository.root
        if root not in self._given:
            names = islice(repository.named(may_give_values), MOST_FILES)
            read = ((name, values_of(name, self._text(os.path.join(root, name), root))) for name in sorted(names))
            self._given[root] = tuple((name, macros) for name, macros in read if macros)
        return self._given[root]

    def _text(self, path: str, root: str) -> str:
        """Return the text of a build file; empty for a Python program that gives no options, as most do not."""
        try:
            if path.endswith(".py") and not may_name_macros(read_bytes(path, FileKind.BUILD_FILE, (root,))):
                return ""
            return read_text(path, FileKind.BUILD_FILE, (root,))
        except OSError:
            return ""

    def _names(self, file: str, root: str, pattern: re.Pattern[bytes]) -> frozenset[bytes]:
        """Return the macros that a file names."""
        key = (root, file)
        if key not in self._used:
            try:
                self._used[key] = frozenset(pattern.findall(read_bytes(file, FileKind.HEADER, (root,))))
            except OSError:
                self._used[key] = frozenset()
        return self._used[key]

    def _pattern(self, given: Iterable[tuple[str, tuple[BuildMacro, ...]]]) -> re.Pattern[bytes]:
        names = sorted({macro.name for _, macros in given for macro in macros})
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b".encode())


def _shared(one: list[str], other: list[str]) -> int:
    """Return how many folders two paths have in common."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
