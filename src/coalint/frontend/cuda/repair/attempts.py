"""Parses a file with what its own lines need: one strategy after the other, each kept where it leaves fewer errors."""

from __future__ import annotations

from functools import partial

from clang.cindex import TranslationUnit

from coalint.frontend.cuda.repair.relevant_errors import errors_of_text
from coalint.frontend.cuda.repair.repaired_file import MARKS, RepairedFile
from coalint.frontend.cuda.repair.strategies.build_macros import with_build_macros
from coalint.frontend.cuda.repair.strategies.constant_numbers import with_numbers
from coalint.frontend.cuda.repair.strategies.declared_names import improve
from coalint.frontend.cuda.repair.strategies.header_macros import switched_on, switched_on_late
from coalint.frontend.cuda.repair.strategies.installed_headers import with_installed_headers
from coalint.frontend.cuda.repair.strategies.later_standard import with_later_standard
from coalint.frontend.cuda.repair.strategies.own_half import with_own_half


def best(file: RepairedFile) -> TranslationUnit:
    """Return the file, with what its own lines need declared."""
    unit = with_own_half(file, with_later_standard(file, file.unit()))
    if not file.fragments and not MARKS.search(file.text):
        return unit
    unit = with_installed_headers(file, unit)
    if file.supposing:
        unit = switched_on(file, with_build_macros(file, unit))
    unit = improve(file, unit, partial(errors_of_text, file))
    return with_numbers(file, switched_on_late(file, unit)) if file.supposing else unit
