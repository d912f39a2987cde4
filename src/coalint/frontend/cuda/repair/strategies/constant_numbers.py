"""Numbers for constants that nothing declares, where C++ cannot do without their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import Any

from clang.cindex import TranslationUnit

from coalint.frontend.cuda.repair.relevant_errors import around, at_all, count_lines, errors_of_text
from coalint.frontend.cuda.repair.repaired_file import RepairedFile
from coalint.frontend.cuda.repair.strategies.declared_names import improve
from coalint.frontend.cuda.templates.representative_arguments import number_named

CONSTANTS = 16  # that are supposed for want of a declaration
_NO_NUMBER = re.compile(
    r"variable[- ]length array|must be initialized by a constant expression|is not a constant expression"
    r"|variably modified|not an integral constant"
)
_WORD = re.compile(r"[A-Za-z_]\w*")
_LABEL = re.compile(r"\bcase\s+(\w+)\s*:")


def with_numbers(file: RepairedFile, unit: TranslationUnit) -> TranslationUnit:
    """Return the file with numbers for such constants, if fewer lines have errors then, or fewer lack one; else `unit`.

    Such are the extents of arrays: libclang drops the statements that use one without, and says nothing of what else
    is wrong with them. Where there are such, the other constants that the file computes with are given numbers too,
    since these go together.
    """
    errors = _without_number([*errors_of_text(file, unit), *around(file, unit)])
    written = {word for error in errors for word in _WORD.findall(file.line_of(error))}
    undeclared = set(file.known.constants()) - file.given_macros()
    if not written & undeclared:
        return unit
    computed = {word for word in undeclared if re.search(rf"[-+*/%]=?\s*{word}\b|\b{word}\s*[-+*/%]", file.text)}
    names = sorted(undeclared & (written | computed))[:CONSTANTS]
    saved = file.saved()
    file.define(tuple(f"{name}={number}" for name, number in _numbers(names, file.text).items()))
    for name in names:
        file.known.refuse(name)
    again = improve(file, file.again(unit), partial(errors_of_text, file))
    before, left = at_all(file, unit), at_all(file, again)
    lacking = count_lines(_without_number(before)), count_lines(_without_number(left))
    if (count_lines(left), lacking[1]) >= (count_lines(before), lacking[0]):
        file.restore(saved)
        return unit
    return again


def _numbers(names: Iterable[str], text: str) -> dict[str, int]:
    """Return a number for each name: what such constants often are, but another for each label of a `switch`."""
    labels = set(_LABEL.findall(text))
    taken = {int(label) for label in labels if label.isdecimal()}
    numbers: dict[str, int] = {}
    for name in names:
        number = number_named(name)
        while name in labels and number in taken:
            number += 1
        taken.add(number)
        numbers[name] = number
    return numbers


def _without_number(errors: Iterable[Any]) -> list[Any]:
    """Return the errors which say that something is no constant."""
    return [error for error in errors if _NO_NUMBER.search(error.spelling)]
