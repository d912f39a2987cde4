"""What kernels of tests cost, and the layout of their structs: no warnings.

Tests try a few sizes, and often what is slow on purpose.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from coalint.core.findings import Finding, Note, Severity
from coalint.core.source.boundary import Boundary
from coalint.engine.check.folders import folders_around
from coalint.engine.check.records import CheckedKernel, RankedFinding

_FOLDERS = frozenset("test tests testing unittest unittests unit_test unit_tests".split())
_NOTE = Note("the kernel stands in a folder of tests: what it costs matters little")
_STRUCT = Note("the struct is declared in a folder of tests: how it lies in memory matters little")


def without_tests(checked: Sequence[CheckedKernel], boundary: Boundary | None) -> list[CheckedKernel]:
    """Return the kernels of a file, with warnings of cost as infos in those of a repository's folders of tests.

    What may be wrong in a test stays as it is.
    """
    return [_judged(one, boundary) for one in checked]


def _judged(checked: CheckedKernel, boundary: Boundary | None) -> CheckedKernel:
    if not any(_is_of_time(item.finding) for item in checked.findings):
        return checked
    is_test = _is_of_tests(os.path.realpath(checked.span.file), boundary)
    return replace(checked, findings=tuple(_item(item, is_test, boundary) for item in checked.findings))


def _item(item: RankedFinding, is_test: bool, boundary: Boundary | None) -> RankedFinding:
    if not _is_of_time(item.finding):
        return item
    if is_test:
        return item.as_info(_NOTE)
    cause = item.finding.cause
    is_struct = cause is not None and bool(cause.declared) and "record" in dict(cause.names)
    return item.as_info(_STRUCT) if is_struct and cause and _is_of_tests(_file(cause.declared), boundary) else item


def _is_of_time(finding: Finding) -> bool:
    """Whether it is a warning of what accesses cost, or of lanes that wait for each other."""
    return finding.is_of_cost or (finding.is_of_meeting_lanes and finding.severity is Severity.WARNING)


def _file(declared: str) -> str:
    """Return the file of a declaration's place, `path:line`."""
    return declared.rpartition(":")[0]


def _is_of_tests(real: str, boundary: Boundary | None) -> bool:
    return not _FOLDERS.isdisjoint(folders_around(real, boundary))
