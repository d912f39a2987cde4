"""The compile command that a file is parsed with: its own, an includer's, or its nearest neighbour's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import field

from coalint.core.records import record
from coalint.core.source.boundary import Boundary
from coalint.engine.config.settings import Settings
from coalint.engine.units.compilation import Why
from coalint.engine.units.user_flags import PlanError
from coalint.frontend.cuda.build.compile_commands import Database, DatabaseError, Entry, databases_in, read_database

MOST_INCLUDERS = 3000
"""Commands whose files are read to learn which of them include a header."""


@record
class Commands:
    """Finds commands in the databases that the settings name, or else in those around each file.

    Raises PlanError, when it is made and later, for a database that the settings name and that cannot be used.

    Attributes:
        settings: The settings of the files.
        included: The files that the file of a command includes, where reading it may not leave a boundary; none for a
            file outside of it.
        remarks: What the user should hear about databases that cannot be used.
        searched: Whether there are databases at all; none are read where this takes too long.
    """

    settings: Settings
    included: Callable[[Entry, Boundary], Iterable[str]]
    remarks: list[str] = field(default_factory=list)
    searched: bool = True
    _known: dict[str, Database | None] = field(default_factory=dict, init=False)
    _above: dict[tuple[str, str], tuple[Database, ...]] = field(default_factory=dict, init=False)
    _includers: dict[tuple[str, Boundary], dict[str, Entry]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.named: Database | None = None
        if self.settings.compile_commands is not None:
            try:
                self.named = read_database(self.settings.compile_commands)
            except DatabaseError as error:
                raise self._refusal(error) from None

    def command(self, path: str, root: str, bounds: Boundary) -> tuple[Why, Entry | None, int]:
        """Return how the command of a file (real path) below `root` was found, the command, and how many it has.

        `bounds` are what reading the file may not leave, whatever its command names.
        """
        if not self.searched:
            return Why.NONE, None, 0
        databases = self._databases(os.path.dirname(path), root) if self.named is None else (self.named,)
        return self._find(path, databases, bounds)

    def _find(self, path: str, databases: Iterable[Database], bounds: Boundary) -> tuple[Why, Entry | None, int]:
        for database in databases:
            try:
                entries = database.of_file(path)
                if entries:
                    _ = entries[0].translation
                    return Why.EXACT, entries[0], len(entries)
            except DatabaseError as error:
                self._broken(error)
        for database in databases:
            try:
                entry = self._including(database, bounds).get(path)
                if entry is not None:
                    return Why.INCLUDER, entry, 1
                entry = database.nearest(path)
                if entry is not None:
                    _ = entry.translation
                    return Why.SIBLING, entry, 1
            except DatabaseError as error:
                self._broken(error)
        return Why.NONE, None, 0

    def _databases(self, folder: str, root: str) -> tuple[Database, ...]:
        """Return the databases in a folder and above it up to the root, nearest first."""
        key = (folder, root)
        if key not in self._above:
            databases = (self._database(path, root) for path in databases_in(folder))
            outer = self._databases(os.path.dirname(folder), root) if len(folder) > len(root) else ()
            self._above[key] = (*(database for database in databases if database is not None), *outer)
        return self._above[key]

    def _database(self, path: str, root: str) -> Database | None:
        real = os.path.realpath(path)
        if real not in self._known:
            try:
                self._known[real] = read_database(path, (root,))
            except DatabaseError as error:
                self._known[real] = None
                self._broken(error)
        return self._known[real]

    def _including(self, database: Database, bounds: Boundary) -> dict[str, Entry]:
        """Return the first command for a GPU whose file includes a file, by the real path of the latter."""
        key = (database.path, bounds)
        if key not in self._includers:
            entries = self._includers[key] = {}
            for entry in database.device_entries[:MOST_INCLUDERS]:
                for name in sorted(self.included(entry, bounds)):
                    entries.setdefault(os.path.realpath(name), entry)
        return self._includers[key]

    def _broken(self, error: DatabaseError) -> None:
        if self.named is not None:
            raise self._refusal(error) from None
        self.remarks.append(f"{error.message}; continuing without it\n  {error.remedy}")

    def _refusal(self, error: DatabaseError) -> PlanError:
        return PlanError(f"{self.settings.compile_commands_place} {error.message}\n  {error.remedy}")
