"""Barriers between lanes of a warp that a file lacks which is built for GPUs with lanes in lockstep alone: no warnings.

A newer GPU runs what was compiled for such a one in lockstep too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path

from coalint.core.facts.causes import CauseKind
from coalint.core.findings import Finding, Note, Severity
from coalint.core.records import record
from coalint.core.source.reading import FileKind, lies_in, read_text
from coalint.engine.check.records import CheckedKernel, FileResult
from coalint.frontend.cuda.build.build_files import NAMES
from coalint.frontend.cuda.build.own_targets import capabilities_of

_LEAST_OPEN = 70
"""The compute capability, times ten, from which on lanes need not run in lockstep."""


@record
class LockstepFiles:
    """Lowers such warnings, by the makefiles of repositories, whose `roots` are real paths."""

    roots: Sequence[str]
    _built_for: dict[str, tuple[str, int] | None] = field(default_factory=dict)

    def lowered(self, result: FileResult) -> FileResult:
        """Return the result of a file, with such warnings as infos."""
        return replace(result, checked=tuple(map(self._kernel, result.checked)))

    def _kernel(self, checked: CheckedKernel) -> CheckedKernel:
        if not any(_is_of_lockstep(item.finding) for item in checked.findings):
            return checked
        built = self._of(os.path.realpath(checked.span.file))
        if built is None:
            return checked
        makefile, newest = built
        note = Note(
            f"{makefile} builds the file for no GPU newer than compute capability {newest // 10}.{newest % 10}: "
            "what is built for those runs in lockstep"
        )
        items = (item.as_info(note) if _is_of_lockstep(item.finding) else item for item in checked.findings)
        return replace(checked, findings=tuple(items))

    def _of(self, file: str) -> tuple[str, int] | None:
        """Return the makefile that builds a file for old GPUs alone, with the newest of these."""
        if file not in self._built_for:
            found = [(name, numbers) for name, numbers in self._rules(file) if numbers]
            numbers = [number for _, own in found for number in own]
            is_old = bool(numbers) and max(numbers) < _LEAST_OPEN
            self._built_for[file] = (found[0][0], max(numbers)) if is_old else None
        return self._built_for[file]

    def _rules(self, file: str) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the makefiles in the folders of a repository above a file, with the capabilities that they name."""
        root = next((root for root in self.roots if lies_in(file, (root,))), None)
        for folder in Path(file).parents if root is not None else ():
            if not lies_in(str(folder), (root or "",)):
                return
            for name in NAMES[1:]:
                try:
                    text = read_text(folder / name, FileKind.BUILD_FILE, (root or "",))
                except OSError:
                    continue
                yield name, capabilities_of(text, os.path.relpath(file, folder))


def _is_of_lockstep(finding: Finding) -> bool:
    """Whether a finding is a warning of lanes of one warp that are taken to run in lockstep."""
    cause = finding.cause
    return finding.severity is Severity.WARNING and cause is not None and cause.kind is CauseKind.LOCKSTEP
