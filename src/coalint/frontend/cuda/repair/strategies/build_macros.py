"""Macros to which a build file of the repository gives values, where the file cannot be read without one of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from clang.cindex import TranslationUnit

from coalint.frontend.cuda.repair.relevant_errors import at_all, count_lines, is_refusal
from coalint.frontend.cuda.repair.repaired_file import RepairedFile, written
from coalint.frontend.cuda.repair.switches import is_asked_for, is_option, switches_of_refusal
from coalint.frontend.interface import BuildMacro

ROUNDS = 3
_NAMED = re.compile(
    r"(?:unknown type name|use of undeclared (?:identifier|template name)|no template named) '([A-Za-z_]\w*)'"
)


def with_build_macros(file: RepairedFile, unit: TranslationUnit) -> TranslationUnit:
    """Return the file with the macros that it lacks, as a build defines them, if fewer lines have errors; else `unit`.

    With a macro come the others of its command.
    """
    for _ in range(ROUNDS):
        lacking = _lacking(file, written(unit))
        given = file.given_macros()
        places = {macro.place for macro in file.built if macro.name in lacking - given}
        wanted = [macro for macro in file.built if macro.place in places and macro.name not in given]
        macros = tuple(_definition(macro, file, unit) for macro in wanted)
        if not macros:
            break
        _place(file, written(unit), lacking)
        saved, before = file.saved(), count_lines(at_all(file, unit))
        file.define(macros)
        again = file.again(unit)
        if count_lines(at_all(file, again)) > before or lacking <= _lacking(file, written(again)):
            file.restore(saved)
            break
        unit = again
    return unit


def switches_asked_for(file: RepairedFile, unit: TranslationUnit) -> tuple[str, ...]:
    """Return the macros that a build defines as 1, and that conditions of the file or its headers alone ask for."""
    given, texts = file.given_macros(), list(file.read_by(unit))
    wanted = [macro.name for macro in file.built if macro.values[0] == "1" and macro.name not in given]
    return tuple(name for name in wanted if is_asked_for(name, texts) and is_option(name, texts))


def _definition(macro: BuildMacro, file: RepairedFile, unit: TranslationUnit) -> str:
    """Return what defines a macro: without a value where it is 1 and only conditions ask for it, as an option is."""
    is_switch = macro.values[0] == "1" and is_option(macro.name, file.read_by(unit))
    return macro.name if is_switch else macro.definition


def _place(file: RepairedFile, errors: Iterable[Any], names: Collection[str]) -> None:
    """Note where the names are complained of first."""
    for error in errors:
        match = _NAMED.match(error.spelling)
        if match is not None and match[1] in names:
            location = error.location
            file.places.setdefault(match[1], (location.file.name, location.line, location.column))


def _lacking(file: RepairedFile, errors: Iterable[Any]) -> set[str]:
    """Return the names that errors say are not declared, and those without which the file comes to an `#error`."""
    names: set[str] = set()
    for error in errors:
        match = _NAMED.match(error.spelling)
        names |= {match[1]} if match is not None else set()
        if is_refusal(file, error):
            asked = switches_of_refusal(file.text_of(error.location.file.name), error.location.line)
            names |= {macro.partition("=")[0] for macro in asked}
    return names
