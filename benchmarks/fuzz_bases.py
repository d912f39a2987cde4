"""What inputs are made from: the fixtures, and programs that keep one kernel of a fixture each.

A small program is checked several times as fast as its fixture, so that a run of the same length tries more mutations.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

FIXTURES = Path(__file__).parent.parent / "fixtures"

_KERNEL = re.compile(r"(?:template\s*<[^>]*>\s*)?__global__[^;{]*\{")
_NAME = re.compile(r"(\w+)\s*\([^;{]*\{$")


@cache
def fixtures() -> tuple[str, ...]:
    """The texts of all fixtures, in the order of their names."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted(FIXTURES.glob("*/*.cu")))


@cache
def programs() -> tuple[str, ...]:
    """The fixtures, and for each of their kernels the program that has no other."""
    return (*fixtures(), *(alone(text, kernel) for text in fixtures() for kernel in kernels(text)))


@cache
def kernels(text: str) -> tuple[str, ...]:
    """The kernels of a text, each to the brace that closes it."""
    found: list[str] = []
    for match in _KERNEL.finditer(text):
        depth = 1
        for end in range(match.end(), len(text)):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            if depth == 0:
                found.append(text[match.start() : end + 1])
                break
    return tuple(found)


def alone(text: str, kernel: str) -> str:
    """A program without its kernels but one, and without their launches."""
    for other in kernels(text):
        if other == kernel:
            continue
        text = text.replace(other, "")
        if name := _NAME.search(other[: other.index("{") + 1]):
            text = _without_launches(text, name[1])
    return text


def _without_launches(text: str, kernel: str) -> str:
    kept, end = [], 0
    for launch in re.finditer(rf"\b{kernel}\s*(?:<[^;<]*>\s*)?<<<[^;]*;", text):
        start = launch.start()
        while (
            start > end and text[start - 1] not in ";{}/"
        ):  # a pattern for this looks at the text before it again and again
            start -= 1
        kept.append(text[end:start])
        end = launch.end()
    return "".join((*kept, text[end:]))
