"""Which files a run looks at: CUDA files in folders, explicit files as given, ignored paths left out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from coalint.core.source.reading import Kind, lies_in, read_bytes, read_text
from coalint.core.source.repositories import repository_of
from coalint.engine.config.selection import Patterns
from coalint.engine.report import Failure
from coalint.engine.units.ignore_patterns import ignore_spec
from coalint.frontend.python import notebooks
from coalint.frontend.python.embedded_cuda import may_hold_cuda
from coalint.frontend.python.numba.marks import launching_imports
from coalint.frontend.registry import front_ends, holds_marked_kernels, suffixes

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SKIPPED = {"build", "CMakeFiles", "node_modules", "__pycache__"}
SKIPPED_IF_HOLDING = ("pyvenv.cfg", "CMakeCache.txt")
DEEPEST = 256
"""Folders within folders that are walked."""


Excluding = Callable[[str], Sequence[Patterns]]
"""Gives the patterns of what to leave out of a folder (absolute), the weakest first."""


@dataclass(frozen=True)
class Discovery:
    """The files to look at, each once, under the names that the user will read, and what was wrong with a path."""

    files: tuple[str, ...]
    failures: tuple[Failure, ...]


@dataclass
class _Walk:
    files: dict[str, str] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    left_out: int = 0
    launchers: dict[Path, frozenset[str]] = field(default_factory=dict)

    def add(self, path: Path) -> None:
        self.files.setdefault(os.path.realpath(path), str(path))

    def fail(self, path: Path, message: str, remedy: str) -> None:
        self.failures.append(Failure.input(message, remedy, str(path)))


def discover(paths: Sequence[str], exclude: Sequence[str] = (), excluding: Excluding | None = None) -> Discovery:
    """Find the CUDA files under `paths`, in their order and sorted within a folder; Python that holds CUDA is one.

    A file is taken as given, whatever its suffix and though git ignores it; `exclude` (gitignore's syntax, relative to
    the working directory), or what `excluding` says of its folder, leaves out files of both kinds. A file that several
    paths reach is taken once.
    """
    walk = _Walk()
    excluded = _Excluded(excluding or (lambda _: (Patterns("", tuple(exclude)),)))
    for path in map(Path, paths):
        if path.is_dir():
            _folder(path, excluded, walk)
        elif path.is_file():
            if not excluded.leaves_out(_absolute(path)):
                walk.add(path)
        elif path.exists():
            walk.fail(path, "this is no regular file", "name a file or a folder")
        elif path.is_symlink():
            walk.fail(path, f"this is a link to {os.readlink(path)}, which leads nowhere", "correct the link")
        else:
            walk.fail(path, "no such file or folder", _near(path))
    return Discovery(tuple(walk.files.values()), tuple(walk.failures))


def is_excluded(path: str, exclude: Sequence[Patterns]) -> bool:
    """Whether patterns leave a file out."""
    return matches(path, exclude)


def matches(path: str, patterns: Sequence[Patterns]) -> bool:
    """Whether a file, or a folder that it lies in, is one that patterns mean."""
    return bool(patterns) and _Excluded(lambda _: patterns).leaves_out(_absolute(Path(path)))


def _near(path: Path) -> str:
    parent, slashed = path.parent, Path(str(path).replace("\\", "/"))
    if slashed != path and slashed.exists():  # as another system writes it
        return f"did you mean {slashed}?"
    if not parent.is_dir():
        return f"the folder {parent} does not exist either" if str(parent) not in (".", "") else ""
    try:
        there = (name for name in sorted(os.listdir(parent)) if (parent / name).exists())
        near = get_close_matches(path.name, there, 1, 0.6)
    except OSError:
        near = []
    return f"did you mean {parent / near[0]}?" if near else "paths are relative to the working directory"


def _folder(root: Path, excluded: _Excluded, walk: _Walk) -> None:
    left_out, failed = walk.left_out, len(walk.failures)
    found = False
    within = (repository_root(os.path.join(root, "file"), (str(root),)), os.path.realpath(root))
    walk.launchers = {}
    taken: list[Path] = []
    for path in _files(root, excluded, within, walk):
        found = True
        taken.append(path)
    modules = modules_of(map(str, taken))
    taken += (path for path, imported in walk.launchers.items() if imported & modules)
    for path in taken:
        walk.add(path)
    if found or len(walk.failures) != failed:
        return
    ignored = walk.left_out - left_out
    languages = " or ".join(front_end.spelling.language for front_end in front_ends())
    message = f"this folder holds no {languages} files ({', '.join(suffixes())})"
    if ignored:
        message += f" other than {ignored} that .gitignore or --exclude leave out"
    walk.fail(root, message, "name a file itself to lint it whatever its suffix, and though git ignores it")


def _files(root: Path, excluded: _Excluded, within: Sequence[str], walk: _Walk) -> Iterator[Path]:
    """Yield the files below a folder, those of a folder before those of the folders in it; links stay `within`."""
    stack = [(root, _above(root, within), 0)]
    while stack:
        folder, ignores, depth = stack.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            reason = f"cannot be read: {error.strerror}"
            walk.fail(folder, reason, "check its permissions, or leave it out with --exclude")
            continue
        own = _Ignore.of(folder, within)
        ignores = [*ignores, own] if own else ignores
        folders: list[Path] = []
        imported: dict[Path, frozenset[str]] = {}

        def left_out(path: Path, ignores: Sequence[_Ignore], folder: bool, skipped: bool = False) -> bool:
            path = _absolute(path)
            verdict = excluded.verdict(path, folder)
            return skipped or _ignored(path, ignores, folder) if verdict is None else verdict

        for entry in entries:
            path = folder / entry.name
            if _breaks_lines(entry.name):
                if entry.is_dir(follow_symlinks=False) or entry.name.endswith(suffixes()):
                    walk.fail(path, "its name holds a line break", "rename it, or leave it out with --exclude")
            elif entry.is_dir(follow_symlinks=False):
                if not left_out(path, ignores, folder=True, skipped=_skipped(entry)):
                    folders.append(path)
            elif _is_file(entry) and (entry.name.endswith(suffixes()) or _is_host_of_cuda(path, within, imported)):
                if left_out(path, ignores, folder=False):
                    walk.left_out += 1
                elif entry.is_symlink() and not lies_in(os.path.realpath(path), within):
                    remedy = "name it itself to lint it, or leave it out with --exclude"
                    walk.fail(path, "this is a link that leads out of the repository", remedy)
                else:
                    yield path
        walk.launchers.update((path, names) for path, names in imported.items() if not left_out(path, ignores, False))
        if folders and depth == DEEPEST:
            reason = f"holds folders that are more than {DEEPEST} deep, which are not walked"
            walk.fail(folder, reason, "name one of them, or leave this one out with --exclude")
            continue
        stack += [(path, ignores, depth + 1) for path in reversed(folders)]


def _breaks_lines(name: str) -> bool:
    """Whether a name takes several lines, so that it could pass for others, or for findings, in a list of lines."""
    return len(name.splitlines()) > 1 or name != name.rstrip("\r\n")


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads to itself
        return False


def every_name(root: str, exclude: Sequence[Patterns] = ()) -> Iterator[str]:
    """The names of all files below `root`, relative to it, outer folders first; ignored folders are left out."""
    top = Path(root)
    excluded = _Excluded(lambda _: exclude)
    level: list[tuple[Path, str, list[_Ignore]]] = [(top, "", [])]
    within = (os.path.realpath(root),)
    for _ in range(DEEPEST):
        deeper: list[tuple[Path, str, list[_Ignore]]] = []
        for folder, prefix, ignores in level:
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError:
                continue
            own = _Ignore.of(folder, within) if any(entry.name == ".gitignore" for entry in entries) else None
            ignores = [*ignores, own] if own else ignores
            for entry in entries:
                path = folder / entry.name
                if _breaks_lines(entry.name):
                    continue
                if not entry.is_dir(follow_symlinks=False):
                    if not excluded.verdict(path, False):
                        yield prefix + entry.name
                    continue
                verdict = excluded.verdict(path, True)
                if not (_skipped(entry) or _ignored(path, ignores, True) if verdict is None else verdict):
                    deeper.append((path, f"{prefix}{entry.name}/", ignores))
        level = deeper


def repository_root(path: str, named: Sequence[str] = ()) -> str:
    """The folder that a file's headers are looked for in and not above, a real path.

    The nearest folder above it that git knows. Else the widest folder of those that the user `named` which holds the
    file, but neither the home folder nor the file system's root. Else its own folder. The working directory has no part
    in it: a command gives the same results wherever it is typed, and reads nothing beside what it names.
    """
    home = os.path.dirname(os.path.realpath(path))
    above = [home, *map(str, Path(home).parents)]
    repository = repository_of(home)
    if repository != home or os.path.exists(os.path.join(home, ".git")):
        return repository
    wide = {os.path.realpath(folder) for folder in named if os.path.isdir(folder)}
    wide -= {os.path.realpath(os.path.expanduser("~")), Path(home).anchor}
    return next((folder for folder in reversed(above) if folder in wide), home)


def modules_of(files: Iterable[str]) -> frozenset[str]:
    """Return the names by which Python files may be imported: their own, and those of their folders."""
    paths = [PurePath(file) for file in files if file.endswith(".py")]
    return frozenset(name for path in paths for name in (path.stem, path.parent.name))


def _is_host_of_cuda(path: Path, within: Sequence[str], imported: dict[Path, frozenset[str]]) -> bool:
    """Whether a file or notebook of Python names a function that takes CUDA source, or a decorator for kernels.

    Noted in `imported` is what others import that may launch kernels.
    """
    if path.suffix not in (".py", notebooks.SUFFIX):
        return False
    try:
        data = read_bytes(path, Kind.SOURCE, within)
    except OSError:
        return False
    if may_hold_cuda(data) or holds_marked_kernels(str(path), data):
        return True
    if path.suffix == ".py" and (names := launching_imports(data)):
        imported[path] = names
    return False


def _skipped(entry: os.DirEntry[str]) -> bool:
    """Hidden folders, build trees and virtual environments."""
    if entry.name.startswith(".") or entry.name in SKIPPED or entry.name.startswith("cmake-build-"):
        return True
    return any(os.path.exists(os.path.join(entry.path, name)) for name in SKIPPED_IF_HOLDING)


# --- ignore patterns: the deepest file that says anything about a path decides, as in git


@dataclass
class _Ignore:
    folder: Path
    lines: tuple[str, ...]

    @classmethod
    def of(cls, folder: Path, within: Sequence[str]) -> _Ignore | None:
        try:
            text = read_text(folder / ".gitignore", Kind.IGNORE_FILE, within)
        except OSError:
            return None
        return cls(_absolute(folder), tuple(text.splitlines()))

    @cached_property
    def spec(self) -> GitIgnoreSpec:
        return ignore_spec(self.lines)

    def verdict(self, path: Path, folder: bool) -> bool | None:
        """True: ignored, False: expressly not, None: not mentioned. `path` is absolute."""
        base = self.folder if path.is_relative_to(self.folder) else Path(path.anchor)
        return self.spec.check_file(path.relative_to(base).as_posix() + ("/" if folder else "")).include

    def ignores(self, path: Path, folder: bool) -> bool:
        """Whether `path` or a folder that it lies in is ignored."""
        above = [parent for parent in path.parents if parent.name and parent not in (self.folder, *self.folder.parents)]
        return bool(self.verdict(path, folder)) or any(self.verdict(parent, True) for parent in above)


class _Excluded:
    """What configuration and command line leave out; the stronger of two that mention a path decides."""

    def __init__(self, excluding: Excluding) -> None:
        self.excluding = excluding
        self._ignores: dict[str, list[_Ignore]] = {}

    def verdict(self, path: Path, folder: bool) -> bool | None:
        """True: left out, False: expressly not, None: not mentioned. `path` is absolute."""
        for ignore in self._of(path.parent):
            verdict = ignore.verdict(path, folder)
            if verdict is not None:
                return verdict
        return None

    def leaves_out(self, path: Path) -> bool:
        """Whether a file (absolute) or a folder that it lies in is left out."""
        found = self._of(path.parent)
        verdict = next((verdict for ignore in found if (verdict := ignore.verdict(path, False)) is not None), None)
        return any(ignore.ignores(path, False) for ignore in found) if verdict is None else verdict

    def _of(self, folder: Path) -> list[_Ignore]:
        """The strongest first."""
        key = str(folder)
        if key not in self._ignores:
            patterns = reversed(self.excluding(key))
            found = [_Ignore(_absolute(Path(p.folder or os.curdir)), p.lines) for p in patterns if p.lines]
            self._ignores[key] = found
        return self._ignores[key]


def _ignored(path: Path, ignores: Sequence[_Ignore], folder: bool) -> bool:
    for ignore in reversed(ignores):
        verdict = ignore.verdict(path, folder)
        if verdict is not None:
            return verdict
    return False


def _above(root: Path, within: Sequence[str]) -> list[_Ignore]:
    """The .gitignore files between the repository's root and `root`, outermost first.

    None outside a repository, and none when they ignore `root` itself: who names an ignored folder means it.
    """
    start = _absolute(root)
    parents = [start, *start.parents]
    top = next((index for index, parent in enumerate(parents) if (parent / ".git").exists()), None)
    if top is None:
        return []
    ignores = [found for parent in reversed(parents[1 : top + 1]) if (found := _Ignore.of(parent, within))]
    return [] if any(ignore.ignores(start, folder=True) for ignore in ignores) else ignores


def _absolute(path: Path) -> Path:
    """Absolute and without `..`, as patterns need it; symbolic links stay."""
    return Path(os.path.abspath(path))
