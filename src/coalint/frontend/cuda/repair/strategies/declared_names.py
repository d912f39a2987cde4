"""Declarations of the names that a file lacks, as its errors tell what they must be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from clang.cindex import TranslationUnit

from coalint.frontend.cuda.libclang.errors import errors
from coalint.frontend.cuda.repair.complaints import OTHER_PARAMETERS, Complaint
from coalint.frontend.cuda.repair.relevant_errors import around, count_lines
from coalint.frontend.cuda.repair.repaired_file import RepairedFile, written
from coalint.frontend.cuda.repair.strategies.foreseen_names import learn_foreseen
from coalint.frontend.cuda.repair.stubs import ROUNDS, read_complaints, refuse_redefined
from coalint.frontend.interface import FrontendError

_QUOTED = re.compile(r"'([^']*)'")
_WORD = re.compile(r"[A-Za-z_]\w*")


def improve(
    file: RepairedFile, unit: TranslationUnit, relevant: Callable[[TranslationUnit], list[Any]], most: int = ROUNDS
) -> TranslationUnit:
    """Parse again while that leaves no more of the relevant errors, a bounded number of times for one file."""
    complaints = relevant(unit)
    while file.rounds < most:
        file.rounds += 1
        saved = file.saved()
        near = around(file, unit)
        spaces = set(file.known.top.inner)
        if not complaints or not _learn(file, [*complaints, *near]):
            break
        _learn(file, _mistaken(file, unit))
        learn_foreseen(file, unit, [*complaints, *near], spaces)
        try:
            again = file.again(unit)
            if refuse_redefined(_twice(file, again), file.known):
                again = file.unit()
            left = relevant(again)
        except FrontendError:  # the declarations are more than libclang can take
            file.restore(saved)
            break
        if count_lines(left) > count_lines(complaints):
            file.refuse(again)
            file.restore(saved)
            break
        _place(file, [*complaints, *near])
        unit, complaints = again, left
    return unit


def _place(file: RepairedFile, complaints: Iterable[Any]) -> None:
    """Note where the names that errors quote are complained of first."""
    for error in complaints:
        location = error.location
        place = (location.file.name if location.file else file.path, location.line, location.column)
        for quoted in _QUOTED.findall(error.spelling):
            for name in _WORD.findall(quoted):
                file.places.setdefault(name, place)
        file.places.setdefault("", place)


def _mistaken(file: RepairedFile, unit: TranslationUnit) -> list[Any]:
    """Return the errors that say of what was taken for a namespace that it is a type."""
    said = {f"unknown type name '{name}'" for name in file.known.top.inner}
    return [error for error in written(unit) if error.spelling in said]


def _twice(file: RepairedFile, unit: TranslationUnit) -> Iterator[Complaint]:
    """Yield the errors; those that a text has to tell the name of, with it."""
    for error in errors(unit):
        is_nameless = error.location.file is not None and OTHER_PARAMETERS.search(error.spelling)
        yield _complaint(file, error) if is_nameless else Complaint(error.spelling, "", None)


def _learn(file: RepairedFile, complaints: Iterable[Any]) -> bool:
    return read_complaints([_complaint(file, error) for error in complaints], file.known)


def _complaint(file: RepairedFile, error: Any) -> Complaint:
    location = error.location
    offset = file.character(location.file.name, location.offset)
    code = file.code_of(location.file.name)
    return Complaint(error.spelling, code, offset if offset <= len(code) else None, error.instance)
