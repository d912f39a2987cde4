"""libclang's errors with their places: what they say, and what they stand in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from coalint.core import ir
from coalint.core.source.boundary import is_shown
from coalint.core.source.real_paths import RealPaths
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.repair.switches import REFUSAL

NOT_FOUND = "file not found"
_UNKNOWN = re.compile(r"unknown type name|no (?:member|type|template) named '\w+' in namespace")
_LAUNCH = re.compile(r"[\w:]+\s*(?:<[^<>;]*>)?\s*<<<")


class PlacedError(NamedTuple):
    """An error's text and place; `grammar` as clang.Error has it."""

    text: str
    span: Span
    grammar: bool


def placed_error(diagnostic: Any, span: Span, real: RealPaths) -> PlacedError:
    """Return an error, without its words where they may be those of a file outside of the repository."""
    if is_shown(span.file, real):
        return PlacedError(diagnostic.spelling, span, diagnostic.grammar)
    what = f"include in this header: {NOT_FOUND}" if NOT_FOUND in diagnostic.spelling else "error in this header"
    return PlacedError(f"an {what} (it is outside of the repository)", span, diagnostic.grammar)


def span_of(diagnostic: Any, locations: Locations) -> Span:
    """Return where an error stands; the start of the file where libclang names no place."""
    location = diagnostic.location
    file = location.file.name if location.file else locations.path
    return point(file, max(1, location.line), max(1, location.column))


def point(file: str, line: int, column: int) -> Span:
    """Return the place of one character."""
    return Span(file, line, column, line, column + 1)


def line_of(error: PlacedError, locations: Locations) -> list[str]:
    """Return the line that an error stands on; nothing after the end of its file."""
    return locations.lines(error.span.file)[error.span.line - 1 : error.span.line]


def is_launch(error: PlacedError, locations: Locations) -> bool:
    """Whether it is a launch inside of a kernel, which libclang does not know."""
    lines = locations.lines(error.span.file)
    line = lines[error.span.line - 1] if error.span.line <= len(lines) else ""
    return not error.grammar and _LAUNCH.match(line, error.span.column - 1) is not None


def kernel_at(span: Span, kernels: Sequence[ir.Kernel]) -> str | None:
    """Return the name of the kernel whose text a place is in; None for none."""
    for kernel in kernels:
        if kernel.span.file == span.file and kernel.span.line <= span.line <= kernel.span.end_line:
            return kernel.name
    return None


def is_refusal(span: Span, locations: Locations) -> bool:
    """Whether an error is the `#error` that stands in its line."""
    lines = locations.lines(span.file)
    return span.line <= len(lines) and REFUSAL.match(lines[span.line - 1]) is not None


def is_no_code(placed: Sequence[PlacedError]) -> bool:
    """Whether errors say that the text is no C++; what is said of an unknown type may follow from that."""
    is_unknown = any(_UNKNOWN.match(error.text) for error in placed)
    return not is_unknown and any(error.grammar for error in placed)
