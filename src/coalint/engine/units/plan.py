"""How each file is compiled: its command, the user's flags and the repository's own headers, planned before the run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial

from coalint.core.source.boundary import Boundary
from coalint.core.source.reading import lies_in
from coalint.core.source.repositories import repository_of
from coalint.engine.check.records import Source
from coalint.engine.config.settings import DEFAULT_ARCH, Settings, SettingsOf
from coalint.engine.units.boundaries import kept_within, named_in, outermost, widened
from coalint.engine.units.discovery import every_name, repository_root
from coalint.frontend.cuda.build.compile_commands import Database, DatabaseError, Entry, databases_in, read_database
from coalint.frontend.cuda.build.compiler_options import Drop
from coalint.frontend.cuda.build.include_folders import INCLUDE, shadowed
from coalint.frontend.cuda.build.includes import Closure, IncludeGraph, search_path
from coalint.frontend.cuda.build.repository import Repository
from coalint.frontend.cuda.build.translation import Dropped, Translation, translate_flags
from coalint.frontend.registry import front_end_of
from coalint.machine.architecture import UnknownArchitectureError, architecture

MOST_INCLUDERS = 3000
"""Commands whose files are read to learn which of them include a header."""

_REFUSED = {Drop.CODE, Drop.OUTPUT, Drop.INPUT, Drop.UNKNOWN, Drop.NO_FILE, Drop.OTHER_STANDARD, Drop.DRIVER}
_FOLDERS = {"-isystem", "-iquote", "-idirafter"}
_VALUED = {*_FOLDERS, "-include", "-imacros"}
_FLAGS_KEYS = ("include-dirs", "extra-args")
_BASE_ARCHITECTURE, _BASE_STANDARD = "800", "-std=c++17"  # what the front end's own arguments say


class PlanError(Exception):
    """The run cannot be planned as it was asked for; the text says what and what to do."""


class Why(Enum):
    """How the command was found that a file is parsed with."""

    EXACT = "the command that compiles this file"
    INCLUDER = "the command of a file that includes this one"
    SIBLING = "the command of the nearest file that has one"
    NONE = "no command"


@dataclass(frozen=True, slots=True)
class Compilation:
    """One file with the arguments that it is parsed with, and where each of them comes from.

    `entry` is the command taken, one of `entries` for its file; `given` what the user's own flags became. `flags` also
    hold the folders of `includes.located`, and what `architecture` makes of `__CUDA_ARCH__`. `boundary` is what reading
    the file may not leave.
    """

    path: str
    flags: tuple[str, ...]
    architecture: str | None
    why: Why
    entry: Entry | None
    entries: int
    translation: Translation | None
    given: Translation
    includes: Closure
    root: str
    boundary: Boundary
    assume: tuple[str, ...] = ()

    @property
    def source(self) -> Source:
        """What the run needs of it."""
        supposing = self.why is Why.NONE
        return Source(
            self.path,
            self.flags,
            self.architecture,
            supposing=supposing,
            assume=self.assume,
            boundary=self.boundary,
            hidden=self.includes.unfit,
        )

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """What is not handed on of the command, then of the user's flags."""
        return (*(self.translation.dropped if self.translation else ()), *self.given.dropped)


@dataclass(frozen=True, slots=True)
class Plan:
    """The files of a run, each with its arguments, and what the user should hear about them."""

    compilations: tuple[Compilation, ...]
    remarks: tuple[str, ...] = ()

    @property
    def sources(self) -> tuple[Source, ...]:
        """What the run needs of each."""
        return tuple(compilation.source for compilation in self.compilations)


