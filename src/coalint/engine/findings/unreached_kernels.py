"""What is found in kernels that nothing in their repository launches: no warnings. Errors stay what they are."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import field, replace

from coalint.core.findings import Finding, Note, Severity
from coalint.core.records import record
from coalint.core.source.reading import lies_in
from coalint.engine.check.records import CheckedKernel, FileResult
from coalint.engine.findings.repository_reach import ReachStore, RepositoryReach
from coalint.engine.units.compilation import Compilation


@record
class UnreachedKernels:
    """Lowers warnings of unreached kernels; each repository is read once, when it has a warning.

    `roots` are the repositories of a run as real paths, those that hold others last; `store` keeps answers.
    """

    roots: Sequence[str]
    store: ReachStore | None = None
    _repositories: dict[str, RepositoryReach] = field(default_factory=dict)

    @classmethod
    def of(
        cls, compilations: Collection[Compilation], named: Collection[str], store: ReachStore | None = None
    ) -> UnreachedKernels:
        """Return those of a run. A lone file, whose folder nobody `named`, is no repository."""
        folders = set(map(os.path.realpath, named))
        roots = {one.root for one in compilations}
        whole = (root for root in roots if root in folders or os.path.exists(os.path.join(root, ".git")))
        return cls(sorted(whole, key=len, reverse=True), store)

    def save(self) -> None:
        """Keep what was found out for later runs."""
        for repository in self._repositories.values():
            repository.save()

    def lowered(self, result: FileResult) -> FileResult:
        """Return the result of a file, with warnings of unreached kernels as infos."""
        checked = tuple(map(self._kernel, result.checked))
        return replace(result, checked=checked, problems=tuple(map(self._problem, result.problems)))

    def sources_around(self, file: str) -> tuple[str, tuple[str, ...]] | None:
        """Return the repository of a file, a real path, with its files that have kernels; None where there is none."""
        around = self._around(file)
        return None if around is None or around.sources is None else (around.root, around.sources)

    def _around(self, file: str) -> RepositoryReach | None:
        root = next((root for root in self.roots if lies_in(file, (root,))), None)
        if root is None:
            return None
        return self._repositories.setdefault(root, RepositoryReach(root, self.store))

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
