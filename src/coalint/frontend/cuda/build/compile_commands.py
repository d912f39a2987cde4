"""Compilation databases: `compile_commands.json` read, found, and asked for the command that compiles a file."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from coalint.core.records import record
from coalint.core.source.json_text import parse_json
from coalint.core.source.reading import FileKind, RefusedError, read_bytes
from coalint.frontend.cuda.build.include_folders import absolute
from coalint.frontend.cuda.build.translation import MOST_WORDS, TooLongError, Translation, translate

NAME = "compile_commands.json"
_BUILD_FOLDER = re.compile(r"_?build.*|.*[-_.]build|out|cmake-build-.*|bazel-bin", re.IGNORECASE)
_LANGUAGE = re.compile(r"\s--?x|--language|@|--options-file|-optf")
_GPU_LANGUAGE = re.compile(r"(?:\s--?x|--language)[= ]?(?:cu|hip)|@|--options-file|-optf|\bhipcc\b")
_COMPARED = 100
"""Entries of one file of which it is asked whether they compile for a GPU."""
_REMEDY = "generate it again (`cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, bear for make)"


class DatabaseError(Exception):
    """A compilation database that cannot be used: what is wrong with it, where, and what to do."""

    def __init__(self, message: str, remedy: str = _REMEDY) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


@record(frozen=True)
class Entry:
    """One command of a database; `index` counts from 0, `file` and `directory` are absolute."""

    database: str
    index: int
    directory: str
    file: str
    command: str | tuple[str, ...]

    @property
    def arguments(self) -> tuple[str, ...]:
        """The command's words, compiler first. Raises DatabaseError where its quotes do not match."""
        if isinstance(self.command, tuple):
            return self.command
        try:
            return tuple(shlex.split(self.command))
        except ValueError as error:
            raise DatabaseError(f"{self.database}: entry {self.index}: its command cannot be split: {error}") from None

    @cached_property
    def translation(self) -> Translation:
        """What the command means to libclang. Raises DatabaseError, as `arguments` does."""
        return self._translated()

    def _translated(self) -> Translation:
        """Translate the command. Response files are read only where the database or the build lies."""
        homes = {os.path.dirname(os.path.realpath(self.database)), os.path.dirname(os.path.abspath(self.database))}
        roots = tuple(home.rstrip(os.sep) + os.sep for home in homes)

        def may_read(path: str) -> bool:
            return os.path.realpath(path).startswith(roots) and os.path.isfile(path)

        try:
            return translate(self.arguments, self.directory, self.file, may_read)
        except TooLongError:
            where = f"{self.database}: entry {self.index}"
            raise DatabaseError(f"{where}: its command has more than {MOST_WORDS:,} words") from None

    @cached_property
    def device(self) -> bool:
        """Whether it compiles for a GPU, as far as this shows without taking the command apart."""
        text = self.command if isinstance(self.command, str) else " ".join(self.command)
        if self.file.endswith((".cu", ".hip")):
            return _LANGUAGE.search(text) is None or self._translated().device
        return _GPU_LANGUAGE.search(text) is not None and self._translated().device


@record(frozen=True)
class Database:
    """A compilation database. Entries keep their order."""

    path: str
    entries: tuple[Entry, ...]

    def of_file(self, path: str) -> tuple[Entry, ...]:
        """Return the entries for a file (a real path), those that compile it for a GPU first."""
        named = self._by_name.get(os.path.basename(path), {})
        matching = [entry for file, entries in named.items() if os.path.realpath(file) == path for entry in entries]
        return (*sorted(matching[:_COMPARED], key=lambda e: not e.device), *matching[_COMPARED:])

    def nearest(self, path: str) -> Entry | None:
        """Return the entry of the file nearest in the tree to a real path; of a file for the GPU where there is one."""
        folder = os.path.dirname(path)
        if folder not in self._nearest:
            entries = self.device_entries or self.entries
            near = max(entries, key=lambda e: len(os.path.commonpath([folder, e.file])), default=None)
            self._nearest[folder] = near
        return self._nearest[folder]

    @cached_property
    def device_entries(self) -> tuple[Entry, ...]:
        """The entries that compile for a GPU."""
        return tuple(entry for entry in self.entries if entry.device)

    @cached_property
    def _by_name(self) -> dict[str, dict[str, list[Entry]]]:
        """The entries by the base names of their files, then by these."""
        names: dict[str, dict[str, list[Entry]]] = {}
        for entry in self.entries:
            names.setdefault(os.path.basename(entry.file), {}).setdefault(entry.file, []).append(entry)
        return names

    @cached_property
    def _nearest(self) -> dict[str, Entry | None]:
        return {}


