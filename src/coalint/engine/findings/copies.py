"""Findings of one code that stands in several files of one name: variants of an example, a library's own copy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from os.path import basename
from typing import NamedTuple

from coalint.engine.report import Diagnostic


class Copy(NamedTuple):
    """What findings have in common that copies of one kernel give.

    `number` counts those of one file that say the same of it.
    """

    code: str
    file_name: str
    kernel: str
    message: str
    help: str
    number: int


def copies(shown: Iterable[Diagnostic]) -> list[Copy | None]:
    """Return for each of the findings what copies of it have in common; None for one that is about no kernel.

    The code, the kernel's name and all words are the same, numbers and expressions included.
    """
    seen = Counter[tuple[str, Copy]]()
    found: list[Copy | None] = []
    for diagnostic in shown:
        finding = diagnostic.finding
        if finding.kernel is None:
            found.append(None)
            continue
        file = finding.span.file
        copy = Copy(finding.code, basename(file), finding.kernel, finding.message, finding.help, 0)
        found.append(copy._replace(number=seen[file, copy]))
        seen[file, copy] += 1
    return found


def sorted_into(keys: Sequence[Copy | None]) -> list[list[int]]:
    """Return the positions of the findings that are copies of each other, in the order of the first of each."""
    together: dict[object, list[int]] = {}
    for position, key in enumerate(keys):
        together.setdefault(position if key is None else key, []).append(position)
    return list(together.values())
