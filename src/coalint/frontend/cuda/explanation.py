"""What libclang says of a file with given flags: its errors with their places, and the kernels that come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang.bindings import errors
from coalint.frontend.cuda.libclang.opened_files import MISSING
from coalint.frontend.cuda.libclang.parse import parse
from coalint.frontend.cuda.load import load, read

FLAGS = "(flags)"


@dataclass(frozen=True, slots=True)
class Said:
    """One error; the file of its span is FLAGS where no file is at fault.

    `include` is what an `#include` names that libclang did not find.
    """

    message: str
    span: Span
    include: str | None


def listen(path: str, flags: Sequence[str], supposing: bool = False) -> tuple[tuple[Said, ...], ir.Module]:
    """libclang's errors over the text as it stands, and the module. Raises FrontendError, as `load` does."""
    text = read(path)
    unit = parse(path, flags, text)
    said = []
    for diagnostic in errors(unit):
        location = diagnostic.location
        file = location.file.name if location.file else FLAGS
        line, column = (max(1, location.line), max(1, location.column)) if location.file else (1, 1)
        missing = MISSING.search(diagnostic.spelling)
        span = Span(file, line, column, line, column + 1)
        said.append(Said(diagnostic.spelling, span, missing[1] if missing else None))
    return tuple(said), load(path, flags, supposing=supposing)
