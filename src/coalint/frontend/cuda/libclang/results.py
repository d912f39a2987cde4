"""What libclang's functions return, made Python objects in fewer steps than its own module takes."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import Structure, c_char_p, c_int, c_void_p
from typing import Any, cast

from clang.cindex import Cursor, Type, _CXString, functionList

from coalint.frontend.cuda.libclang import cursor_kinds as kinds

_NULL = kinds.INVALID_FILE
"""The kind of libclang's null cursor (clang_getNullCursor), which has no data."""


class _Text(Structure):
    """CXString, which is let go of as soon as it is read."""

    _fields_ = (("data", c_void_p), ("flags", c_int))


def quicken(lib: Any) -> None:
    """Have the functions that give a cursor of a cursor or type, a type or a text convert these quickly.

    The results are those of `clang.cindex`.
    """
    text = _texts(lib)
    for name, parameters, result, *_ in (entry for entry in functionList if len(entry) == 4):
        function = getattr(lib, name)
        if result is _CXString:
            function.restype, function.errcheck = _Text, text
        elif result in (Cursor, Type) and parameters[0] in (Cursor, Type):
            function.errcheck = of_cursor if result is Cursor else _type


def file_names(lib: Any) -> Callable[[int], str | None]:
    """Return the function that gives the name of a file by what libclang knows it by."""
    return cast(Callable[[int], str | None], text_function(lib, "clang_getFileName"))


def text_function(lib: Any, name: str) -> Any:
    """Return a function of its own, beside that of `clang.cindex`, which gives a text of something by its address."""
    function = lib[name]
    function.argtypes, function.restype, function.errcheck = [c_void_p], _Text, _texts(lib)
    return function


def _texts(lib: Any) -> Callable[[Any, Any, Any], str | None]:
    """Return what reads a text that a function has returned."""
    characters, dispose = lib["clang_getCString"], lib["clang_disposeString"]  # beside those of `clang.cindex`
    characters.argtypes, characters.restype = [_Text], c_char_p
    dispose.argtypes, dispose.restype = [_Text], None

    def text(result: Any, _function: Any, _arguments: Any) -> str | None:
        found = characters(result)
        dispose(result)
        return None if found is None else found.decode("utf8")

    return text


def of_cursor(result: Any, _function: Any, arguments: Any) -> Any:
    """Return a cursor that a function has made of its first argument; None where it made none."""
    if result._kind_id == _NULL and result.data[0] is None:
        return None
    result._tu = arguments[0]._tu  # so that the unit lives as long
    return result


def _type(result: Any, _function: Any, arguments: Any) -> Any:
    result._tu = arguments[0]._tu
    return result
