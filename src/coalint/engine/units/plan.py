"""How each file is compiled: its command, the user's flags and the repository's own headers, planned before the run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial

from coalint.core.records import record
from coalint.core.source.boundary import Boundary
from coalint.core.source.reading import lies_in
from coalint.core.source.repositories import repository_of
from coalint.engine.check.limits import OvertimeError, deadline
from coalint.engine.check.records import Source
from coalint.engine.config.settings import DEFAULT_ARCH, Settings, SettingsOf
from coalint.engine.units.boundaries import kept_within, named_in, outermost, widened
from coalint.engine.units.build_flags import BuildFlags
from coalint.engine.units.build_macros import BuildMacros
from coalint.engine.units.commands import Commands
from coalint.engine.units.compilation import Compilation, Why
from coalint.engine.units.discovery import every_name, repository_root
from coalint.engine.units.user_flags import PlanError, divided, given, joined, one_standard
from coalint.frontend.cuda.build import targets
from coalint.frontend.cuda.build.compile_commands import Entry
from coalint.frontend.cuda.build.compiler_options import Drop
from coalint.frontend.cuda.build.include_folders import FIRST, INCLUDE, shadowed
from coalint.frontend.cuda.build.includes import Closure, IncludeGraph, search_path
from coalint.frontend.cuda.build.repository import Repository
from coalint.frontend.cuda.build.toolkits import header_folders
from coalint.frontend.cuda.build.translation import Translation
from coalint.frontend.interface import BuildMacro
from coalint.frontend.registry import front_end_of
from coalint.machine.architecture import UnknownArchitectureError, architecture

SECONDS = 60.0
"""Seconds of processor time that planning may take, whatever a repository brings."""
SECONDS_EACH = 0.25
"""Seconds more for each file."""
_FLAGS_KEYS = ("include-dirs", "extra-args")


@record(frozen=True, slots=True)
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
    seconds = SECONDS + SECONDS_EACH * len(files)
    try:
        with deadline(seconds):
            return _plan(files, settings, settings_of, named)
    except OvertimeError:
        pass
    try:
        with deadline(seconds):
            planned = _plan(files, settings, settings_of, named, databases=False)
    except OvertimeError:
        raise PlanError(
            f"it takes longer than {seconds:g} s to find out how the files are compiled\n"
            "  name fewer files, or give flags after --"
        ) from None
    remark = f"the compile commands are left out: it takes longer than {seconds:g} s to read them"
    return replace(planned, remarks=(*planned.remarks, remark))


def _plan(
    files: Sequence[str],
    settings: Settings,
    settings_of: SettingsOf | None,
    named: tuple[str, ...],
    databases: bool = True,
) -> Plan:
    graph = IncludeGraph()
    planners: dict[Settings, _Planner] = {}

    def planner(own: Settings) -> _Planner:
        if own not in planners:
            planners[own] = _Planner(own, settings.arch or DEFAULT_ARCH, named, graph, databases)
        return planners[own]

    owns = [settings_of(file) if settings_of is not None else settings for file in files]
    compilations = [planner(own).compilation(file) for file, own in zip(files, owns, strict=True)]
    if not planners:
        planner(settings)
    remarks = (remark for planner in planners.values() for remark in planner.remarks)
    return Plan(tuple(compilations), tuple(dict.fromkeys(remarks)))


@record(frozen=True, slots=True)
class _Build:
    """How one file is compiled: its flags, what they are from, and what reading it may not leave."""

    flags: tuple[str, ...]
    translation: Translation | None
    given: Translation
    boundary: Boundary


@record
class _Planner:
    settings: Settings
    run_architecture: str
    named_paths: tuple[str, ...]
    graph: IncludeGraph
    databases: bool = True
    remarks: list[str] = field(default_factory=list)
    repositories: dict[str, Repository] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)
    boundaries: dict[str, Boundary] = field(default_factory=dict)
    build_flags: BuildFlags = field(default_factory=BuildFlags)
    build_macros: BuildMacros = field(default_factory=BuildMacros)

    def __post_init__(self) -> None:
        self.named_files = frozenset(map(os.path.abspath, self.named_paths))
        configured = self.settings.configured_flags
        self.own = given(configured, self.settings.extra_args_folder, self.settings.std, configured=True)
        self.command_line = given(self.settings.flags, "")
        self.installed = header_folders(self.settings.toolkit)
        missing = (d for d in (*self.own.dropped, *self.command_line.dropped) if d.drop is Drop.NO_FOLDER)
        self.remarks += [f"{dropped.argument}: {dropped.reason}" for dropped in missing]
        self.is_named_by_user = self.settings.compile_commands is not None and "compile-commands" not in dict(
            self.settings.set_in
        )
        searched = self.settings if self.databases else replace(self.settings, compile_commands=None)
        self.commands = Commands(searched, self._included, self.remarks, self.databases)

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
        why, entry, entries = self.commands.command(path, root, bounds)
        given = None
        if entry is None:
            given = self.build_flags.around(os.path.dirname(path), root)
        translation = entry.translation if entry is not None else given[0] if given is not None else None
        build = self._build(translation, bounds)
        includes, first = self._includes(file, build, root)
        return Compilation(
            path=file,
            flags=(*first, *build.flags, *(f"-I{folder}" for folder in includes.folders)),
            architecture=self._architecture(build.translation),
            why=why if given is None else Why.BUILD_FILES,
            entry=entry,
            entries=entries,
            translation=build.translation,
            given=build.given,
            includes=includes,
            root=root,
            boundary=self._with_installed(build.boundary),
            assume=self.settings.assume,
            build_files=() if given is None else given[1],
            built=self._built(path, root, includes) if entry is None else (),
            installed=self.installed,
        )

    def _with_installed(self, bounds: Boundary) -> Boundary:
        """Return the boundary with the installed headers, which may be read but not shown."""
        return replace(bounds, headers=outermost((*bounds.headers, *self.installed))) if self.installed else bounds

    def _includes(self, file: str, build: _Build, root: str) -> tuple[Closure, tuple[str, ...]]:
        """Return what a file includes, and the flags with which the repository's own libraries win over coalint's."""
        path, repository = search_path(build.flags), self._repository(root)
        includes = self.graph.closure(os.path.abspath(file), path, repository, build.boundary)
        libraries = includes.libraries
        if libraries:
            own = tuple(item for item in includes.located if item.folder in libraries)
            path = path._replace(first=libraries)
            includes = self.graph.closure(os.path.abspath(file), path, repository, build.boundary)
            includes = replace(includes, located=(*own, *includes.located))
        return includes, tuple(f"{FIRST}{folder}" for folder in libraries)

    def _built(self, path: str, root: str, includes: Closure) -> tuple[BuildMacro, ...]:
        """Return the macros to which some build gives a value; none of a lone file, whose folder may hold anything."""
        is_lone = root == os.path.dirname(path) and not os.path.exists(os.path.join(root, ".git"))
        if is_lone and root not in map(os.path.realpath, self.named_paths):
            return ()
        return self.build_macros.of(path, includes.files, self._repository(root))

    def _boundary(self, file: str, root: str) -> Boundary:
        """Return what the file may read, whatever its command names.

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
        """Yield what flags of the user's name, and of a configuration in its own repository."""
        yield from named_in(self.command_line.flags)
        homes = tuple({repository_of(folder) for key, folder in self.settings.set_in if key in _FLAGS_KEYS})
        for path in named_in(self.own.flags):
            if not homes or lies_in(os.path.realpath(path), homes):
                yield path

    def _build(self, translation: Translation | None, bounds: Boundary) -> _Build:
        """The flags of a command and those of the user, kept within the boundary as far as a repository brings them."""
        own, headers = kept_within(self.own, bounds)
        users = joined(own, self.command_line)
        if translation is not None and self.is_named_by_user:
            bounds = widened(bounds, named_in(translation.flags))
        elif translation is not None:
            translation, more = kept_within(translation, bounds)
            headers = outermost((*headers, *more))
        return _Build(self._flags(translation, users), translation, users, replace(bounds, headers=headers))

    def _flags(self, translation: Translation | None, users: Translation) -> tuple[str, ...]:
        """Return the command's flags and the user's: the user's folders come first, the user's other flags last."""
        folders, others = divided(users.flags)
        devices = translation.architectures if translation is not None else ()
        flags = one_standard(
            (
                *targets.macros(devices, self.settings.arch, DEFAULT_ARCH),
                *folders,
                *(translation.flags if translation else ()),
                *others,
            )
        )
        # A quoted include means the project's own file, though it is called as a header of the C library is.
        own = (folder for folder in search_path(flags).folders if shadowed(folder))
        return (*(word for folder in dict.fromkeys(own) for word in ("-iquote", folder)), *flags)

    def _architecture(self, translation: Translation | None) -> str | None:
        """Return the GPU to count for where it is not the run's: what the user names, else the command.

        See `targets.code`.
        """
        known = tuple(filter(_known, translation.architectures)) if translation is not None else ()
        if self.settings.arch is None and known:
            return targets.code(known, None, DEFAULT_ARCH)
        named = self.settings.arch or DEFAULT_ARCH
        return named if named != self.run_architecture else None

    def _included(self, entry: Entry, bounds: Boundary) -> Iterable[str]:
        """Return the files that the file of a command includes.

        None for a file that a repository names outside of itself.
        """
        if not (bounds.shows(os.path.realpath(entry.file)) or self.is_named_by_user):
            return ()
        build = self._build(entry.translation, bounds)
        repository = self._repository(self._root(entry.file))
        return self.graph.closure(entry.file, search_path(build.flags), repository, build.boundary).files

    def _root(self, file: str) -> str:
        folder = os.path.dirname(os.path.abspath(file))
        if folder not in self.roots:
            self.roots[folder] = repository_root(file, self.named_paths)
        return self.roots[folder]

    def _repository(self, root: str) -> Repository:
        if root not in self.repositories:
            self.repositories[root] = Repository(root, partial(every_name, root, self.settings.excludes))
        return self.repositories[root]


def _known(device: str) -> bool:
    try:
        architecture(device)
    except UnknownArchitectureError:
        return False
    return True
