"""Modules that are files of the project: found beside the importing file and above it, read as text, never run."""

from __future__ import annotations

import ast
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import field

from coalint.core.records import record
from coalint.core.source.boundary import boundary, roots
from coalint.core.source.reading import is_readable_file, lies_in
from coalint.frontend.cuda.source_text import read_source
from coalint.frontend.interface import FrontendError
from coalint.frontend.python.notebooks import is_cells_path
from coalint.frontend.python.numba.scopes import Imported
from coalint.frontend.python.numba.unit import ImportTarget, Lowered, Unit

MOST_FILES = 40
"""The most files that are read for the imports of one."""
MOST_CHARACTERS = 2 << 20
"""The most characters that are read of them together: Python parses some millions in a second."""
MOST_PLACES = 4000
"""The most paths at which files are looked for."""
_LIBRARIES = frozenset({"numba", "numpy", "cupy", "cupyx", "numba_cuda", "scipy", "torch"}) | sys.stdlib_module_names


@record(eq=False)
class Project:
    """The files that were read for one, by their real paths; `sought` are paths at which there might be one.

    `size` is how many characters were read; `left` are the files and imports that a bound kept from being followed.
    """

    lowered: Lowered
    units: dict[str, Unit | None] = field(default_factory=dict)
    sought: dict[str, None] = field(default_factory=dict)
    size: int = 0
    left: dict[str, None] = field(default_factory=dict)

    def add(self, unit: Unit) -> None:
        """Add the file that is loaded itself."""
        self.units[os.path.realpath(unit.path)] = unit

    @property
    def opened(self) -> tuple[str, ...]:
        """The files that were read."""
        return tuple(unit.path for unit in self.units.values() if unit is not None)

    def find(self, imported: Imported, by: Unit) -> ImportTarget | None:
        """Return what an import of a file leads to; None for what is no file of the project."""
        names = tuple(imported.name.split("."))
        if imported.level == 0 and names[0] in _LIBRARIES:
            return None
        if len(self.sought) >= MOST_PLACES:
            self.left["." * imported.level + imported.name] = None
            return None
        for folder in _folders(by.path, imported.level):
            target = self._in_folder(folder, names, imported.level)
            if target is not None:
                return target
        return None

    def within(self, folder: str, name: str) -> ImportTarget | None:
        """Return the module of a name in a folder; None where there is none."""
        bounds = boundary()
        if bounds is not None and not bounds.shows(os.path.realpath(folder)):
            return None
        if len(self.sought) >= MOST_PLACES:
            self.left[os.path.join(folder, name)] = None
            return None
        target = self._in_folder(folder, (name,), 0)
        return None if target is None or target.names else target

    def _in_folder(self, folder: str, names: Sequence[str], level: int) -> ImportTarget | None:
        at, package = folder, None
        is_folder = False
        for place, name in enumerate(names):
            is_last = place == len(names) - 1
            below = os.path.join(at, name)
            if self._is_file(f"{below}.py"):
                return self._target(f"{below}.py", names[place + 1 :])
            if not os.path.isdir(below):
                break
            at, is_folder = below, is_last
            if self._is_file(os.path.join(below, "__init__.py")):
                package = os.path.join(below, "__init__.py"), names[place + 1 :]
        if package is None and level and self._is_file(os.path.join(folder, "__init__.py")):
            package = os.path.join(folder, "__init__.py"), names
        if package is None:
            return ImportTarget(None, at, ()) if is_folder else None
        return self._target(*package)

    def _target(self, path: str, names: Sequence[str]) -> ImportTarget | None:
        unit = self._unit(path)
        return None if unit is None else ImportTarget(unit, unit.path, tuple(names))

    def _is_file(self, path: str) -> bool:
        self.sought[path] = None
        return is_readable_file(path, roots())

    def _unit(self, path: str) -> Unit | None:
        real = os.path.realpath(path)
        if real not in self.units:
            self.units[real] = self._read(path)
        return self.units[real]

    def _read_so_far(self) -> int:
        return sum(unit is not None for unit in self.units.values()) - 1

    def _read(self, path: str) -> Unit | None:
        try:
            is_allowed = self._read_so_far() < MOST_FILES and self.size < MOST_CHARACTERS
            text = read_source(path) if is_allowed else None
            if text is None or self.size + len(text) > MOST_CHARACTERS:
                self.left[path] = None
                return None
            self.size += len(text)
            text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return Unit(path, text, ast.parse(text), self.lowered)
        except (FrontendError, SyntaxError, ValueError):
            return None


def _folders(path: str, level: int) -> Iterator[str]:
    """Yield the folders in which a file's import is looked up: for a relative one that which its dots mean."""
    folder = os.path.dirname(os.path.abspath(path))
    if is_cells_path(path):
        folder = os.path.dirname(folder)
    bounds = boundary()
    if level:
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        if bounds is None or bounds.shows(os.path.realpath(folder)):
            yield folder
        return
    yield folder
    while bounds is not None and (above := os.path.dirname(folder)) != folder:
        if not lies_in(os.path.realpath(above), bounds.shown):
            break
        folder = above
        yield folder
    yield os.path.join(folder, "src")
