"""What kernels of examples and benchmarks cost beside a library's own: no warnings.

A repository of examples is no library.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import field, replace

from coalint.core.findings import Note
from coalint.core.records import record
from coalint.engine.check.records import CheckedKernel, FileResult

_FOLDERS = frozenset(
    "bench benches benchmark benchmarks demo demos example examples sample samples tutorial tutorials".split()
)
_NOTE = Note(
    "the kernel stands in a folder of examples or benchmarks: what it costs matters less than what others cost"
)


@record
class ExampleFolders:
    """Lowers such warnings; `sources_around` returns a file's repository, a real path, and its sources of kernels."""

    sources_around: Callable[[str], tuple[str, Sequence[str]] | None]
    _libraries: dict[str, bool] = field(default_factory=dict)

    def lowered(self, result: FileResult) -> FileResult:
        """Return the result of a file, with such warnings as infos."""
        return replace(result, checked=tuple(map(self._kernel, result.checked)))

    def _kernel(self, checked: CheckedKernel) -> CheckedKernel:
        real = os.path.realpath(checked.span.file)
        if not any(item.finding.is_of_cost for item in checked.findings) or not _is_of_examples(real):
            return checked
        around = self.sources_around(real)
        if around is None or not _is_of_examples(os.path.relpath(real, around[0])) or not self._is_library(*around):
            return checked
        items = (item.as_info(_NOTE) if item.finding.is_of_cost else item for item in checked.findings)
        return replace(checked, findings=tuple(items))

    def _is_library(self, root: str, sources: Sequence[str]) -> bool:
        """Whether most sources with kernels stand in other folders."""
        if root not in self._libraries:
            inside = list(map(_is_of_examples, sources))
            self._libraries[root] = 2 * sum(inside) < len(inside)
        return self._libraries[root]


def _is_of_examples(path: str) -> bool:
    return any(part.lower() in _FOLDERS for part in path.split(os.sep)[:-1])
