"""The lines of a file that the preprocessor left out."""

from __future__ import annotations

from ctypes import POINTER, Structure, byref, c_uint, c_void_p
from functools import cache
from typing import Any

from clang.cindex import SourceLocation, SourceRange, TranslationUnit

from coalint.frontend.cuda.libclang.bindings import library


class _Ranges(Structure):
    """CXSourceRangeList."""

    _fields_ = (("count", c_uint), ("ranges", POINTER(SourceRange)))


@cache
def _functions() -> tuple[Any, Any]:
    lib = library()
    lib.clang_getSkippedRanges.argtypes = [TranslationUnit, c_void_p]
    lib.clang_getSkippedRanges.restype = POINTER(_Ranges)
    lib.clang_disposeSourceRangeList.argtypes = [POINTER(_Ranges)]
    lib.clang_disposeSourceRangeList.restype = None
    return lib.clang_getSkippedRanges, lib.clang_disposeSourceRangeList


def skipped_lines(unit: TranslationUnit, file: str) -> list[tuple[int, int]]:
    """Return the first and last line of each part of a file that conditions leave out, directives included."""
    ranges_of, dispose = _functions()
    lib = library()
    handle = lib.clang_getFile(unit, file)
    if not handle:
        return []
    found = ranges_of(unit, handle)
    if not found:
        return []
    try:
        return [
            (_line(found.contents.ranges[at].start), _line(found.contents.ranges[at].end))
            for at in range(found.contents.count)
        ]
    finally:
        dispose(found)


def _line(location: SourceLocation) -> int:
    file, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
    library().clang_getExpansionLocation(location, byref(file), byref(line), byref(column), byref(offset))
    return line.value
