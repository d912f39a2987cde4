"""What stands in a repository's copies of other projects: infos. Who lints the repository does not write that code."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace

from coalint.core.findings import Note
from coalint.core.source.boundary import Boundary
from coalint.engine.check.folders import folders_around
from coalint.engine.check.records import CheckedKernel

_FOLDERS = frozenset(
    "3rdparty 3rd_party extern external externals third-party third_party thirdparty vendor vendored".split()
)
_RELEASE = re.compile(r"[a-z][a-z0-9_]*-\d+(?:\.\d+)+(?:-\w+)?")  # `cub-1.8.0`, as an archive is unpacked
_NOTE = Note("the kernel stands in a copy of another project, by the name of its folder")


def without_vendored(checked: Sequence[CheckedKernel], boundary: Boundary | None) -> list[CheckedKernel]:
    """Return the kernels of a file, with their findings as infos in a repository's folders of other projects."""
    judged: list[CheckedKernel] = []
    for one in checked:
        is_vendored = bool(one.findings) and lies_in_vendored(one.span.file, boundary)
        judged.append(_judged(one) if is_vendored else one)
    return judged


def _judged(checked: CheckedKernel) -> CheckedKernel:
    return replace(checked, findings=tuple(item.as_info(_NOTE) for item in checked.findings))


def lies_in_vendored(file: str, boundary: Boundary | None) -> bool:
    """Whether a file lies in a repository's folder of another project, by the folder's name."""
    folders = folders_around(os.path.realpath(file), boundary)
    return any(folder in _FOLDERS or _RELEASE.fullmatch(folder) for folder in folders)
