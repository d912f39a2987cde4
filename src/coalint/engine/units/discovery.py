"""Which files a run looks at: CUDA files in folders, explicit files as given, ignored paths left out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from difflib import get_close_matches
from pathlib import Path, PurePath

from coalint.core.records import record
from coalint.core.source.reading import FileKind, lies_in, read_bytes
from coalint.core.source.repositories import repository_of
from coalint.engine.config.selection import Patterns
from coalint.engine.report import Failure
from coalint.engine.units.ignores import NAME, Effort, Excluded, Excluding, Ignore, above, absolute, is_ignored
from coalint.frontend.python import notebooks
from coalint.frontend.python.embedded.takers import may_hold_cuda
from coalint.frontend.python.numba.marks import launching_imports
from coalint.frontend.registry import front_ends, holds_marked_kernels, suffixes

SKIPPED = {"build", "CMakeFiles", "node_modules", "__pycache__"}
SKIPPED_IF_HOLDING = ("pyvenv.cfg", "CMakeCache.txt")
DEEPEST = 256
"""Folders within folders that are walked."""
MOST_REMARKS = 5
"""Files of patterns that are said not to be applied."""


@record(frozen=True)
class Discovery:
    """The files to look at, each once, under the names that the user will read.

    Attributes:
        files: The files.
        failures: What was wrong with a path.
        remarks: Patterns that are not applied.
    """

    files: tuple[str, ...]
    failures: tuple[Failure, ...] = ()
    remarks: tuple[str, ...] = ()


@record
class _Walk:
    files: dict[str, str] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    ignores: list[Ignore] = field(default_factory=list)
    left_out: int = 0
    launchers: dict[Path, frozenset[str]] = field(default_factory=dict)
    effort: Effort = field(default_factory=Effort)

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
    excluded = Excluded(excluding or (lambda _: (Patterns("", tuple(exclude)),)), walk.effort)
    for path in map(Path, paths):
        if path.is_dir():
            _folder(path, excluded, walk)
        elif path.is_file():
            if not excluded.leaves_out(absolute(path)):
                walk.add(path)
        elif path.exists():
            walk.fail(path, "this is not a regular file", "name a file or a folder")
        elif path.is_symlink():
            walk.fail(path, f"this is a link to {os.readlink(path)}, which does not exist", "fix the link")
        else:
            walk.fail(path, "no such file or folder", _near(path))
    remarks = _remarks((*excluded.all(), *walk.ignores))
    if walk.effort.left < 0:
        remarks += ("there are too many patterns of what to leave out for so many names; only the first are compared",)
    return Discovery(tuple(walk.files.values()), tuple(walk.failures), remarks)


def _remarks(ignores: Iterable[Ignore]) -> tuple[str, ...]:
    """Return what is not applied of patterns, at most `MOST_REMARKS` lines.

    A repository may hold any number of such files.
    """
    said = list(dict.fromkeys(f"{ignore.name}: {problem}" for ignore in ignores for problem in ignore.problems))
    more = [f"{len(said) - MOST_REMARKS} more ignore files are not applied in full"] if len(said) > MOST_REMARKS else []
    return (*said[:MOST_REMARKS], *more)


def is_excluded(path: str, exclude: Sequence[Patterns]) -> bool:
    """Whether patterns leave a file out."""
    return matches(path, exclude)


def matches(path: str, patterns: Sequence[Patterns]) -> bool:
    """Whether a file, or a folder that it lies in, is one that patterns mean."""
    return bool(patterns) and Excluded(lambda _: patterns).leaves_out(absolute(Path(path)))


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


def _folder(root: Path, excluded: Excluded, walk: _Walk) -> None:
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
    walk.fail(root, message, "name a file to lint it whatever its suffix, even if git ignores it")


def _files(root: Path, excluded: Excluded, within: Sequence[str], walk: _Walk) -> Iterator[Path]:
    """Yield the files below a folder, those of a folder before those of the folders in it; links stay `within`."""
    stack = [(root, above(root, within, walk.effort), 0)]
    walk.ignores += stack[0][1]
    while stack:
        folder, ignores, depth = stack.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            reason = f"cannot be read: {error.strerror}"
            walk.fail(folder, reason, "check its permissions, or leave it out with --exclude")
            continue
        own = Ignore.of(folder, within, walk.effort)
        if own:
            ignores = [*ignores, own]
            walk.ignores.append(own)
        folders: list[Path] = []
        imported: dict[Path, frozenset[str]] = {}

        def left_out(path: Path, ignores: Sequence[Ignore], folder: bool, skipped: bool = False) -> bool:
            path = absolute(path)
            verdict = excluded.verdict(path, folder)
            return skipped or is_ignored(path, ignores, folder) if verdict is None else verdict

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
                    remedy = "name it explicitly to lint it, or leave it out with --exclude"
                    walk.fail(path, "this is a link to outside of the repository", remedy)
                else:
                    yield path
        walk.launchers.update((path, names) for path, names in imported.items() if not left_out(path, ignores, False))
        if folders and depth == DEEPEST:
            reason = f"has folders nested more than {DEEPEST} deep, which are not searched"
            walk.fail(folder, reason, "name one of them, or leave this one out with --exclude")
            continue
        stack += [(path, ignores, depth + 1) for path in reversed(folders)]


def _breaks_lines(name: str) -> bool:
    """Whether a name takes several lines, so that it could pass for others, or for findings, in a list of lines."""
    return not name.isprintable() and (len(name.splitlines()) > 1 or name != name.rstrip("\r\n"))


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads to itself
        return False


def every_name(root: str, exclude: Sequence[Patterns] = ()) -> Iterator[str]:
    """Yield the names of all files below `root`, relative to it, outer folders first; ignored folders are left out."""
    top = Path(root)
    excluded = Excluded(lambda _: exclude)
    level: list[tuple[Path, str, list[Ignore]]] = [(top, "", [])]
    within = (os.path.realpath(root),)
    for _ in range(DEEPEST):
        deeper: list[tuple[Path, str, list[Ignore]]] = []
        for folder, prefix, ignores in level:
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError:
                continue
            own = Ignore.of(folder, within, excluded.effort) if any(entry.name == NAME for entry in entries) else None
            ignores = [*ignores, own] if own else ignores
            for entry in entries:
                if _breaks_lines(entry.name):
                    continue
                if not entry.is_dir(follow_symlinks=False):
                    if not (exclude and excluded.verdict(folder / entry.name, False)):
                        yield prefix + entry.name
                    continue
                path = folder / entry.name
                verdict = excluded.verdict(path, True)
                if not (_skipped(entry) or is_ignored(path, ignores, True) if verdict is None else verdict):
                    deeper.append((path, f"{prefix}{entry.name}/", ignores))
        level = deeper


def repository_root(path: str, named: Sequence[str] = ()) -> str:
    """Return the folder that a file's headers are looked for in and not above, a real path.

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
        data = read_bytes(path, FileKind.SOURCE, within)
    except OSError:
        return False
    if may_hold_cuda(data) or holds_marked_kernels(str(path), data):
        return True
    if path.suffix == ".py" and (names := launching_imports(data)):
        imported[path] = names
    return False


def _skipped(entry: os.DirEntry[str]) -> bool:
    """Whether a folder is hidden, a build tree or a virtual environment."""
    if entry.name.startswith(".") or entry.name in SKIPPED or entry.name.startswith("cmake-build-"):
        return True
    return any(os.path.exists(os.path.join(entry.path, name)) for name in SKIPPED_IF_HOLDING)
