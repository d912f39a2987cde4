"""Clang's numbers of where a cursor stands: quick to ask for, where a place in a file takes several calls."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_uint, c_void_p
from typing import Any

from clang.cindex import conf

from coalint.frontend.cuda.libclang.compiled import HELPER


def _extent_numbers(cursor: Any) -> tuple[int, int]:
    extent = conf.lib.clang_getCursorExtent(cursor)
    return extent.begin_int_data, extent.end_int_data


def _location_number(cursor: Any) -> int:
    return int(conf.lib.clang_getCursorLocation(cursor).int_data)


def _is_in_main_file(cursor: Any) -> bool:
    return bool(conf.lib.clang_Location_isFromMainFile(conf.lib.clang_getCursorLocation(cursor)))


def _file_handle(cursor: Any) -> int | None:
    handle = c_void_p()
    conf.lib.clang_getFileLocation(conf.lib.clang_getCursorLocation(cursor), byref(handle), None, None, None)
    return handle.value


def _file_place(cursor: Any, at_end: bool) -> tuple[int | None, int, int, int, int]:
    extent = conf.lib.clang_getCursorExtent(cursor)
    location = conf.lib.clang_getRangeEnd(extent) if at_end else conf.lib.clang_getRangeStart(extent)
    handle, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
    conf.lib.clang_getFileLocation(location, byref(handle), byref(line), byref(column), byref(offset))
    return handle.value, line.value, column.value, offset.value, location.int_data


extent_numbers: Callable[[Any], tuple[int, int]] = _extent_numbers if HELPER is None else HELPER.extent_numbers
"""Return the numbers of a cursor's begin and end."""

location_number: Callable[[Any], int] = _location_number if HELPER is None else HELPER.location_number
"""Return the number of a cursor's place."""

is_in_main_file: Callable[[Any], bool] = _is_in_main_file if HELPER is None else HELPER.is_in_main_file
"""Whether a cursor stands in the file that its unit is made of, and not in a macro."""

file_handle: Callable[[Any], int | None] = _file_handle if HELPER is None else HELPER.file_handle
"""Return what libclang knows the file by that a cursor stands in, be it through a macro; None where it is in none."""

file_place: Callable[[Any, bool], tuple[int | None, int, int, int, int]] = (
    _file_place if HELPER is None else HELPER.file_place
)
"""Return where a cursor begins or ends: the file's handle, line, column and offset there in bytes, and the number."""
