"""libclang's errors as problems: one per cause, at the place where a user would look first."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Any

from coalint import ir
from coalint.diagnostics import Span
from coalint.frontend.clang import errors
from coalint.frontend.explicit import Marked
from coalint.frontend.instantiate import lines_behind
from coalint.frontend.locations import Locations

_NOT_FOUND = "file not found"
SHOWN = 8
# Errors after which libclang keeps the whole statement.
_HARMLESS = (
    "an attribute list cannot appear here",
    "initialization is not supported for __shared__",
    "static assertion failed",
)


def diagnose(
    unit: Any, locations: Locations, kernels: Sequence[ir.Kernel], marked: Marked, unused: Container[int]
) -> Iterator[ir.Problem]:
    """The missing includes as one problem, then one for each kernel with errors in it, then one for the rest.

    Where an include is missing, errors outside of kernels follow from that and are left out; so are those of probes
    at the `unused` lines, and of what explicit instantiations were `marked` with.
    """
    told = (
        diagnostic
        for diagnostic in errors(unit)
        if not diagnostic.spelling.startswith(_HARMLESS)
        and not any(line in unused for line in lines_behind(diagnostic, locations.path))
    )
    placed = [(diagnostic.spelling, _span(diagnostic, locations)) for diagnostic in told]
    placed = [(text, span) for text, span in placed if not _inserted(span, locations, marked)]
    missing = [(text, span) for text, span in placed if _NOT_FOUND in text]
    if missing:
        yield _problem(missing, None, severe=False)
    by_kernel: dict[str | None, list[tuple[str, Span]]] = {}
    for text, span in placed:
        written = span.file in locations.own and span.line <= len(locations.lines(span.file))
        if written and _NOT_FOUND not in text:
            by_kernel.setdefault(_kernel_at(span, kernels), []).append((text, span))
    outside = by_kernel.pop(None, [])
    for kernel, found in by_kernel.items():
        yield _problem(found, kernel, severe=not missing)
    if outside and not missing:
        yield _problem(outside, None, severe=True)


def undeclared(names: Sequence[str], first: tuple[str, int, int] | None) -> Iterator[ir.Problem]:
    """The names that were declared as unknown, as one problem at the place of the first."""
    if names and first is not None:
        file, line, column = first
        named = ", ".join(names[:SHOWN])
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        verb, them = ("is", "it") if len(names) == 1 else ("are", "them")
        declared = "not declared in any header that was found"
        message = f"{named}{more} {verb} {declared}; what comes through {them} is unknown"
        yield ir.Problem("translation-unit-error", message, Span(file, line, column, line, column + 1))


def _inserted(span: Span, locations: Locations, marked: Marked) -> bool:
    lines = locations.lines(locations.path)
    inside = span.file == locations.path and span.line <= len(lines)
    return inside and marked.concerns(span.line, span.column, lines[span.line - 1])


def _problem(found: list[tuple[str, Span]], kernel: str | None, severe: bool) -> ir.Problem:
    text, span = found[0]
    more = len(found) - 1
    what = "include" if _NOT_FOUND in text else "error"
    others = f" (and {more} more {what}{'s' if more > 1 else ''})" if more else ""
    lost = f"; what of the kernel {kernel} could not be parsed is not analysed" if kernel is not None else ""
    return ir.Problem("translation-unit-error", f"{text}{others}{lost}", span, kernel, severe)


def _kernel_at(span: Span, kernels: Sequence[ir.Kernel]) -> str | None:
    for kernel in kernels:
        if kernel.span.file == span.file and kernel.span.line <= span.line <= kernel.span.end_line:
            return kernel.name
    return None


def _span(diagnostic: Any, locations: Locations) -> Span:
    location = diagnostic.location
    file = location.file.name if location.file else locations.path
    line, column = max(1, location.line), max(1, location.column)
    return Span(file, line, column, line, column + 1)
