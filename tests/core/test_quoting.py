"""What is quoted of the user's text where macros come between."""

from __future__ import annotations

from pathlib import Path

from outcomes import accesses, check

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
