"""libclang's diagnostics as it numbers them in memory: a unit may have tens of thousands, with several notes each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from ctypes import c_int, c_uint, c_void_p
from functools import cache
from typing import Any

from clang.cindex import SourceLocation, TranslationUnit

from coalint.core.records import record
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.results import text_function


@record(frozen=True)
class Diagnostics:
    """What libclang tells of a diagnostic, by its address. They live as long as their unit, and are not let go of.

    These are functions of their own beside those of `clang.cindex`, which makes an object of each diagnostic.
    """

    severity: Callable[[int], int]
    location: Callable[[int], Any]
    spelling: Callable[[int], str]
    category: Callable[[int], str]
    _of_unit: Callable[[TranslationUnit], int]
    _children: Callable[[int], int]
    _count: Callable[[int], int]
    _at: Callable[[int, int], int]

    def of_unit(self, unit: TranslationUnit) -> Iterator[int]:
        """Yield the diagnostics of a unit, in the order of the parse."""
        return self._in_set(self._of_unit(unit))

    def notes(self, diagnostic: int) -> list[int]:
        """Return the notes of a diagnostic."""
        return list(self._in_set(self._children(diagnostic)))

    def begins(self, diagnostic: int, words: str) -> bool:
        """Whether a diagnostic's text begins so."""
        return self.spelling(diagnostic).startswith(words)

    def _in_set(self, gathered: int) -> Iterator[int]:
        at = self._at
        return (at(gathered, position) for position in range(self._count(gathered)))


@cache
def diagnostics() -> Diagnostics:
    """Return the functions that read diagnostics."""
    lib = library()

    def function(name: str, parameters: list[Any], result: Any) -> Any:
        made = lib[f"clang_{name}"]
        made.argtypes, made.restype = parameters, result
        return made

    return Diagnostics(
        severity=function("getDiagnosticSeverity", [c_void_p], c_int),
        location=function("getDiagnosticLocation", [c_void_p], SourceLocation),
        spelling=text_function(lib, "clang_getDiagnosticSpelling"),
        category=text_function(lib, "clang_getDiagnosticCategoryText"),
        _of_unit=function("getDiagnosticSetFromTU", [TranslationUnit], c_void_p),
        _children=function("getChildDiagnostics", [c_void_p], c_void_p),
        _count=function("getNumDiagnosticsInSet", [c_void_p], c_uint),
        _at=function("getDiagnosticInSet", [c_void_p, c_uint], c_void_p),
    )
