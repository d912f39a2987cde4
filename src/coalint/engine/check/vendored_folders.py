"""What stands in a repository's copies of other projects: infos. Who lints the repository does not write that code."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from coalint.core.findings import Note
from coalint.core.source.boundary import Boundary
from coalint.core.source.reading import lies_in
from coalint.engine.check.records import CheckedKernel

_FOLDERS = frozenset(
    "3rdparty 3rd_party extern external externals third-party third_party thirdparty vendor vendored".split()
)
_NOTE = Note("the kernel stands in a copy of another project, by the name of its folder")


def without_vendored(checked: Sequence[CheckedKernel], boundary: Boundary | None) -> list[CheckedKernel]:
    """Return the kernels of a file, with their findings as infos in a repository's folders of other projects."""
    roots = () if boundary is None else tuple(root for root in boundary.shown if os.path.isdir(root))
    return [_judged(one) if one.findings and _is_vendored(one, roots) else one for one in checked]


def _judged(checked: CheckedKernel) -> CheckedKernel:
    return replace(checked, findings=tuple(item.as_info(_NOTE) for item in checked.findings))


def _is_vendored(checked: CheckedKernel, roots: Sequence[str]) -> bool:
    real = os.path.realpath(checked.span.file)
    below = [os.path.relpath(real, root) for root in roots if lies_in(real, (root,))]
    return any(part.lower() in _FOLDERS for path in below for part in path.split(os.sep)[:-1])
