"""What is found in kernels that nothing in their repository launches: no warnings. Errors stay what they are."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import field, replace

from coalint.core.findings import Finding, Note, Severity
from coalint.core.records import record
from coalint.core.source.reading import lies_in
from coalint.engine.check.records import CheckedKernel, FileResult
from coalint.engine.units.compilation import Compilation
from coalint.engine.units.discovery import every_name
from coalint.frontend.cuda.mentions.names import Names, names_of
from coalint.frontend.cuda.mentions.unreached import Unreached


@record
class UnreachedKernels:
    """Lowers warnings of unreached kernels; each repository is read once, when it has a warning.

    `roots` are the repositories of a run as real paths, those that hold others last.
    """

    roots: Sequence[str]
    _answers: dict[str, Unreached | None] = field(default_factory=dict)

    @classmethod
    def of(cls, compilations: Collection[Compilation], named: Collection[str]) -> UnreachedKernels:
        """Return those of a run. A lone file, whose folder nobody `named`, is no repository."""
        folders = set(map(os.path.realpath, named))
        roots = {one.root for one in compilations}
        whole = (root for root in roots if root in folders or os.path.exists(os.path.join(root, ".git")))
        return cls(sorted(whole, key=len, reverse=True))

    def lowered(self, result: FileResult) -> FileResult:
        """Return the result of a file, with warnings of unreached kernels as infos."""
        checked = tuple(map(self._kernel, result.checked))
        return replace(result, checked=checked, problems=tuple(map(self._problem, result.problems)))

    def names_around(self, file: str) -> tuple[str, Names] | None:
        """Return the repository of a file, a real path, with what it names; None where there is none."""
        answers = self._around(file)
        return None if answers is None else (answers.root, answers.names)

    def _around(self, file: str) -> Unreached | None:
        root = next((root for root in self.roots if lies_in(file, (root,))), None)
        if root is not None and root not in self._answers:
            names = names_of(root, every_name(root))
            self._answers[root] = None if names is None else Unreached(root, names)
        return None if root is None else self._answers[root]

    def _kernel(self, checked: CheckedKernel) -> CheckedKernel:
        if not any(item.finding.severity >= Severity.WARNING for item in checked.findings):
            return checked
        told = self._told(checked.kernel, checked.span.file)
        if told is None:
            return checked
        findings = (
            replace(
                item,
                finding=_lowered(item.finding, *told),
                moved=None if item.moved is None else _lowered(item.moved, *told),
            )
            for item in checked.findings
        )
        return replace(checked, findings=tuple(findings))

    def _problem(self, finding: Finding) -> Finding:
        if finding.severity is not Severity.WARNING or finding.kernel is None:
            return finding
        told = self._told(finding.kernel, finding.span.file)
        return finding if told is None else _lowered(finding, *told)

    def _told(self, kernel: str, file: str) -> tuple[str, Note] | None:
        """Return what nothing calls, and a note that says so; None where the kernel may be reached."""
        real, name = os.path.realpath(file), kernel.partition("<")[0].rpartition("::")[2]
        answers = self._around(real)
        unreached = None if answers is None else answers.why(name, real)
        if answers is None or unreached is None:
            return None
        where = f"nothing in `{os.path.basename(answers.root)}`"
        if unreached == name:
            return unreached, Note(f"{where} launches the kernel")
        return unreached, Note(f"{where} calls `{unreached}`, which launches the kernel")


def _lowered(finding: Finding, unreached: str, note: Note) -> Finding:
    if finding.severity is Severity.WARNING:
        finding = finding.as_info(note)
    return replace(finding, unreached=unreached)
