"""The GPUs for which a rule of a makefile compiles one file, read as text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

_RULE = re.compile(
    r"^[^\s:#=][^:#=\n]*\.(?:o|obj|lo)[ \t]*:(?P<files>[^=\n][^\n]*)\n(?P<recipe>(?:\t[^\n]*\n?)+)", re.MULTILINE
)
_ASSIGNED = re.compile(
    r"^[ \t]*(?:override[ \t]+|export[ \t]+)?([\w.-]+)[ \t]*(?:\?|:|::|\+)?=[ \t]*(.*)$", re.MULTILINE
)
_VARIABLE = re.compile(r"\$[({](\w+)[)}]")
_GPU = re.compile(r"(?:sm|compute)_(\d{2,3})")
_ALL = re.compile(r"-arch[= ](?:all|native)|CUDA_ARCH|\$[({@]\w*(?:ARCH|GENCODE|SMS)\w*")
_DEEPEST = 8  # variables in variables


def capabilities_of(makefile: str, file: str) -> tuple[int, ...]:
    """Return the compute capabilities, times ten, for which a makefile compiles a file, relative to its folder.

    None at all where no rule of its own compiles it, or one that leaves open which they are.
    """
    text = re.sub(r"(?<!\\)#[^\n]*", "", makefile.replace("\\\n", " "))
    values: dict[str, list[str]] = {}
    for name, value in _ASSIGNED.findall(text):
        values.setdefault(name, []).append(value)
    wanted = os.path.normpath(file)
    found: set[int] = set()
    for rule in _RULE.finditer(text):
        if wanted in map(os.path.normpath, rule["files"].split()):
            words = "\n".join(_expanded(rule["recipe"], values))
            numbers = {int(number) for number in _GPU.findall(words)}
            if not numbers or _ALL.search(_known_away(words, values)):
                return ()
            found |= numbers
    return tuple(sorted(found))


def _expanded(text: str, values: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield a text, and all that its variables may hold."""
    pending, seen = [(text, 0)], set[str]()
    while pending:
        own, depth = pending.pop()
        yield own
        for name in _VARIABLE.findall(own):
            if name not in seen and depth < _DEEPEST:
                seen.add(name)
                pending += [(value, depth + 1) for value in values.get(name, [])]


def _known_away(text: str, values: Mapping[str, list[str]]) -> str:
    """Return a text without the variables that have values."""
    return _VARIABLE.sub(lambda match: "" if match[1] in values else match[0], text)