# --- reading

LONGEST = 256 << 10
"""Characters of one command."""
_TOO_LONG = "has more than 256 KB"


def read_database(path: str, within: Sequence[str] | None = None) -> Database:
    """Read a database from a file, or from a folder that holds one. Raises DatabaseError.

    `within` are the roots of one that the repository brings; None for one that the user names.
    """
    if os.path.isdir(path):
        inside = os.path.join(path, NAME)
        if not os.path.exists(inside):
            raise DatabaseError(f"{path}: there is no {NAME} in this folder", _REMEDY)
        path = inside
    return Database(path, tuple(_entries(path, _load(path, within))))


def _load(path: str, within: Sequence[str] | None) -> Any:
    try:
        return parse_json(read_bytes(path, FileKind.COMPILE_DATABASE, within).decode("utf-8-sig"))
    except FileNotFoundError:
        raise DatabaseError(f"{path}: no such file or folder") from None
    except RefusedError as error:
        remedies = {errno.EFBIG: "keep the entries of the CUDA files only", errno.EPERM: "name it with -p"}
        remedy = remedies.get(error.errno or 0, _REMEDY)
        raise DatabaseError(f"{path}: cannot be read: {error.strerror}", remedy) from None
    except OSError as error:
        raise DatabaseError(f"{path}: cannot be read: {error.strerror or error}", "check its permissions") from None
    except UnicodeDecodeError as error:
        raise DatabaseError(f"{path}: is not UTF-8 (byte {error.start})", "save it as UTF-8, or " + _REMEDY) from None
    except json.JSONDecodeError as error:
        raise DatabaseError(f"{path}:{error.lineno}:{error.colno}: is not valid JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise DatabaseError(f"{path}: is not readable JSON: {error}") from None


def _entries(path: str, value: Any) -> Iterator[Entry]:
    if not isinstance(value, list):
        raise DatabaseError(f"{path}: holds no list of entries but {_kind(value)}")
    for index, item in enumerate(value):
        where = f"{path}: entry {index}"
        if not isinstance(item, dict):
            raise DatabaseError(f"{where}: is {_kind(item)}, not an object with directory, file and command")
        for name in ("directory", "file"):
            if not isinstance(item.get(name), str) or not item[name] or "\0" in item[name]:
                raise DatabaseError(f"{where}: its `{name}` is {_missing(item, name)}")
        directory = absolute(os.path.dirname(os.path.abspath(path)), item["directory"])
        yield Entry(path, index, directory, absolute(directory, item["file"]), _command(item, where))


def _command(item: dict[str, Any], where: str) -> str | tuple[str, ...]:
    arguments, command = item.get("arguments"), item.get("command")
    if isinstance(arguments, list) and arguments and all(isinstance(word, str) for word in arguments):
        if sum(map(len, arguments)) + len(arguments) > LONGEST:
            raise DatabaseError(f"{where}: its `arguments` {_TOO_LONG}")
        return tuple(arguments)
    if isinstance(command, str) and command.strip():
        if len(command) > LONGEST:
            raise DatabaseError(f"{where}: its `command` {_TOO_LONG}")
        return command
    name = "arguments" if "arguments" in item else "command"
    raise DatabaseError(f"{where}: its `{name}` is {_missing(item, name)}")


def _missing(item: dict[str, Any], name: str) -> str:
    return f"{_kind(item[name])}, which makes no sense" if name in item else "missing"


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
    return kinds.get(type(value), "a number")


# --- finding


def databases_in(folder: str) -> Iterator[str]:
    """Yield the folder's own database, then those of its build folders (`build/debug`, `out/build/x64`), by name."""
    yield from _own(folder)
    for below in _folders(folder):
        if _BUILD_FOLDER.fullmatch(os.path.basename(below)):
            yield from _in_build(below, 2)


def _in_build(folder: str, depth: int) -> Iterator[str]:
    yield from _own(folder)
    for below in _folders(folder):
        nested = depth > 0 and _BUILD_FOLDER.fullmatch(os.path.basename(below))
        yield from _in_build(below, depth - 1) if nested else _own(below)


def _own(folder: str) -> Iterator[str]:
    path = os.path.join(folder, NAME)
    if os.path.isfile(path):
        yield path


def _folders(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.path for entry in entries if entry.is_dir() and len(entry.name.splitlines()) == 1)
    except OSError:
        return []
