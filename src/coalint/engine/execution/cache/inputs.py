"""What a check read: which files with what contents, and where an include was looked for in vain."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

from coalint.core.source.overlay import contents_of

MARGIN = 20_000_000
"""Nanoseconds by which a file system's clock may lag."""
_NAME = re.compile(
    rb"""^[ \t]*\#[ \t]*(?:include|include_next|import)\b[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|([A-Za-z_]))"""
    rb"""|\b__has_include(?:_next)?[ \t]*\([ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|([A-Za-z_]))""",
    re.MULTILINE,
)
_CONTINUED = re.compile(rb"\\\r?\n")
_SEARCHED = ("-I", "-isystem", "-iquote", "-idirafter", "-cxx-isystem", "-F")
_FORCED = ("-include", "-imacros")
_READS = ("-ivfsoverlay", "-fmodule", "-include-pch", "@", "--config", "-Xclang", "-isysroot", "--sysroot", "-iprefix")
VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH")
"""The environment's folders of headers, which clang searches too."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files that a parse opened, as (name, digest), and the files that it would have opened had they been there.

    Those are every one of `names` in every one of `folders`, and `beside`, apart from `present`.
    """

    opened: tuple[tuple[str, str], ...]
    folders: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    present: tuple[str, ...] = ()


class _Content(NamedTuple):
    digest: str
    quoted: tuple[str, ...]
    named: tuple[str, ...]
    computed: bool  # an include is named by a macro
    asked: bool  # __has_include is given a macro
    changed: int  # nanoseconds


@dataclass
class Files:
    """The contents and the presence of files, each looked at once."""

    _contents: dict[str, tuple[tuple[int, int, int], _Content]] = field(default_factory=dict)
    _digests: dict[str, str | None] = field(default_factory=dict)
    _present: dict[str, bool] = field(default_factory=dict)

    def inputs(
        self, path: str, opened: Iterable[str], missing: Iterable[str], flags: Sequence[str], began: int
    ) -> Inputs | None:
        """The inputs of a parse of `path` that began at `began` (nanoseconds) and opened these files besides.

        `missing` are the names that it looked for in vain. None where the inputs are not all known: `__has_include`
        is given a macro, a flag reads files of its own, or a file changed meanwhile.
        """
        searched = _searched(flags)
        if searched is None:
            return None
        folders, names = searched
        beside: set[str] = set()
        computing: list[str] = []  # the folders of files that include what a macro names
        found: list[tuple[str, str]] = []
        for name in dict.fromkeys((path, *opened)):
            content = self._content(name)
            if content is None or content.asked or content.changed >= began - MARGIN:
                return None
            found.append((name, content.digest))
            names.update(content.named)
            names.update(content.quoted)
            beside.update(os.path.join(os.path.dirname(name), quoted) for quoted in content.quoted)
            if content.computed:
                computing.append(os.path.dirname(name))
        if computing:
            spelled = {*missing, *_spelled([name for name, _ in found], [*folders, *computing])}
            names.update(spelled)
            beside.update(os.path.join(folder, name) for folder in set(computing) for name in spelled)
        present = [candidate for candidate in _candidates(folders, names, beside) if os.path.exists(candidate)]
        return Inputs(tuple(found), tuple(folders), tuple(sorted(names)), tuple(sorted(beside)), tuple(sorted(present)))

    def unchanged(self, inputs: Inputs) -> bool:
        """Whether a parse would read the same again."""
        if any(self.digest(name) != digest for name, digest in inputs.opened):
            return False
        present = set(inputs.present)
        candidates = _candidates(inputs.folders, inputs.names, inputs.beside)
        return all(self.exists(candidate) == (candidate in present) for candidate in candidates)

    def digest(self, path: str) -> str | None:
        """The digest of a file's contents; None where it cannot be read."""
        changed = contents_of(path)
        if changed is not None:
            return digest_of(changed)
        if path not in self._digests:
            data = self.read(path)
            self._digests[path] = None if data is None else digest_of(data)
        return self._digests[path]

    def read(self, path: str) -> bytes | None:
        """A regular file's contents, or the text that stands in for it."""
        changed = contents_of(path)
        if changed is not None:
            return changed
        try:
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    return file.read()
        except OSError:
            pass
        return None

    def exists(self, path: str) -> bool:
        """Whether there is such a file or folder."""
        if path not in self._present:
            self._present[path] = os.path.exists(path)
        return self._present[path]

    def _content(self, path: str) -> _Content | None:
        changed = contents_of(path)
        if changed is not None:
            return _read(changed, 0)
        try:
            if not os.path.isfile(path):
                return None
            state = os.stat(path)
            key = (state.st_mtime_ns, state.st_ctime_ns, state.st_size)
            known = self._contents.get(path)
            if known is not None and known[0] == key:
                return known[1]
            with open(path, "rb") as file:
                data = file.read()
        except OSError:
            return None
        content = _read(data, max(key[:2]))
        self._contents[path] = (key, content)
        return content


def digest_of(data: bytes) -> str:
    """The digest by which contents are compared."""
    return blake2b(data, digest_size=20).hexdigest()


def _read(data: bytes, changed: int) -> _Content:
    quoted: set[str] = set()
    named: set[str] = set()
    computed = has_asked = False
    code = _CONTINUED.sub(b"", data) if b"\\" in data else data
    for match in _NAME.finditer(code):
        in_quotes, in_angles, macro, asked, asked_in_angles, asked_macro = match.groups()
        quoted.update(os.fsdecode(name) for name in (in_quotes, asked) if name)
        named.update(os.fsdecode(name) for name in (in_angles, asked_in_angles) if name)
        computed = computed or bool(macro)
        has_asked = has_asked or bool(asked_macro)
    return _Content(digest_of(data), tuple(quoted), tuple(named), computed, has_asked, changed)


def _spelled(names: Iterable[str], folders: Iterable[str]) -> Iterable[str]:
    """How an include may have named the files that it found in these folders: libclang joins folder and name."""
    ends = {os.path.join(folder, "") if folder else "" for folder in folders}
    for name in names:
        yield from (name[len(end) :] for end in ends if name.startswith(end))


def _searched(flags: Sequence[str]) -> tuple[list[str], set[str]] | None:
    """The folders that the flags and the environment have searched, and the files that the flags include."""
    folders = [""]
    names: set[str] = set()
    rest = iter(flags)
    for flag in rest:
        if flag.startswith(_READS):
            return None
        if flag == "-working-directory" or flag.startswith("-working-directory="):
            return None
        option = next((option for option in (*_SEARCHED, *_FORCED) if flag.startswith(option)), None)
        if option is not None:
            value = flag[len(option) :] or next(rest, "")
            if option in _FORCED:
                names.add(value)
            else:
                folders.append(value)
    for variable in VARIABLES:
        folders.extend(os.environ.get(variable, "").split(os.pathsep))
    return list(dict.fromkeys(folders)), names


def _candidates(folders: Iterable[str], names: Iterable[str], beside: Iterable[str]) -> Iterable[str]:
    yield from beside
    names = tuple(names)
    for folder in folders:
        for name in names:
            yield os.path.join(folder, name)
