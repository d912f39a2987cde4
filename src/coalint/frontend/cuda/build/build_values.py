"""The values that build files give macros in some build: they are tried where a source cannot be read without one."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator

from coalint.frontend.cuda.build.cmake_values import given_by_cmake, given_by_make
from coalint.frontend.cuda.build.python_values import given_by_python
from coalint.frontend.interface import BuildMacro

_CMAKE = ("CMakeLists.txt",)
_MAKE = re.compile(r"(?:GNU)?[Mm]akefile(?:\.\w+)?")
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"[A-Z_]+")  # of another macro, or `-D NAME=VALUE` in a text for people
_DEVICES = frozenset({"cuda", "gpu"})
_MOST_KEPT = 4096


def may_give_values(name: str) -> bool:
    """Whether a file of this name may be one that says how sources are compiled."""
    return name in _CMAKE or name.endswith((".cmake", ".py", ".mk")) or _MAKE.fullmatch(name) is not None


def values_of(name: str, text: str) -> tuple[BuildMacro, ...]:
    """Return the macros to which a build file gives values, each as its first command that does.

    `name` is how messages call the file. What stands under conditions, in loops and functions counts too. Of several
    numbers the largest comes first: it is the size that is meant to be fast, where small ones are those of tests.
    A process reads a text once, however often it plans: a server does with each change.
    """
    if not text:
        return ()
    key = name, hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
    if key not in _kept:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        _kept[key] = _read(name, text)
    return _kept[key]


_kept: dict[tuple[str, bytes], tuple[BuildMacro, ...]] = {}


def _read(name: str, text: str) -> tuple[BuildMacro, ...]:
    base = os.path.basename(name)
    if base.endswith(".py"):
        found: Iterator[tuple[str, tuple[str, ...], int]] = given_by_python(text)
    elif base in _CMAKE or base.endswith(".cmake"):
        found = given_by_cmake(text)
    else:
        found = given_by_make(text)
    places: dict[str, str] = {}
    given: dict[str, dict[str, None]] = {}
    for macro, values, line in found:
        if not any(map(_NAME.fullmatch, values)):
            places.setdefault(macro, f"{name}:{line}")
            given.setdefault(macro, {}).update(dict.fromkeys(values))
    return tuple(BuildMacro(name=macro, values=_ordered(given[macro]), place=place) for macro, place in places.items())


def _ordered(values: Iterable[str]) -> tuple[str, ...]:
    values = tuple(values)
    if all(map(_NUMBER.fullmatch, values)):
        return tuple(sorted(values, key=int, reverse=True))
    return tuple(sorted(values, key=lambda value: value.lower() not in _DEVICES))
