"""What an include of one of coalint's own headers brings, and what of that may come before a file's first line.

What many files include in any case is precompiled for all of them. What a file says of macros must not depend on where
headers stand: those whose macros it tests or defines stay where they are included.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from coalint.core.source.reading import FileKind, read_text
from coalint.frontend.cuda.build.include_folders import FORCED, INCLUDE

_OWN_INCLUDE = re.compile(r"^#include \"(coalint/[\w./]+)\"", re.MULTILINE)
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:el)?if(?:n?def)?\b(.*)$", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")
_OF_THE_COMPILER = frozenset({"defined", "__cplusplus", "__CUDA_ARCH__"})
"""Words in conditions that mean the same wherever these stand."""


@lru_cache(maxsize=256)
def bundled_text(include: str) -> str:
    """Return the text of the header of coalint's own that an include means, with what it includes; empty for none."""
    text = _text(include)
    return "\n".join((text, *filter(None, map(_text, _OWN_INCLUDE.findall(text))))) if text else ""


def brought(includes: Iterable[str], kept: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the headers of `coalint/` that includes of bundled headers bring, but for what every file has.

    They are named as coalint's headers include them: `coalint/thrust.h`. Those that are `kept` in their places are left
    out, and those that bring them.
    """
    found = frozenset().union(*map(_reached, includes)) - _reached(FORCED)
    return frozenset(header for header in found if kept.isdisjoint(_reached(header))) if kept else found


def with_macros(words: Iterable[str]) -> frozenset[str]:
    """Return the headers of `coalint/` that define or test a macro of one of these names."""
    of = _by_macro()
    return frozenset().union(*(of[word] for word in words if word in of))


@lru_cache(maxsize=4096)
def _reached(include: str) -> frozenset[str]:
    found: set[str] = set()
    queue = [include]
    for name in queue:
        text = "" if name in found else _text(name)
        if text:
            found.add(name)
            queue += _OWN_INCLUDE.findall(text)
    return frozenset(name for name in found if name.startswith("coalint/"))


def _text(include: str) -> str:
    """Return the text of one header; empty for none, and for names that lead out of coalint's folder."""
    path = INCLUDE / include
    if include.startswith("/") or ".." in include.split("/") or not path.is_file():
        return ""
    return read_text(path, FileKind.PROGRAM)


@cache
def _by_macro() -> Mapping[str, frozenset[str]]:
    """Return the headers in which each macro is defined or tested."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted((INCLUDE / "coalint").iterdir()):
        text = read_text(path, FileKind.PROGRAM)
        tested = (word for condition in _CONDITION.findall(text) for word in _WORD.findall(condition))
        for word in {*_DEFINED.findall(text), *tested} - _OF_THE_COMPILER:
            found[word].add(f"coalint/{path.name}")
    return MappingProxyType({word: frozenset(headers) for word, headers in found.items()})
