"""Specializations: their template arguments, and probes for templates that nothing in the file instantiates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from clang.cindex import TemplateArgumentKind

from coalint.core.records import record
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang import pretty_printed
from coalint.frontend.cuda.libclang.bindings import library, template_argument_kind
from coalint.frontend.cuda.libclang.errors import Error, errors
from coalint.frontend.cuda.libclang.trees import direct_children
from coalint.frontend.cuda.repair.declarations import Undeclared
from coalint.frontend.cuda.repair.scopes import ANY
from coalint.frontend.cuda.templates.representative_arguments import PARAMETERS, Visible, candidates

PREFIX = "coalint_probe_"

_LAMBDA = re.compile(r"\((lambda|anonymous \w+|unnamed \w+) at [^()]*?:(\d+):\d+\)")
_TARGETS = frozenset({kinds.FUNCTION_DECL, kinds.CXX_METHOD, kinds.CONSTRUCTOR})


def arguments_of(cursor: Any) -> tuple[str, ...]:
    """Return the template arguments of a specialization, as text; those of a pack one by one."""
    given = _arguments(cursor)
    return tuple(text for one in given for text in (one if isinstance(one, tuple) else (one,)))


def _arguments(cursor: Any) -> tuple[str | tuple[str, ...], ...]:
    """Return the argument of each template parameter of a specialization; of a pack, all that it has."""
    arguments: list[str] = []
    count: int = max(0, cursor.get_num_template_arguments())
    template = library().clang_getSpecializedCursorTemplate(cursor) if count else None
    parameters = [] if template is None else [c for c in direct_children(template) if c._kind_id in PARAMETERS]
    for position in range(count):
        kind = template_argument_kind(cursor, position)
        if kind == TemplateArgumentKind.TYPE:
            arguments.append(_plain(cursor.get_template_argument_type(position).spelling))
        elif kind == TemplateArgumentKind.INTEGRAL:
            value = cursor.get_template_argument_value(position)
            boolean = position < len(parameters) and parameters[position].type.spelling == "bool"
            arguments.append(("true" if value else "false") if boolean else str(value))
        else:
            printed = pretty_printed.template_arguments(cursor)
            if printed is None:
                return ("?",) * count
            return tuple(tuple(map(_plain, one)) if isinstance(one, tuple) else _plain(one) for one in printed)
    return tuple(arguments)


def _plain(argument: str) -> str:
    """Return an argument without the path of the file that a lambda stands in, and without the namespace of stubs."""
    return _LAMBDA.sub(r"(\1 at line \2)", argument).replace(ANY, "any")


def parameters_of(cursor: Any) -> list[tuple[str, str]]:
    """Return the names of the template parameters of a specialization with their arguments; a pack's are `{4, 8}`."""
    template = library().clang_getSpecializedCursorTemplate(cursor)
    if template is None:
        return []
    template._tu = cursor._tu
    parameters = [child for child in direct_children(template) if child._kind_id in PARAMETERS]
    return [
        (parameter.spelling, f"{{{', '.join(given)}}}" if isinstance(given, tuple) else given)
        for parameter, given in zip(parameters, _arguments(cursor), strict=False)
        if parameter.spelling
    ]


def parameter_names(cursor: Any) -> tuple[str, ...]:
    """Return the names of the template parameters of a specialization, empty for one without."""
    template = library().clang_getSpecializedCursorTemplate(cursor)
    if template is None:
        return ()
    template._tu = cursor._tu
    return tuple(child.spelling for child in direct_children(template) if child._kind_id in PARAMETERS)


def guessed(cursor: Any) -> tuple[str, ...]:
    """Return the template parameters of a probed specialization, as `name = value`."""
    return tuple(f"{name} = {value}" for name, value in parameters_of(cursor))


@record(frozen=True, slots=True)
class Probe:
    """Lines of source after the file's own; each takes the address of one instance of a template.

    `lines` says which template (a position in the sequence that was asked for) and which candidate each line is;
    `known` are the templates whose arguments are no guess.
    """

    text: str
    lines: tuple[tuple[int, int], ...]
    known: frozenset[int] = frozenset()


NO_PROBE = Probe("", ())


def probe(templates: Sequence[tuple[Any, str | None]], visible: Visible, undeclared: Undeclared) -> Probe:
    """Return takes the address of instances of each template, with arguments that may represent it.

    A function of a class template may come with the instance of its class. What the arguments need declared is added
    to `undeclared`.
    """
    text: list[str] = []
    lines: list[tuple[int, int]] = []
    for number, (cursor, owner) in enumerate(templates):
        for candidate, spelled in enumerate(candidates(cursor, visible, undeclared, owner)):
            text.append(f"static auto {PREFIX}{number}_{candidate} = &{spelled};")
            lines.append((number, candidate))
    known = frozenset(number for number, (_, owner) in enumerate(templates) if owner is not None)
    return Probe("\n".join(text), tuple(lines), known)


@record(frozen=True, slots=True)
class Probed:
    """What the probes of a translation unit gave: the best instance of each template, and the line that names it."""

    instances: dict[int, Any]
    lines: dict[int, int]


def probed(unit: Any, top: Sequence[Any], first_line: int, probe: Probe) -> Probed:
    """Return the specialization for each template that a probe names: that of the candidate with the fewest errors.

    `top` are the declarations of the unit's own files outside of all scopes.
    """
    by_template: dict[int, list[tuple[int, Any]]] = {}
    for cursor in top:
        if cursor._kind_id == kinds.VAR_DECL and cursor.spelling.startswith(PREFIX):
            number, _, candidate = cursor.spelling.removeprefix(PREFIX).partition("_")
            target = target_of(cursor)
            if target is not None and candidate.isdigit():
                by_template.setdefault(int(number), []).append((int(candidate), target))
    mistakes = Counter(
        probe.lines[line - first_line]
        for diagnostic in errors(unit)
        for line in lines_behind(diagnostic, unit.spelling)
        if 0 <= line - first_line < len(probe.lines)
    )
    best = {
        number: min(choices, key=lambda choice: (mistakes[number, choice[0]], choice[0]))
        for number, choices in by_template.items()
    }
    return Probed(
        {number: target for number, (_, target) in best.items()},
        {number: first_line + probe.lines.index((number, candidate)) for number, (candidate, _) in best.items()},
    )


def lines_behind(diagnostic: Error, path: str) -> set[int]:
    """Return the lines of the main file that an error stands in, or that asked for the instance that it stands in."""
    places = (diagnostic.location, *diagnostic.notes)
    return {place.line for place in places if place.file is not None and place.file.name == path}


def target_of(variable: Any) -> Any:
    """Return the function whose address a variable is initialized with."""
    pending = direct_children(variable)
    while pending:
        inner = pending.pop()
        target = library().clang_getCursorReferenced(inner) if inner._kind_id == kinds.DECL_REF_EXPR else None
        if target is not None and target._kind_id in _TARGETS:
            target._tu = variable._tu
            return target
        pending.extend(direct_children(inner))
    return None
