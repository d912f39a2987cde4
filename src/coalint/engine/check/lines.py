"""One line of a file that alone is asked about: the kernels whose code holds it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.core import ir
    from coalint.core.facts.launch import Specialization
    from coalint.core.source.spans import Span


@record(frozen=True, slots=True)
class Line:
    """A line of a file.

    Attributes:
        file: The real path of the file.
        number: The line, from 1.
    """

    file: str
    number: int

    def is_in(self, span: Span) -> bool:
        """Whether the line is one of a place's."""
        return span.line <= self.number <= span.end_line and os.path.realpath(span.file) == self.file


def with_line(
    module: ir.Module, pairs: Iterable[tuple[ir.Kernel, Specialization]], line: Line
) -> tuple[tuple[ir.Kernel, Specialization], ...]:
    """Return those kernels that hold a line, in their own body or in that of a function which they reach."""
    from coalint.core.ir.canonical import CanonicalForms

    kernels = {kernel.function.key: kernel.function for kernel in module.kernels}
    forms = CanonicalForms({**module.functions, **kernels}, module.sources)
    holds: dict[str, bool] = {}

    def is_wanted(kernel: ir.Kernel) -> bool:
        if kernel.key not in holds:
            reached = forms.reach([kernel.function]).functions
            holds[kernel.key] = any(line.is_in(function.span) for function in reached)
        return holds[kernel.key]

    return tuple(pair for pair in pairs if is_wanted(pair[0]))
