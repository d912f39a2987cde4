"""The files that a translation unit includes."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import CFUNCTYPE, byref, c_size_t, c_uint, c_void_p, py_object, string_at
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from clang.cindex import TranslationUnit

from coalint.frontend.cuda.libclang.bindings import file_name, library


class Inclusion(NamedTuple):
    """A file by the name under which it was included, and what libclang knows it by."""

    name: str
    handle: int


_included: WeakKeyDictionary[TranslationUnit, tuple[Inclusion, ...]] = WeakKeyDictionary()


def inclusions(unit: TranslationUnit) -> tuple[Inclusion, ...]:
    """Return the files in the order in which they were met, each as often as it was included; read once for a unit."""
    known = _included.get(unit)
    if known is None:
        handles: list[int] = []
        library().clang_getInclusions(unit, _collector, handles)
        name_of = file_name()
        names = {handle: str(name_of(handle)) for handle in dict.fromkeys(handles)}
        known = _included[unit] = tuple(Inclusion(names[handle], handle) for handle in handles)
    return known


def contents(unit: TranslationUnit, handle: Any) -> bytes:
    """Return the text of a file as it was parsed; `handle` is what libclang knows it by."""
    size = c_size_t()
    text = library().clang_getFileContents(unit, handle, byref(size))
    return string_at(text, size.value) if text else b""


def names_of(unit: TranslationUnit) -> Sequence[str]:
    """Return the names of the files, each once."""
    return tuple(dict.fromkeys(name for name, _ in inclusions(unit)))


Visitor = CFUNCTYPE(None, c_void_p, c_void_p, c_uint, py_object)


def _collect(handle: int, _stack: Any, depth: int, handles: list[int]) -> None:
    if depth > 0:
        handles.append(handle)


_collector = Visitor(_collect)
