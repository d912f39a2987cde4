"""Findings of one code that stands several times: variants of an example, copies, kernels of one macro."""

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

    The code, the kernel's name and all words are the same, numbers and expressions included. Kernels that a macro makes
    have names of their own, and stand in one file.
    """
    seen = Counter[tuple[str, str, Copy]]()
    found: list[Copy | None] = []
    for diagnostic in shown:
        finding = diagnostic.finding
        if finding.kernel is None:
            found.append(None)
            continue
        file = finding.span.file
        name, kernel = (file, "") if _comes_of_macro(diagnostic) else (basename(file), finding.kernel)
        copy = Copy(finding.code, name, kernel, finding.message, finding.help, 0)
        among = finding.kernel, file, copy
        found.append(copy._replace(number=seen[among]))
        seen[among] += 1
    return found


def _comes_of_macro(diagnostic: Diagnostic) -> bool:
    """Whether a finding stands where its kernel begins: the use of a macro that makes the whole kernel."""
    at, kernel = diagnostic.finding.span, diagnostic.kernel_span
    return kernel is not None and (at.file, at.line, at.column) == (kernel.file, kernel.line, kernel.column)


def sorted_into(keys: Sequence[Copy | None]) -> list[list[int]]:
    """Return the positions of the findings that are copies of each other, in the order of the first of each."""
    together: dict[object, list[int]] = {}
    for position, key in enumerate(keys):
        together.setdefault(position if key is None else key, []).append(position)
    return list(together.values())
