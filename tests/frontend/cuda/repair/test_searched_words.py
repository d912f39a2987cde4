"""Expressions that begin with the word that is searched for find what they would with the condition in front."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from coalint.frontend.cuda.repair.missing_kernels import _KERNEL, _NOISE
from coalint.frontend.cuda.repair.prologue import _START
from coalint.frontend.cuda.repair.sized_shared import _EXTERN

PARTS = (
    *("template", "extern ", "extern  ", "__shared__ ", "__global__", "x;", "::", "<", "(", ";", " ", "\n", "\\"),
    *("x", "_", "T", "R", 'R"', 'R"m(', ')m"', '"', "'", "//", "/*", "*/"),
)
IN_FRONT = (
    (_START, re.compile(r"(?<![\w:])(?<!extern )template\b(?!\s*<)[\s\\]*")),
    (_EXTERN, re.compile(_EXTERN.pattern.replace(r"extern(?<!\wextern)", r"\bextern"))),
    (_KERNEL, re.compile(r"\b__global__\b")),
    (_NOISE, re.compile(_NOISE.pattern.replace(r'R(?<!\wR)"', r'\bR"'), re.DOTALL)),
)


@given(st.lists(st.sampled_from(PARTS), max_size=24).map("".join))
def test_they_find_the_same(text: str) -> None:
    for searched, plain in IN_FRONT:
        assert [match.span() for match in searched.finditer(text)] == [match.span() for match in plain.finditer(text)]


def test_the_expressions_compared_are_not_the_same() -> None:
    assert all(searched.pattern != plain.pattern for searched, plain in IN_FRONT)
