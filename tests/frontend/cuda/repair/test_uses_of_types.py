"""Which names a text uses as types: what is found from each use of the name, against one regular expression."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from coalint.frontend.cuda.repair.macros import is_type

PIECES = [
    "T",
    "T2",
    "aT",
    "sizeof",
    "(",
    ")",
    " ",
    "  ",
    "\t",
    "\n",
    "*",
    "&",
    "=",
    "/",
    ",",
    ";",
    "const",
    "static",
    "x",
    "[",
    "_",
]
QUALIFIERS = "const volatile static extern inline constexpr __shared__ __constant__ __device__ __global__ __managed__"


def as_defined(name: str, text: str) -> bool:
    pointer = r"(?:[ \t]+(?:const|volatile)\b)*[ \t]*[*&]+(?![/=&])"
    constant = r"[ \t]+const[ \t]+\w+[ \t]*[=,;)\[]"
    if re.search(rf"\bsizeof[ \t]*\([ \t]*{name}[ \t]*\)", text) is not None:
        return True
    uses = re.finditer(rf"(?:([\w*&]+)[ \t]+)?\b{name}(?={pointer}|{constant})", text)
    return any(use.group(1) is None or use.group(1) in QUALIFIERS.split() for use in uses)


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_they_are_those_of_the_definition(text: str) -> None:
    assert is_type("T", text) == as_defined("T", text)
