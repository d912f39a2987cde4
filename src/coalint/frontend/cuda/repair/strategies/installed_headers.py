"""Headers and names that coalint's own headers lack, from a CUDA toolkit or package that is installed.

Three things come from installed folders: a header that nothing else has (`cudnn.h`, CUTLASS); a library of the host, as
a whole, where coalint's header lacks one of its names (`cublasLt.h`); CUB, Thrust and libcu++ together, where coalint's
part of them lacks a header or a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from clang.cindex import TranslationUnit

from coalint.frontend.cuda.build.include_folders import in_bundled_library
from coalint.frontend.cuda.libclang.errors import MISSING
from coalint.frontend.cuda.libclang.inclusions import names_of
from coalint.frontend.cuda.repair import installed
from coalint.frontend.cuda.repair.repaired_file import RepairedFile, written
from coalint.frontend.interface import FrontendError

ROUNDS = 3
"""Parses of one file, each with what the headers of the one before lack."""
_LACKS_IN_NAMESPACE = re.compile(
    r"no (?:type|member|template) named '\w+' in (?:namespace )?'(?:::)?(?:cub|thrust|cuda)\b"
)
_NAME = re.compile(r"(?:use of undeclared identifier|unknown type name|no template named) '(\w+)'")


class _Lacks(NamedTuple):
    """What is to come from installed folders: headers by name, libraries of the host, CUB and its like."""

    headers: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()
    libraries: bool = False


def with_installed_headers(file: RepairedFile, unit: TranslationUnit) -> TranslationUnit:
    """Return the file with what installed folders serve of what it lacks, as far as that leaves fewer errors."""
    lacks = _Lacks()
    for _ in range(ROUNDS if file.installed else 0):
        more = _lacks(file, unit, lacks)
        ways = {more, more._replace(libraries=lacks.libraries)} - {lacks}
        for wanted in sorted(ways, key=lambda way: way.libraries, reverse=True):
            again = _better(file, unit, wanted)
            if again is not None:
                unit, lacks = again, wanted
                break
        else:
            break
    return unit


def _better(file: RepairedFile, unit: TranslationUnit, wanted: _Lacks) -> TranslationUnit | None:
    """Return the file with this from installed folders; None, and the file as it was, where that has as many errors.

    Errors inside of installed headers do not count: those in what kernels reach are found and told as any others.
    """
    before = file.served
    file.served = installed.served(file.installed, wanted.headers, wanted.families, wanted.libraries)
    with suppress(FrontendError):
        again = file.unit()
        if _outside(file, again) < _outside(file, unit):
            file.served = file.served.as_included(names_of(again))
            return again
    file.served = before
    return None


def _outside(file: RepairedFile, unit: TranslationUnit) -> int:
    """Return how many errors are not inside of installed headers."""
    return sum(not error.location.file.name.startswith(file.installed) for error in written(unit))


def _lacks(file: RepairedFile, unit: TranslationUnit, before: _Lacks) -> _Lacks:
    """Return what the errors of a parse ask for, beside what came from installed folders before."""
    headers, families, asks = set(before.headers), set(before.families), before.libraries
    for error in written(unit):
        missing = MISSING.search(error.spelling)
        if missing is None:
            asks = asks or _LACKS_IN_NAMESPACE.search(error.spelling) is not None
            families.update(_families(file.installed, error))
        elif missing[1].partition("/")[0] in installed.LIBRARIES:
            asks = True
        elif not in_bundled_library(missing[1]) and installed.holder(file.installed, missing[1]) is not None:
            headers.add(missing[1])
    libraries = asks and installed.with_libraries(file.installed) is not None
    return _Lacks(frozenset(headers), frozenset(families), libraries)


def _families(folders: tuple[str, ...], error: Any) -> Iterator[str]:
    """Yield the library of the host that an undeclared name is of, where an installed header has it."""
    name = _NAME.match(error.spelling)
    family = None if name is None else installed.family_of(name[1])
    if name is not None and family is not None and installed.has_name(folders, family, name[1]):
        yield family