def plan(
    files: Sequence[str], settings: Settings, settings_of: SettingsOf | None = None, named: Sequence[str] = ()
) -> Plan:
    """Plan the parsing of the files, each under its own settings where `settings_of` gives them.

    Outside of a git repository, a folder that is `named` is the root of the files below it. Raises PlanError for a
    database or flags of the user's that cannot be used.
    """
    named = tuple(named or files)
    graph = IncludeGraph()
    planners: dict[Settings, _Planner] = {}
    compilations: list[Compilation] = []
    for file in files:
        own = settings_of(file) if settings_of is not None else settings
        if own not in planners:
            planners[own] = _Planner(own, settings.arch or DEFAULT_ARCH, named, graph)
        compilations.append(planners[own].compilation(file))
    if not planners:
        planners[settings] = _Planner(settings, settings.arch or DEFAULT_ARCH, named, graph)
    remarks = (remark for planner in planners.values() for remark in planner.remarks)
    return Plan(tuple(compilations), tuple(dict.fromkeys(remarks)))


@dataclass(frozen=True, slots=True)
class _Build:
    """How one file is compiled: its flags, what they are from, and what reading it may not leave."""

    flags: tuple[str, ...]
    translation: Translation | None
    given: Translation
    boundary: Boundary


@dataclass
class _Planner:
    settings: Settings
    run_architecture: str
    named_paths: tuple[str, ...]
    graph: IncludeGraph
    remarks: list[str] = field(default_factory=list)
    repositories: dict[str, Repository] = field(default_factory=dict)
    databases: dict[str, Database | None] = field(default_factory=dict)
    above: dict[tuple[str, str], tuple[Database, ...]] = field(default_factory=dict)
    includers: dict[tuple[str, Boundary], dict[str, Entry]] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)
    boundaries: dict[str, Boundary] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.named_files = frozenset(map(os.path.abspath, self.named_paths))
        configured = self.settings.configured_flags
        self.own = _given(configured, self.settings.extra_args_folder, "of the configuration (extra-args) ")
        self.command_line = _given(self.settings.flags, "", "")
        missing = (d for d in (*self.own.dropped, *self.command_line.dropped) if d.drop is Drop.NO_FOLDER)
        self.remarks += [f"{dropped.argument}: {dropped.reason}" for dropped in missing]
        self.is_named_by_user = self.settings.compile_commands is not None and "compile-commands" not in dict(
            self.settings.set_in
        )
        self.named: Database | None = None
        if self.settings.compile_commands is not None:
            try:
                self.named = read_database(self.settings.compile_commands)
            except DatabaseError as error:
                raise PlanError(f"{self.settings.compile_commands_place} {error.message}\n  {error.remedy}") from None

    def compilation(self, file: str) -> Compilation:
        path = os.path.realpath(file)
        root = self._root(file)
        bounds = self._boundary(file, root)
        if not front_end_of(file).takes_flags:
            return Compilation(
                path=file,
                flags=(),
                architecture=self._architecture(None),
                why=Why.NONE,
                entry=None,
                entries=0,
                translation=None,
                given=self.command_line,
                includes=Closure(frozenset(), ()),
                root=root,
                boundary=bounds,
                assume=self.settings.assume,
            )
        why, entry, entries = self._command(path, root, bounds)
        build = self._build(entry, bounds)
        includes = self.graph.closure(
            os.path.abspath(file), search_path(build.flags), self._repository(root), build.boundary
        )
        return Compilation(
            path=file,
            flags=(*build.flags, *(f"-I{folder}" for folder in includes.folders)),
            architecture=self._architecture(build.translation),
            why=why,
            entry=entry,
            entries=entries,
            translation=build.translation,
            given=build.given,
            includes=includes,
            root=root,
            boundary=build.boundary,
            assume=self.settings.assume,
        )

    def _boundary(self, file: str, root: str) -> Boundary:
        """What the file may read, whatever its command names.

        That is its repository, and what the user named. The folder of a file is theirs too, though the file is a link.
        """
        if root not in self.boundaries:
            self.boundaries[root] = widened(Boundary((root,)), (str(INCLUDE), *self.named_paths, *self._own_paths()))
        folder = os.path.dirname(os.path.abspath(file))
        bounds = self.boundaries[root]
        if os.path.abspath(file) in self.named_files and not bounds.shows(os.path.realpath(folder)):
            return widened(bounds, (repository_of(folder),))
        return bounds

    def _own_paths(self) -> Iterator[str]:
        """What flags of the user's name, and of a configuration in its own repository."""
        yield from named_in(self.command_line.flags)
        homes = tuple({repository_of(folder) for key, folder in self.settings.set_in if key in _FLAGS_KEYS})
        for path in named_in(self.own.flags):
            if not homes or lies_in(os.path.realpath(path), homes):
                yield path

    def _build(self, entry: Entry | None, bounds: Boundary) -> _Build:
        """The flags of a command and those of the user, kept within the boundary as far as a repository brings them."""
        own, headers = kept_within(self.own, bounds)
        given = _joined(own, self.command_line)
        translation = entry.translation if entry is not None else None
        if translation is not None and self.is_named_by_user:
            bounds = widened(bounds, named_in(translation.flags))
        elif translation is not None:
            translation, more = kept_within(translation, bounds)
            headers = outermost((*headers, *more))
        return _Build(self._flags(translation, given), translation, given, replace(bounds, headers=headers))

    def _flags(self, translation: Translation | None, given: Translation) -> tuple[str, ...]:
        """The command's flags and the user's, whose folders come first and whose other flags come last, and so win."""
        folders, others = _divided(given.flags)
        devices = translation.architectures if translation is not None else ()
        flags = _one_standard(
            (*_macros(devices, self.settings.arch), *folders, *(translation.flags if translation else ()), *others)
        )
        # A quoted include means the project's own file, though it is called as a header of the C library is.
        own = (folder for folder in search_path(flags).folders if shadowed(folder))
        return (*(word for folder in dict.fromkeys(own) for word in ("-iquote", folder)), *flags)

    def _architecture(self, translation: Translation | None) -> str | None:
        """The GPU to count for where it is not the run's: what the user names, else the command: see `_code`."""
        known = tuple(filter(_known, translation.architectures)) if translation is not None else ()
        if self.settings.arch is None and known:
            return _code(known, None)
        named = self.settings.arch or DEFAULT_ARCH
        return named if named != self.run_architecture else None

    def _root(self, file: str) -> str:
        folder = os.path.dirname(os.path.abspath(file))
        if folder not in self.roots:
            self.roots[folder] = repository_root(file, self.named_paths)
        return self.roots[folder]

    def _repository(self, root: str) -> Repository:
        if root not in self.repositories:
            self.repositories[root] = Repository(root, partial(every_name, root, self.settings.excludes))
        return self.repositories[root]

    # --- the command

    def _command(self, path: str, root: str, bounds: Boundary) -> tuple[Why, Entry | None, int]:
        databases = [self.named] if self.named is not None else self._databases(os.path.dirname(path), root)
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
        """The databases in a folder and above it up to the root, nearest first."""
        key = (folder, root)
        if key not in self.above:
            found = (self._database(path, root) for path in databases_in(folder))
            outer = self._databases(os.path.dirname(folder), root) if len(folder) > len(root) else ()
            self.above[key] = (*(database for database in found if database is not None), *outer)
        return self.above[key]

    def _database(self, path: str, root: str) -> Database | None:
        real = os.path.realpath(path)
        if real not in self.databases:
            try:
                self.databases[real] = read_database(path, (root,))
            except DatabaseError as error:
                self.databases[real] = None
                self._broken(error)
        return self.databases[real]

    def _including(self, database: Database, bounds: Boundary) -> dict[str, Entry]:
        """The first command for a GPU whose file includes a file, by the real path of the latter."""
        key = (database.path, bounds)
        if key not in self.includers:
            found = self.includers[key] = {}
            for entry in database.device_entries[:MOST_INCLUDERS]:
                if not (bounds.shows(os.path.realpath(entry.file)) or self.is_named_by_user):
                    continue
                build = self._build(entry, bounds)
                repository = self._repository(self._root(entry.file))
                closure = self.graph.closure(entry.file, search_path(build.flags), repository, build.boundary)
                for name in sorted(closure.files):
                    found.setdefault(os.path.realpath(name), entry)
        return self.includers[key]

    def _broken(self, error: DatabaseError) -> None:
        if self.named is not None:
            raise PlanError(f"{self.settings.compile_commands_place} {error.message}\n  {error.remedy}") from None
        self.remarks.append(f"{error.message}; going on without it\n  {error.remedy}")


