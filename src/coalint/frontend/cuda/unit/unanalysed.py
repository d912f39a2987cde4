"""Kernels of a unit that are not analysed: those that libclang did not give, and too many instances of a template."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from coalint.core import ir
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.repair.directives import without_conditions
from coalint.frontend.cuda.repair.macros import is_type
from coalint.frontend.cuda.repair.missing_kernels import defined_kernels, head_lines, kernels_in_strings
from coalint.frontend.cuda.repair.switches import conditions, options_for, switches
from coalint.frontend.cuda.templates.instances import arguments_of
from coalint.frontend.cuda.unit.launched_instances import MAX_INSTANCES, LaunchedInstances, Place, spread
from coalint.frontend.cuda.unit.scan import Scan, place
from coalint.frontend.interface import Scope

_HELP_STRING = "keep the source in its own file, which the program reads or embeds: that file can be checked"
_HELP_INSTANCES = "the report holds for those that were; check a program that has fewer of them"
_HELP_OFF = "define what makes the condition hold (-D), if a build does"
SHOWN = 3  # conditions around a kernel that is switched off, the innermost ones


def limited(
    kernels: dict[str, Any],
    locations: Locations,
    scope: Scope,
    problems: list[ir.Problem],
    launched: LaunchedInstances | None,
) -> dict[str, Any]:
    """Return at most MAX_INSTANCES of each template, spread over all of them; the rest is counted as a problem.

    Those that were profiled come beside them. `launched` has chosen already, of templates with very many.
    """
    instances: dict[Place, list[str]] = {}
    for key, cursor in kernels.items():
        instances.setdefault(place(cursor), []).append(key)
    kept = dict(kernels)
    for at, keys in instances.items():
        others = {} if launched is None else launched.of_template(at)
        if not others and len(keys) <= MAX_INSTANCES:
            continue
        chosen = spread(keys) if launched is None or not others else launched.chosen
        left_out = [key for key in keys if key not in chosen and not is_profiled(kernels[key], scope)]
        count = len(others.keys() | set(keys))
        if left_out or count > len(keys):
            message = (
                f"{count - len(keys) + len(left_out)} of the {count} instances of the kernel template "
                f"{kernels[keys[0]].spelling} were not analysed: at most {MAX_INSTANCES} are, spread over all of them"
            )
            span = locations.span(kernels[keys[0]])
            problems.append(ir.Problem(ir.ProblemKind.NOT_ANALYSED, message, span, help=_HELP_INSTANCES))
        for key in left_out:
            del kept[key]
    return kept


def is_profiled(cursor: Any, scope: Scope) -> bool:
    """Whether the scope asks for an instance that was profiled."""
    if not scope.profiled:
        return False
    arguments = arguments_of(cursor)
    return any(asked.is_instance(cursor.spelling, arguments) for asked in scope.profiled)


def _lost(
    name: str, span: Span, text: str, errors: Collection[int], broken: bool, valued: Collection[str]
) -> ir.Problem:
    """Return a kernel that libclang did not give: switched off by the conditions around it, or lost to an error.

    `errors` are the lines of the file with errors: what the preprocessor leaves out has none. `broken` says that an
    error is severe. A macro that the text has for a type is no switch, unless it is `valued`: some build gives it one.
    """
    around = conditions(text, span.line)
    inside = broken and (not around or any(around[-1][0] < line <= span.line for line in errors))
    if inside or not around:
        reason = "an error before it" if around else _reason(text, span.line, errors, inside)
        message = f"the kernel {name} was not analysed: libclang did not see it ({reason})"
        return ir.Problem(ir.ProblemKind.NOT_ANALYSED, message, span, name, severe=inside)
    listed = " or ".join(f"`{condition}` in line {at}" for at, condition in around[-SHOWN:])
    options = options_for(text, span.line)
    asked = switches(text, span.line)
    return ir.Problem(
        kind=ir.ProblemKind.NOT_ANALYSED,
        message=f"the kernel {name} was not analysed: the preprocessor leaves it out, since {listed} does not hold",
        span=span,
        kernel=name,
        switches=asked
        if all(macro in valued or not is_type(macro, without_conditions(text)) for macro in asked)
        else (),
        help=f"pass the definitions of a build that has it: {' '.join(options)}" if options else _HELP_OFF,
        cause=cause(CauseKind.SWITCHED_OFF, names=" ".join(condition for _, condition in around)),
    )


def _reason(text: str, line: int, errors: Collection[int], inside: bool) -> str:
    """Return why libclang did not see a kernel around which there is no condition of the preprocessor."""
    if any(at in head_lines(text, line) for at in errors):
        return "an error in its declaration"
    if inside:
        return "an error before it"
    return "an error hides it, or a macro renames it" if errors else "the preprocessor disables or renames it"


def missing(
    kernels: list[ir.Kernel],
    scan: Scan,
    scope: Scope,
    problems: list[ir.Problem],
    lone: list[Any],
    errors: Collection[tuple[str, int]] = (),
    valued: Collection[str] = (),
) -> None:
    """Add the problems of kernels that libclang did not give, and of the `lone` templates that nothing instantiates.

    `errors` are the files and lines of libclang's errors, `valued` macros to which some build gives a value.
    """
    locations = scan.locations
    names = {kernel.name for kernel in kernels}
    known = names | {cursor.spelling for cursor in scan.templates.values()}
    broken = any(problem.severe and problem.kind is ir.ProblemKind.TRANSLATION_UNIT_ERROR for problem in problems)
    written = [place for file in locations.own for place in defined_kernels(locations.texts[file], file)]
    for name, span in written:
        if scope.only and name not in scope.only:
            continue
        if name not in known and name not in {problem.kernel for problem in problems}:
            lines = {line for file, line in errors if file == span.file}
            problems.append(_lost(name, span, locations.texts[span.file], lines, broken, valued))
    for file in locations.own:
        for name, span in kernels_in_strings(locations.texts[file], file):
            message = f"the kernel {name} was not analysed: it is in a string that is compiled at run time"
            problems.append(ir.Problem(ir.ProblemKind.NOT_ANALYSED, message, span, name, help=_HELP_STRING))
    for cursor in lone:
        if cursor.spelling not in names:
            reason = "no launch instantiates this kernel template, and no representative arguments fit"
            span = locations.span(cursor)
            ungiven = cause(CauseKind.UNGIVEN, span.file)
            problems.append(ir.Problem(ir.ProblemKind.NOT_ANALYSED, reason, span, cursor.spelling, cause=ungiven))
