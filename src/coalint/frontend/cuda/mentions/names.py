"""Which files of a repository name which functions, as words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cached_property

from coalint.core.records import record
from coalint.core.source.reading import FileKind, read_bytes
from coalint.frontend.cuda.build.kernel_marks import launches_or_defines_kernels
from coalint.frontend.cuda.mentions.composed import Pieces
from coalint.frontend.cuda.mentions.mentions import SUFFIXES

MOST_FILES = 40_000
"""Files of a repository that are read; of one with more, nothing is said."""
MOST_BYTES = 400 << 20
"""Bytes of them."""
_LARGEST = 4 << 20  # bytes of one file that is no source
_LARGEST_DATA = 256 << 10
_DATA = (".json", ".yaml", ".yml", ".ipynb", ".ptx")
_NAMING = (
    *(".py", ".pyx", ".pxd", ".pxi", ".pyi", ".ipynb", ".jl", ".f", ".f90", ".f95", ".f03", ".for", ".ftn", ".rs"),
    *(".go", ".java", ".scala", ".kt", ".cs", ".lua", ".r", ".rb", ".js", ".ts", ".swift", ".pl", ".m", ".mm", ".hs"),
    *(".def", ".map", ".ver", ".sh", ".bat", ".cmake", ".in", ".mk", ".yaml", ".yml", ".toml", ".json", ".jinja"),
    *(".j2", ".mako", ".tmpl", ".template", ".i", ".swg", ".td", ".zig", ".nim", ".d", ".ml", ".cl", ".ptx", ".ld"),
)
"""Suffixes of files in which a name counts wherever it stands."""
_OWN = b"coalint"  # in the head of coalint's own reports and baselines, which name kernels
_TABLE = bytes(n if (chr(n).isalnum() and n < 128) or n == 95 or n > 127 else 32 for n in range(256))
_CALLED = re.compile(rb"(?<=[\s*&>:])([A-Za-z_]\w*)\s*[(<]")


@record
class Names:
    """The functions that sources with kernels define or call, with the files that name each.

    Attributes:
        files: The files that were read, relative to the root.
        naming: The numbers of the files that name each.
        with_kernels: The numbers of the files that launch or define kernels.
        pieces: What names may be put together from.
        mangled: Names as a linker knows them.
    """

    files: list[str]
    naming: dict[str, list[int]]
    with_kernels: frozenset[int]
    pieces: Pieces
    mangled: tuple[str, ...]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each file."""
        return {path: number for number, path in enumerate(self.files)}

    def may_be_made(self, name: str) -> bool:
        """Whether a name may be put together, or stands somewhere as a linker knows it."""
        linked = f"{len(name)}{name}"
        return self.pieces.make(name) or any(linked in other for other in self.mangled)


def names_of(root: str, listed: Iterable[str]) -> Names | None:
    """Return the names of a repository whose files, relative to `root`, are listed; None where it is too large."""
    files: list[str] = []
    total = 0
    marked: list[int] = []
    wanted: set[bytes] = set()
    pieces = Pieces()
    for path in listed:
        data = _contents(root, path)
        if data is None:
            continue
        total += len(data)
        if len(files) >= MOST_FILES or total > MOST_BYTES:
            return None
        if path.endswith(SUFFIXES) and launches_or_defines_kernels(data):
            marked.append(len(files))
            wanted.update(_CALLED.findall(data))
        pieces.add(data)
        files.append(path)
    pasting = pieces.pasting
    naming: dict[str, list[int]] = {}
    known: set[bytes] = set()
    mangled: set[str] = set()
    for number, path in enumerate(files):  # read again, since all their words take more memory than there may be
        data = _contents(root, path) or b""
        words = set(data.translate(_TABLE).split())
        known |= words
        for word in words & wanted:
            naming.setdefault(word.decode("latin-1"), []).append(number)
        if b"_Z" in data:
            mangled.update(word.decode("latin-1") for word in words if word.startswith(b"_Z"))
        if not pasting.isdisjoint(words):
            pieces.take_arguments(data, words)
    pieces.known = frozenset(known)
    return Names(files, naming, frozenset(marked), pieces, tuple(sorted(mangled)))


def is_read(path: str) -> bool:
    """Whether names are looked for in a file of such a path."""
    lower = path.lower()
    named = os.path.basename(lower).startswith(("makefile", "cmakelists"))
    return named or lower.endswith(SUFFIXES) or lower.endswith(_NAMING)


def _contents(root: str, path: str) -> bytes | None:
    """Return the bytes of a file in which names are looked for; None for any other."""
    if not is_read(path):
        return None
    lower, full = path.lower(), os.path.join(root, path)
    is_source = lower.endswith(SUFFIXES)
    try:
        largest = _LARGEST_DATA if lower.endswith(_DATA) else _LARGEST
        if not is_source and os.path.getsize(full) > largest:
            return None
        data = read_bytes(full, FileKind.SOURCE, (root,))
    except OSError:
        return None
    return None if not is_source and _OWN in data[:2000] else data