# --- flags


def _given(flags: Sequence[str], folder: str, whose: str) -> Translation:
    """What flags of the user's become, which are relative to a folder (empty: the working directory)."""
    found = translate_flags(flags, folder or os.getcwd())
    refused = next((d for d in found.dropped if d.drop in _REFUSED), None)
    if refused is not None:
        raise PlanError(
            f"the flag `{refused.argument}` {whose}is not handed to libclang: it {refused.reason}\n"
            "  leave it out; -I, -isystem, -include, -D, -U and -std say how the source is read"
        )
    return found


def _joined(weak: Translation, strong: Translation) -> Translation:
    """Both together: the folders of the strong one first, its other flags last."""
    weak_folders, weak_others = _divided(weak.flags)
    folders, others = _divided(strong.flags)
    return replace(
        strong,
        flags=(*folders, *weak_folders, *weak_others, *others),
        dropped=(*weak.dropped, *strong.dropped),
        architectures=(*weak.architectures, *strong.architectures),
    )


def _divided(flags: Sequence[str]) -> tuple[list[str], list[str]]:
    """The include folders among flags, and the rest."""
    folders: list[str] = []
    others: list[str] = []
    words = iter(flags)
    for word in words:
        if word in _VALUED:
            (folders if word in _FOLDERS else others).extend((word, next(words, "")))
        else:
            (folders if word.startswith("-I") else others).append(word)
    return folders, others


