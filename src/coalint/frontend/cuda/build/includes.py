"""Which files a source includes, read from its text alone; what is not found is looked for in the repository.

A name with backslashes, as compilers of Windows take it, is one with slashes. Conditions around an include are not
evaluated: a folder too many at the end of the search path does no harm, since it only serves what nothing else does.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import field
from typing import NamedTuple

from coalint.core.records import record
from coalint.core.source.boundary import Boundary
from coalint.core.source.reading import FileKind, is_fit
from coalint.frontend.cuda.build.bundled_headers import brought
from coalint.frontend.cuda.build.header_names import may_read
from coalint.frontend.cuda.build.include_directives import Include, IncludeText, read
from coalint.frontend.cuda.build.include_folders import FIRST, absolute, bundled, in_bundled_library, shadowed
from coalint.frontend.cuda.build.repository import Repository

MOST = 4000
"""Files of one translation unit that are read for their includes."""


class SearchPath(NamedTuple):
    """Where includes are looked for: folders for quoted ones only, then those for all, after the bundled headers.

    `first` are folders before the bundled headers.
    """

    quoted: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    forced: tuple[str, ...] = ()
    first: tuple[str, ...] = ()


@record(frozen=True, slots=True)
class Located:
    """An include that the flags do not find.

    `folder` is the include folder that serves it, found by name in the repository, or None; `files` are what matched.
    """

    includer: str
    include: Include
    folder: str | None
    files: tuple[str, ...] = ()


@record(frozen=True, slots=True)
class Closure:
    """What a translation unit includes: the files that were read, and the includes that its flags do not find.

    `unfit` are names that includes mean and that are not read: of pipes and devices, and of what is too large.
    `ahead` are coalint's own headers that may come before its first line, named as `coalint/thrust.h`.
    """

    files: frozenset[str]
    located: tuple[Located, ...]
    unfit: tuple[str, ...] = ()
    ahead: frozenset[str] = frozenset()

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders to add to the flags, in order."""
        return tuple(dict.fromkeys(item.folder for item in self.located if item.folder is not None))

    @property
    def libraries(self) -> tuple[str, ...]:
        """Those of the folders that hold the repository's own copy of a library of which coalint brings a part.

        The copy then serves what coalint brings too: headers of two versions of a library do not go together.
        """
        own = (item.folder for item in self.located if in_bundled_library(item.include.name))
        return tuple(dict.fromkeys(folder for folder in own if folder is not None and not shadowed(folder)))


def search_path(flags: Sequence[str]) -> SearchPath:
    """Return the search path in flags as `translate` writes them."""
    quoted: list[str] = []
    folders: dict[str, list[str]] = {"-I": [], "-isystem": [], "-idirafter": []}
    forced: list[str] = []
    first = tuple(word.removeprefix(FIRST) for word in flags if word.startswith(FIRST))
    words = iter(flags)
    for word in words:
        if word.startswith("-I"):
            folders["-I"].append(word[2:])
        elif word == "-iquote":
            quoted.append(next(words, ""))
        elif word in folders:
            folders[word].append(next(words, ""))
        elif word in ("-include", "-imacros"):
            forced.append(next(words, ""))
    return SearchPath(tuple(quoted), tuple(f for kind in folders.values() for f in kind), tuple(forced), first)


@record(frozen=True, slots=True)
class _Direct:
    """What one file includes itself: files, of coalint's own by their names, what is not found, what is unfit.

    `always` are those of the files that it includes in any case; so are the ones that are `bundled`.
    """

    files: tuple[str, ...]
    always: frozenset[str]
    bundled: frozenset[str]
    missing: tuple[Include, ...]
    unfit: frozenset[str]


