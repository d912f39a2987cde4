"""What a macro makes beside others reads as code; what its use stands for is called as it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import accesses

MACROS = """
__constant__ int sizes[8];
struct Shape { int width, height; };
#define WIDTH (sizes[2])
#define LOADS const int a = sizes[0]; const int b = sizes[1];
#define INDEX(i, j) ((i) * sizes[0] + (j) * sizes[1])
#define MEMBERS const int w = shape->width, h = shape->height;
#define TWICE(x) ((x) + (x))
"""


@pytest.mark.parametrize(
    ("body", "stride"),
    [
        ("LOADS; out[threadIdx.x * (a - b)] = 0;", "4*sizes[0] - 4*sizes[1]"),
        ("LOADS out[threadIdx.x * a * b] = 0;", "4*sizes[0]*sizes[1]"),
        ("out[INDEX(threadIdx.x, 3)] = 0;", "4*sizes[0]"),
        ("MEMBERS; out[threadIdx.x * w + h] = 0;", "4*shape->width"),
        ("out[threadIdx.x * WIDTH] = 0;", "4*WIDTH"),
        ("out[TWICE(sizes[5]) * threadIdx.x] = 0;", "8*sizes[5]"),
        ("out[threadIdx.x * (sizes [4])] = 0;", "4*sizes [4]"),
    ],
)
def test_values_are_told_apart(body: str, stride: str, tmp_path: Path) -> None:
    *_, (store, _) = accesses(tmp_path, body, parameters="const Shape *shape", before=MACROS)
    assert store.address.stride_texts[0] == stride
