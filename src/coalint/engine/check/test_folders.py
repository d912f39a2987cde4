"""What kernels of tests cost: no warnings. Tests try a few sizes, and often what is slow on purpose."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from coalint.core.findings import Note
from coalint.core.source.boundary import Boundary
from coalint.core.source.reading import lies_in
from coalint.engine.check.records import CheckedKernel

_FOLDERS = frozenset("test tests unittest unittests unit_test unit_tests".split())
_NOTE = Note("the kernel stands in a folder of tests: what it costs matters little")


def without_tests(checked: Sequence[CheckedKernel], boundary: Boundary | None) -> list[CheckedKernel]:
    """Return the kernels of a file, with warnings of cost as infos in those of a repository's folders of tests.

    What may be wrong in a test stays as it is.
    """
    return [_judged(one) if _is_of_tests(one, boundary) else one for one in checked]


def _is_of_tests(checked: CheckedKernel, boundary: Boundary | None) -> bool:
    real = os.path.realpath(checked.span.file)
    roots = () if boundary is None else boundary.shown
    below = [os.path.relpath(real, root) for root in roots if os.path.isdir(root) and lies_in(real, (root,))]
    return any(part.lower() in _FOLDERS for path in below for part in path.split(os.sep)[:-1])


def _judged(checked: CheckedKernel) -> CheckedKernel:
    findings = tuple(item.as_info(_NOTE) if item.finding.is_of_cost else item for item in checked.findings)
    return replace(checked, findings=findings)