def _one_standard(flags: Sequence[str]) -> tuple[str, ...]:
    """Only the last `-std`, and none that is the default: the fewer kinds, the fewer precompiled headers."""
    standards = [flag for flag in flags if flag.startswith("-std=")]
    kept = [flag for flag in standards[-1:] if flag != _BASE_STANDARD]
    return (*(flag for flag in flags if not flag.startswith("-std=")), *kept)


def _macros(devices: Sequence[str], arch: str | None) -> Iterator[str]:
    """What nvcc defines of the GPU."""
    if arch is None and not devices:
        return
    code = _code(devices, arch)
    number = f"{_number(code)[0]}0"
    if number != _BASE_ARCHITECTURE:
        yield from ("-U__CUDA_ARCH__", f"-D__CUDA_ARCH__={number}")
    if code.endswith("a"):
        yield f"-D__CUDA_ARCH_FEAT_SM{number[:-1]}_ALL"
        yield f"-D__CUDA_ARCH_SPECIFIC__={number}"
    if code.endswith(("a", "f")):
        yield f"-D__CUDA_ARCH_FAMILY_SPECIFIC__={number}"
    if devices:
        yield f"-D__CUDA_ARCH_LIST__={','.join(sorted({f'{_number(d)[0]}0' for d in devices}, key=int))}"


def _code(devices: Sequence[str], arch: str | None) -> str:
    """Which of the GPUs that a command names is meant.

    For `arch` the newest whose code runs there, else `arch` itself; without it the default if it is named, so that
    results do not change with a list that only grows, else the newest.
    """
    if arch is not None:
        return max((d for d in devices if _number(d) <= _number(arch)), key=_number, default=arch)
    return DEFAULT_ARCH if DEFAULT_ARCH in devices else max(devices, key=_number)


def _number(device: str) -> tuple[int, bool]:
    """`sm_90a` as (90, True)."""
    return int("".join(filter(str.isdigit, device)) or 0), device[-1:] in "af"


def _known(device: str) -> bool:
    try:
        architecture(device)
    except UnknownArchitectureError:
        return False
    return True
