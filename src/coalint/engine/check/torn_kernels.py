"""Kernels of which something could not be parsed: how their threads part may rest on it, and is no warning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.findings import Finding, Note, Severity
from coalint.engine.check.records import CheckedKernel

if TYPE_CHECKING:
    from coalint.core import ir

_NOTE = Note("part of the kernel could not be parsed, and this may rest on it")


def without_torn(checked: Sequence[CheckedKernel], module: ir.Module) -> list[CheckedKernel]:
    """Return the kernels of a file, with what else than cost is found in those that were read in part as infos."""
    torn = {(name, problem.span.file) for problem in module.problems for name in problem.in_part}
    return [_judged(one) if torn and (one.kernel, one.span.file) in torn else one for one in checked]


def _judged(checked: CheckedKernel) -> CheckedKernel:
    findings = tuple(item.as_info(_NOTE) if _may_be_wrong(item.finding) else item for item in checked.findings)
    return replace(checked, findings=findings)


def _may_be_wrong(finding: Finding) -> bool:
    """Whether a finding is an error, or a warning that is not about what an access costs."""
    return finding.severity is Severity.ERROR or (finding.severity is Severity.WARNING and finding.cost is None)
