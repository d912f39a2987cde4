"""What is quoted of the user's text where macros come between."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import accesses, check

from coalint.core.source.quoting import text
from coalint.core.source.spans import Span

LINES = {"k.cu": ["int i = START(here) + f(a[j]) + (b);", "int n = FIRST(", "    pair);"]}
SOURCE = """\
struct P { float v, x, y; };
#define DOT(A, B) ((A.x) * (B.x) + (A.y) * (B.y))
#define AT(p, i) (p)[(i) * 4]
__global__ void k(const P *a, const P *b, float *o) {
    o[threadIdx.x] = (float)a[threadIdx.x].v - DOT((float)a[threadIdx.x], (float)b[threadIdx.x + 1]);
    o[AT(o, threadIdx.x) > 0] = AT(
        o, threadIdx.x + 2);
}
"""


def test_an_access_that_a_macro_tears_apart_is_quoted_as_the_use_of_the_macro(tmp_path: Path) -> None:
    assert {access.expression for access in accesses(check(tmp_path, SOURCE))} == {
        "o[threadIdx.x]",
        "a[threadIdx.x].v",
        "DOT((float)a[threadIdx.x], (float)b[threadIdx.x + 1])",
        "o[AT(o, threadIdx.x) > 0]",
        "AT(o, threadIdx.x)",
        "AT( o, threadIdx.x + 2)",
    }


@pytest.mark.parametrize(
    ("place", "quoted"),
    [
        ((1, 15, 1, 20), "here"),  # a member that the macro takes of its argument ends with the macro's use
        ((1, 9, 1, 20), "START(here)"),
        ((1, 23, 1, 30), "f(a[j])"),
        ((1, 33, 1, 36), "(b)"),
        ((3, 5, 3, 10), "pair"),
        ((2, 9, 3, 10), "FIRST( pair)"),
    ],
)
def test_a_text_has_no_bracket_that_it_does_not_open(place: tuple[int, int, int, int], quoted: str) -> None:
    line, column, end_line, end_column = place
    assert text(LINES, Span("k.cu", line, column, end_line, end_column)) == quoted