@record
class IncludeGraph:
    """Reads files for their includes, each once. Not for several threads."""

    _texts: dict[str, IncludeText] = field(default_factory=dict)
    _states: dict[str, bool | None] = field(default_factory=dict)
    _resolved: dict[tuple[str, SearchPath], _Direct] = field(default_factory=dict)
    _real: dict[str, str] = field(default_factory=dict)

    def closure(
        self, file: str, path: SearchPath, repository: Repository | None, boundary: Boundary | None = None
    ) -> Closure:
        """Return all that `file` (absolute) includes within the boundary, if there is one.

        What `path` does not find is searched in the repository, if given.
        """
        located: dict[tuple[str, Include], Located] = {}
        folders: list[str] = []
        unfit: set[str] = set()
        seen = {file}
        always = {file}
        bundled: set[str] = set()
        queue = [file]
        for name in path.forced:
            queue += [name] if self._is_file(name) and self._may_read(name, boundary) else []
        for current in queue:
            if len(seen) > MOST:
                break
            direct = self._direct(current, path)
            unfit |= direct.unfit
            more = list(direct.files)
            if current in always:
                always |= direct.always
                bundled |= direct.bundled
            for include in direct.missing:
                found = self._search(current, include, file, repository, folders, located)
                always |= set() if include.conditional or current not in always else {*found}
                more += found
            fresh = [name for name in dict.fromkeys(more) if name not in seen and self._may_read(name, boundary)]
            seen.update(fresh)
            queue += fresh
        kept = frozenset().union(*(self._text(name).bound for name in seen)) if bundled else frozenset()
        ahead = brought(bundled, kept)
        return Closure(frozenset(seen), tuple(located.values()), tuple(sorted(unfit)), ahead)

    def _search(
        self,
        includer: str,
        include: Include,
        source: str,
        repository: Repository | None,
        folders: list[str],
        located: dict[tuple[str, Include], Located],
    ) -> list[str]:
        """Return the file for an include that the flags do not find; its folder joins `folders`."""
        for folder in folders:
            name = absolute(folder, include.name)
            if self._is_file(name):
                return [name]
        if repository is None or not repository.holds(includer):
            return []
        candidate = repository.find(include.name, includer, source)
        located.setdefault((includer, include), Located(includer, include, candidate.folder, candidate.files))
        if candidate.folder is None:
            return []
        folders.append(candidate.folder)
        return [absolute(candidate.folder, include.name)]

    def _direct(self, file: str, path: SearchPath) -> _Direct:
        key = (file, path)
        if key not in self._resolved:
            files: list[str] = []
            always: set[str] = set()
            bundled: set[str] = set()
            missing: list[Include] = []
            unfit: set[str] = set()
            home = os.path.dirname(file)
            for include in self.includes(file):
                name = self._resolve(include, home, path, unfit)
                if name is None:
                    missing.append(include)
                elif name:
                    files.append(name)
                    always |= set() if include.conditional else {name}
                elif not include.conditional:
                    bundled.add(include.name)
            self._resolved[key] = _Direct(
                tuple(files), frozenset(always), frozenset(bundled), tuple(missing), frozenset(unfit)
            )
        return self._resolved[key]

    def _resolve(self, include: Include, home: str, path: SearchPath, unfit: set[str]) -> str | None:
        """Return the file's name, empty for a header of coalint's own; None where there is none."""
        for folder in path.first if include.angled else (home, *path.quoted, *path.first):
            name = absolute(folder, include.name)
            if self._is_file(name):
                return name
            unfit |= {name} if self._is_unfit(name) else set()
        if bundled(include.name):
            return ""
        for folder in path.folders:
            name = absolute(folder, include.name)
            if self._is_file(name):
                return name
            unfit |= {name} if self._is_unfit(name) else set()
        return None

    def includes(self, file: str) -> tuple[Include, ...]:
        """Return the includes in a file's text, none for what cannot be read."""
        return self._text(file).includes

    def _text(self, file: str) -> IncludeText:
        if file not in self._texts:
            self._texts[file] = read(file)
        return self._texts[file]

    def _may_read(self, name: str, boundary: Boundary | None) -> bool:
        if boundary is None:
            return True
        if name not in self._real:
            self._real[name] = os.path.realpath(name)
        return may_read(self._real[name], boundary)

    def _is_file(self, name: str) -> bool:
        return self._state(name) is True

    def _is_unfit(self, name: str) -> bool:
        return self._state(name) is False

    def _state(self, name: str) -> bool | None:
        """Whether a name is that of a header that can be read; None where there is none."""
        if name not in self._states:
            self._states[name] = is_fit(name, FileKind.HEADER)
        return self._states[name]
