"""Macros with which a file's headers declare what it lacks, or without which it comes to an `#error`."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from clang.cindex import TranslationUnit

from coalint.frontend.cuda.build.bundled_headers import bundled_text
from coalint.frontend.cuda.libclang.inclusions import names_of
from coalint.frontend.cuda.repair.relevant_errors import at_all, count_lines, errors_of_text, is_refusal
from coalint.frontend.cuda.repair.repaired_file import RepairedFile
from coalint.frontend.cuda.repair.strategies.declared_names import improve
from coalint.frontend.cuda.repair.switches import (
    is_option,
    switches_of_choices,
    switches_of_each_name,
    switches_of_names,
    switches_of_refusal,
)

_UNDECLARED = re.compile(
    r"(?:unknown (?:type|class) name|use of undeclared (?:identifier|template name)|no (?:type|template|member) named)"
    r" '([A-Za-z_]\w*)'"
)
_HIP = os.path.join("hip", "hip_runtime.h")  # is read by programs that are written for HIP
SUPPOSED = 2  # rounds of macros
REFUSALS = 8  # places of an `#error` that are looked at


def switched_on(file: RepairedFile, unit: TranslationUnit) -> TranslationUnit:
    """Return the file parsed with such macros, if that leaves fewer errors; else `unit`."""
    errors = at_all(file, unit)
    for _ in range(SUPPOSED):
        names = _undeclared(errors)
        macros = _switches(file, unit, names, (*_refused(file, errors), *_chosen(file, unit, errors)))
        if not macros:
            break
        saved = file.saved()
        file.define(macros)
        again = file.again(unit)
        left = at_all(file, again)
        if count_lines(left) >= count_lines(errors):
            file.restore(saved)
            break
        unit, errors = again, left
    return unit


def switched_on_late(file: RepairedFile, unit: TranslationUnit) -> TranslationUnit:
    """Return the file with the macros that declare what only errors before it kept from being missed; else `unit`."""
    names = {name.rpartition("::")[2] for name in file.known.names()}
    macros = _switches(file, unit, names)
    if not macros:
        return unit
    saved = file.saved()
    file.define(macros)
    asked = switches_of_each_name(names, file.read_by(unit), is_hip=_is_for_hip(unit))
    declared = {name for name in names if not set(macros).isdisjoint(asked.get(name, ()))}
    for name in declared:
        file.known.refuse(name)
    again = improve(file, file.again(unit), partial(errors_of_text, file))
    left = at_all(file, again)
    if count_lines(left) > count_lines(at_all(file, unit)) or not declared.isdisjoint(_undeclared(left)):
        file.restore(saved)
        return unit
    return again


def _undeclared(errors: Iterable[Any]) -> set[str]:
    """Return the names that errors say are not declared."""
    return {match[1] for error in errors if (match := _UNDECLARED.match(error.spelling)) is not None}


def _switches(
    file: RepairedFile, unit: TranslationUnit, names: Collection[str], asked: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the macros that are asked for, and those with which headers declare the names, where they are options."""
    given = file.given_macros()
    texts, is_hip = file.read_by(unit), _is_for_hip(unit)

    def header(include: str) -> str:
        return bundled_text(include) or file.header(include)

    macros = (*asked, *(switches_of_names(names, texts, header, is_hip=is_hip) if names else ()))
    fresh = [macro for macro in dict.fromkeys(macros) if macro.partition("=")[0] not in given]
    return tuple(macro for macro in fresh if "=" in macro or is_option(macro, file.read_by(unit)))


def _is_for_hip(unit: TranslationUnit) -> bool:
    """Whether a program is written for HIP: not where a condition leaves its header out."""
    return any(name.endswith(_HIP) for name in names_of(unit))


def _chosen(file: RepairedFile, unit: TranslationUnit, errors: Iterable[Any]) -> tuple[str, ...]:
    """Return the macro by which a build chooses between parts of the text, where it is no C++ without a choice."""
    if not any(error.spelling.startswith("expected ") for error in errors):
        return ()
    return switches_of_choices(file.read_by(unit))


def _refused(file: RepairedFile, errors: Iterable[Any]) -> Iterator[str]:
    """Yield the macros without which the file comes to an `#error`."""
    for error in islice(filter(partial(is_refusal, file), errors), REFUSALS):
        yield from switches_of_refusal(file.text_of(error.location.file.name), error.location.line)
