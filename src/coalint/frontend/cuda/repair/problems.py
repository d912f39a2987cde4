"""libclang's errors as problems: one per cause, at the place where a user would look first."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from coalint.core import ir
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.records import record
from coalint.core.source.boundary import is_shown
from coalint.core.source.real_paths import RealPaths
from coalint.core.source.spans import Span
from coalint.frontend.cuda.build.kernel_marks import may_hold_kernels
from coalint.frontend.cuda.libclang.errors import errors
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.repair.declarations import Undeclared
from coalint.frontend.cuda.repair.placed_errors import (
    NOT_FOUND,
    PlacedError,
    is_launch,
    is_no_code,
    is_refusal,
    kernel_at,
    line_of,
    placed_error,
    point,
    span_of,
)
from coalint.frontend.cuda.repair.prologue import Marked
from coalint.frontend.cuda.repair.root_causes import (
    about,
    by_place,
    following,
    given_by_build,
    lacking,
    numbered,
    of_exercise,
    of_template,
    undeclared,
    without_macro,
)
from coalint.frontend.cuda.repair.switches import switches_of_refusal
from coalint.frontend.cuda.repair.text_templates import gap, placeholder
from coalint.frontend.cuda.repair.undeclared_roots import FOLLOWS, follows, made_of, named_in
from coalint.frontend.cuda.repair.unknown_macros import unknown_macro
from coalint.frontend.cuda.templates.instances import lines_behind
from coalint.frontend.interface import BuildMacro

_HEADER = re.compile(r"'([^']+)' file not found")
_UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'")
_WORD = re.compile(r"[A-Za-z_]\w*")
_HELP_DEVICE_LAUNCH = (
    "state the block shape of the launched kernel in a comment above it: `// coalint: assume(blockDim.x == 256)`"
)
_HELP_ARGUMENTS = (
    "check it together with the files that launch it, or instantiate it: `template __global__ void kernel<...>(...);`"
)
_HELP_REFUSAL = "pass the build's definitions (-D NAME=VALUE, or -p with its compile_commands.json)"
_AGAIN = "redefinition of "  # which leaves the body whole
# Errors after which libclang keeps the whole statement.
_HARMLESS = (
    "an attribute list cannot appear here",
    "initialization is not supported for __shared__",
    "static assertion failed",
    "expected a for, while, or do-while loop to follow '#pragma unroll'",  # which nvcc ignores elsewhere
    "invalid value '0'; must be positive",  # of `#pragma unroll`, which nvcc ignores then
    "invalid value '-1'; must be positive",
    "use 'template' keyword to treat",  # which nvcc does without
    "__constant__, __device__, and __managed__ are not allowed on non-static local variables",  # beside __shared__
    "'alignas' attribute cannot be applied to types",  # after __shared__, where nvcc takes it
)


@record(frozen=True, slots=True)
class Tried:
    """A kernel template, where it stands, and the arguments (`name = value`) that it was given for want of a launch."""

    kernel: str
    arguments: tuple[str, ...]
    span: Span


@record(frozen=True, slots=True)
class Probes:
    """The lines after the text that name instances: those that came to nothing, and those that were tried."""

    unused: Container[int]
    tried: Mapping[int, Tried]


def diagnose(
    unit: Any,
    locations: Locations,
    kernels: Sequence[ir.Kernel],
    marked: Marked,
    probes: Probes,
    declared: Undeclared,
    places: Mapping[str, tuple[str, int, int]],
    supposed: Sequence[str] = (),
    built: Sequence[BuildMacro] = (),
) -> Iterator[ir.Problem]:
    """Yield the missing includes as one problem, one for each kernel with errors in it, one for the rest, and the names
    that were `declared` as unknown, one for each file that they stand in.

    Where an include is missing, errors outside of kernels follow from that and are left out; so are those of unused
    `probes`, and of what explicit instantiations were `marked` with. What stands in an instance that was only tried is
    a problem of its arguments and none of the text. What is no C++ is severe where the text has kernels; what a name
    means, a header of coalint's may just not say. `places` says where names were complained of, in headers too.
    Of the macros that are `supposed`, those with a value stand for constants that nothing declares, or are those of the
    `built`, to which some build gives this value.
    Names that nothing declares belong to the missing include, where there is one. Where the text comes to an `#error`,
    that is the one problem: the other errors follow from it.
    """
    placed: list[PlacedError] = []
    unfit: dict[Tried, list[str]] = {}
    real = RealPaths()
    for diagnostic in errors(unit):
        behind = lines_behind(diagnostic, locations.path)
        tried = [probes.tried[line] for line in sorted(behind) if line in probes.tried]
        if tried and not diagnostic.instance:
            unfit.setdefault(tried[0], []).append(diagnostic.spelling)
        elif not diagnostic.spelling.startswith(_HARMLESS) and not any(line in probes.unused for line in behind):
            placed.append(placed_error(diagnostic, span_of(diagnostic, locations), real))
    placed = [error for error in placed if not _inserted(error.span, locations, marked)]
    refused = [error for error in placed if is_refusal(error.span, locations)]
    if refused:
        inside = (kernel_at(error.span, kernels) for error in placed if not is_launch(error, locations))
        in_part = tuple(sorted({kernel for kernel in inside if kernel is not None}))
        yield replace(_refusal(refused[0], len(placed) - 1, locations), in_part=in_part)
        return
    missing = [error for error in placed if NOT_FOUND in error.text]
    headers = list(dict.fromkeys(name[1] for error in missing if (name := _HEADER.match(error.text)) is not None))
    by_kernel: dict[str | None, list[PlacedError]] = {}
    called: dict[str, Span] = {}
    for error in placed:
        written = error.span.file in locations.own and error.span.line <= len(locations.lines(error.span.file))
        if written and NOT_FOUND not in error.text:
            name = _UNDECLARED.fullmatch(error.text)
            if name is not None and name[1] in declared.called:
                called.setdefault(name[1], error.span)
            else:
                by_kernel.setdefault(kernel_at(error.span, kernels), []).append(error)
    outside = by_kernel.pop(None, [])
    made = made_of({name.rpartition("::")[2] for name in (*declared.names(), *called)}, locations)
    roots = [name for name in declared.names() if not made.get(name)]
    for kernel, in_kernel in by_kernel.items():
        others = [error for error in in_kernel if not is_launch(error, locations)]
        if others:
            lacks = [] if missing else named_in(roots, kernel, kernels, locations)
            first = others[0].text
            lacks = lacks if FOLLOWS.search(first) or set(lacks) & set(_WORD.findall(first)) else []
            undefined = unknown_macro(unit, locations, others[0].span) if first.startswith("expected ") else None
            mark = _gap_at(others, locations)
            if mark is not None:
                yield of_exercise(_problem(others, kernel, severe=False), mark)
            elif undefined is not None:
                yield without_macro(_problem(others, kernel, severe=False), undefined, headers)
            else:
                severe = is_no_code(others) and not missing and not lacks
                yield following(_problem(others, kernel, severe=severe), lacks, headers)
        else:
            message = f"launches from device code are not followed; the rest of the kernel {kernel} is analysed"
            yield ir.Problem(ir.ProblemKind.NOT_ANALYSED, message, in_kernel[0].span, kernel, help=_HELP_DEVICE_LAUNCH)
    outside = [error for error in outside if not follows(error, made, locations)]
    if outside and not missing:
        filled_in = placeholder(line for error in outside for line in line_of(error, locations))
        mark = _gap_at(outside, locations)
        no_code = [error.span for error in outside if error.grammar and filled_in is None]
        used = (unknown_macro(unit, locations, place) for place in no_code)
        undefined = next((name for name in used if name is not None), None)
        is_of_kernels = any(may_hold_kernels(locations.texts[file]) for file in locations.own)
        is_broken = is_no_code(outside) and filled_in is None and undefined is None
        problem = _problem(outside, None, severe=is_broken and is_of_kernels)
        if mark is not None:
            yield of_exercise(problem, mark)
        elif undefined is not None:
            yield without_macro(problem, undefined, headers)
        else:
            yield problem if filled_in is None else of_template(problem, filled_in)
    yield from (_unfit(tried, texts) for tried, texts in unfit.items())
    places = {**{name: (at.file, at.line, at.column) for name, at in called.items()}, **places}
    numbers = {name: value for name, _, value in (macro.partition("=") for macro in supposed) if value}
    by_build = [macro for macro in built if numbers.get(macro.name) == macro.values[0]]
    for macros in by_place(by_build):
        at = min((places[macro.name] for macro in macros if macro.name in places), default=(locations.path, 1, 1))
        yield given_by_build(macros, point(*at))
    for macro in by_build:
        del numbers[macro.name]
    if numbers:
        at = min((places[name] for name in numbers if name in places), default=(locations.path, 1, 1))
        yield numbered(numbers, point(*at))
    by_file: dict[str, list[tuple[tuple[int, int], str]]] = {}
    for declared_name in sorted({*roots, *called}):
        parts = (*reversed(declared_name.split("::")), "")
        place = next((places[part] for part in parts if part in places), None)
        if place is not None and is_shown(place[0]):
            by_file.setdefault(place[0], []).append((place[1:], declared_name))
    if missing:
        names = {name for found_there in by_file.values() for _, name in found_there} - set(declared.numbers())
        problem = replace(_problem(missing, None, severe=False), cause=about(CauseKind.NOT_FOUND, headers))
        yield lacking(problem, sorted(names))
    for file, found_there in sorted(by_file.items(), key=lambda item: (item[0] not in locations.own, item[0])):
        listed = [name for _, name in found_there if not missing or name in declared.numbers()]
        if listed:
            yield undeclared(listed, declared.numbers(), point(file, *min(found_there)[0]))


def _gap_at(placed: Sequence[PlacedError], locations: Locations) -> str | None:
    """Return what marks a gap to be filled in where the first error says that something is missing; None for none."""
    first = next((error for error in placed if error.grammar), placed[0])
    return gap(locations.lines(first.span.file), first.span.line)


def _refusal(error: PlacedError, others: int, locations: Locations) -> ir.Problem:
    """Return the `#error` that a text comes to, with the options that would avoid it where the source says which."""
    lines = locations.lines(error.span.file)
    macros = switches_of_refusal("\n".join(lines), error.span.line)
    options = " ".join(f"-D {macro}" for macro in macros)
    follows = f"; {others} more error{'s follow' if others > 1 else ' follows'} from it" if others else ""
    help = f"pass the build's definitions: {options}" if options else _HELP_REFUSAL
    message = f"#error {error.text}{follows}"
    return ir.Problem(ir.ProblemKind.TRANSLATION_UNIT_ERROR, message, error.span, help=help)


def _unfit(tried: Tried, texts: Sequence[str]) -> ir.Problem:
    """Return that the arguments that a kernel template was given do not fit it."""
    more = f" (and {len(texts) - 1} more error{'s' if len(texts) > 2 else ''})" if len(texts) > 1 else ""
    message = (
        f"nothing here gives the template arguments of the kernel {tried.kernel}, and {', '.join(tried.arguments)} do "
        f"not fit it: {texts[0]}{more}; what could not be parsed with them is not analysed"
    )
    ungiven = cause(CauseKind.UNGIVEN, tried.span.file)
    kind = ir.ProblemKind.NOT_ANALYSED
    return ir.Problem(kind, message, tried.span, tried.kernel, help=_HELP_ARGUMENTS, cause=ungiven)


def _inserted(span: Span, locations: Locations, marked: Marked) -> bool:
    lines = locations.lines(locations.path)
    inside = span.file == locations.path and span.line <= len(lines)
    return inside and marked.concerns(span.line, span.column, lines[span.line - 1])


def _problem(placed: list[PlacedError], kernel: str | None, severe: bool) -> ir.Problem:
    text, span, _ = placed[0]
    more = len(placed) - 1
    is_missing_include = NOT_FOUND in text
    what = "include" if is_missing_include else "error"
    others = f" (and {more} more {what}{'s' if more > 1 else ''})" if more else ""
    lost = f"; what of the kernel {kernel} could not be parsed is not analysed" if kernel is not None else ""
    torn = any(not error.text.startswith(_AGAIN) for error in placed)
    return ir.Problem(
        kind=ir.ProblemKind.TRANSLATION_UNIT_ERROR,
        message=f"{text}{others}{lost}",
        span=span,
        kernel=kernel,
        severe=severe,
        in_part=(kernel,) if kernel is not None and torn else (),
        is_missing_include=is_missing_include,
    )
