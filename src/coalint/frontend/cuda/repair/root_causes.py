"""The problems whose cause lies outside of a file's own lines: a header, a name or a macro that is not at hand."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from coalint.core import ir
from coalint.core.facts.causes import Cause, CauseKind, cause
from coalint.core.source.spans import Span
from coalint.frontend.interface import BuildMacro

SHOWN = 8
_MACRO = re.compile(r"_*[A-Z][A-Z0-9_]+")
_PUT_IN = re.compile(r"__[A-Z][A-Z0-9_]*__")
"""Names as programs that compile a text at run time have for what they replace in it."""


def about(kind: CauseKind, names: Iterable[str], declared: str = "") -> Cause:
    """Return the cause that these names are, by which problems of other files with the same cause are known."""
    return cause(kind, declared, names=", ".join(names))


def numbered(numbers: Mapping[str, str], span: Span) -> ir.Problem:
    """Return the constants without which arrays have no size, as one problem at the place of the first."""
    names = list(numbers)
    list_, one = listed(names), len(names) == 1
    values = listed([f"{name} = {value}" for name, value in numbers.items()])
    return ir.Problem(
        kind=ir.ProblemKind.TRANSLATION_UNIT_ERROR,
        message=f"{list_} {'is' if one else 'are'} not declared in any header found; supposed: {values}",
        span=span,
        help=f"say what {'it is' if one else 'they are'}: -D {names[0]}=N; -U {names[0]} keeps it undefined",
        cause=about(CauseKind.UNDECLARED, names),
    )


def by_place(built: Iterable[BuildMacro]) -> Iterator[list[BuildMacro]]:
    """Yield the macros of each place of a build file."""
    places: dict[str, list[BuildMacro]] = {}
    for macro in built:
        places.setdefault(macro.place, []).append(macro)
    yield from places.values()


def given_by_build(macros: Sequence[BuildMacro], span: Span) -> ir.Problem:
    """Return the macros that a build file defines with one of several values, or in some builds alone."""
    one, place = len(macros) == 1, macros[0].place
    values = listed([f"{m.name} = {m.values[0]}{_or(m.values[1:])}" for m in macros])
    options = " ".join(f"-D {macro.definition}" for macro in macros)
    return ir.Problem(
        kind=ir.ProblemKind.TRANSLATION_UNIT_ERROR,
        message=f"the build defines {listed([macro.name for macro in macros])} ({place}); supposed: {values}",
        span=span,
        help=f"say what {'it is' if one else 'they are'} to be: {options}; -U {macros[0].name} keeps it undefined",
        cause=about(CauseKind.BUILD, (macro.name for macro in macros), place.rpartition(":")[0]),
    )


def _or(others: Sequence[str]) -> str:
    """Return the other values that some build gives a macro, in brackets."""
    return f" (also {', '.join(others)})" if others else ""


def undeclared(declared: Sequence[str], all_numbers: Container[str], span: Span) -> ir.Problem:
    """Return the names that were declared as unknown or as numbers, as one problem at the place of the first."""
    names = [name for name in declared if name not in all_numbers]
    numbers = [name for name in declared if name in all_numbers]
    list_, one = listed(names or numbers), len(names or numbers) == 1
    taken = "is assumed to be the number that its name says"
    if len(numbers) > 1:
        taken = "are assumed to be the numbers that their names say"
    if names:
        what = f"what depends on {'it' if one else 'them'} is unknown"
        what += f", while {listed(numbers)} {taken}" if numbers else ""
    else:
        what = f"{'it' if one else 'they'} {taken}"
    put_in = [name for name in names if _PUT_IN.fullmatch(name)]
    if put_in:
        names = [*put_in, *(name for name in names if name not in put_in)]
        list_ = listed(names)
        what = f"{_those(put_in, names)} put in when the host compiles the text, or by a build; {what}"
    return ir.Problem(
        kind=ir.ProblemKind.TRANSLATION_UNIT_ERROR,
        message=f"{list_} {'is' if one else 'are'} not declared in any header found; {what}",
        span=span,
        help=_help(names, put_in),
        cause=about(CauseKind.UNDECLARED, names or numbers),
    )


def _help(names: Sequence[str], put_in: Sequence[str]) -> str:
    """Return what to do about names that nothing declares; a name in capitals may be a macro of the build."""
    if put_in:
        return f"say what the text is compiled with: {' '.join(f'-D {name}=VALUE' for name in put_in[:2])}"
    if not names:
        return ""
    header = f"add the folder of the header that declares {'it' if len(names) == 1 else 'them'} with -I"
    macro = next(filter(_MACRO.fullmatch, names), None)
    return header if macro is None else f"{header}, or say what a build defines: -D {macro}=VALUE"


def _those(some: Sequence[str], names: Sequence[str]) -> str:
    """Return a subject with its verb for some of the names that a message lists."""
    if len(some) < len(names):
        return f"{some[0]} and its like are" if len(some) > 1 else f"{some[0]} is"
    return "it is" if len(names) == 1 else "they are"


def lacking(missing: ir.Problem, names: Sequence[str]) -> ir.Problem:
    """Return a missing include with the names that nothing else declares: they follow from it."""
    if not names:
        return missing
    unknown = f"what depends on {'it' if len(names) == 1 else 'them'} is unknown"
    verb = "is" if len(names) == 1 else "are"
    return replace(missing, message=f"{missing.message}; {listed(names)} {verb} not declared, and {unknown}")


def following(problem: ir.Problem, names: Sequence[str], headers: Sequence[str]) -> ir.Problem:
    """Return errors in a kernel with what they may follow from: names that nothing declares, or missing `headers`.

    The names stand in front of them; headers are told elsewhere.
    """
    if headers:
        return replace(problem, cause=about(CauseKind.NOT_FOUND, headers))
    if not names:
        return problem
    one = len(names) == 1
    root = f"{listed(names)} {'is' if one else 'are'} not declared in any header found"
    return replace(
        problem,
        message=f"{root}, and with {'it' if one else 'them'} unknown: {problem.message}",
        cause=about(CauseKind.UNDECLARED, names),
    )


def without_macro(problem: ir.Problem, macro: str, headers: Sequence[str]) -> ir.Problem:
    """Return errors in a kernel that follow from a macro that nothing defines."""
    help = f"include the header that defines {macro} in this file, or say where it is: -include HEADER"
    return replace(following(problem, (macro,), headers), help=problem.help if headers else help)


def of_template(problem: ir.Problem, placeholder: str) -> ir.Problem:
    """Return errors of a text that is a template: something else is put in before it is compiled."""
    return replace(
        problem,
        message=f"the text is a template, {placeholder} stands for what is put in: {problem.message}",
        help="check what is made of it, or leave it out: --exclude",
    )


def of_exercise(problem: ir.Problem, gap: str) -> ir.Problem:
    """Return errors of a text with gaps that a reader is to fill in."""
    return replace(
        problem,
        message=f"the text has gaps to fill in, {gap} marks one: {problem.message}",
        help="check it once they are filled in, or leave it out: --exclude",
        severe=False,
    )


def listed(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
