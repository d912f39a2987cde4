"""Vectors along the outermost of three loops, as in a product of matrices by tiles in registers, of nvcc 13.0."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import instructions

KERNEL = """\
__global__ void k(float *c, const float *a) {{
    __shared__ float s[128][{depth}], r[{depth}][128];
    int x = threadIdx.x % 16, y = threadIdx.x / 16;
    for (int j = threadIdx.x; j < 128 * {depth}; j += 256) s[j / {depth}][j % {depth}] = r[j / 128][j % 128] = a[j];
    __syncthreads();
    float sums[{rows}][{columns}] = {{}};
    {outer}
    for (int k = 0; k < {depth}; k++) {{
        {inner}
        for (int m = 0; m < {rows}; m++) {{
            {inner}
            for (int n = 0; n < {columns}; n++)
                sums[m][n] +=
                    s[y * {rows} + m][k] *
                    r[k][x * {columns} + n];
        }}
    }}
    for (int m = 0; m < {rows}; m++)
        for (int n = 0; n < {columns}; n++) c[(m * {columns} + n) * 256 + threadIdx.x] = sums[m][n];
}}
void run(float *c) {{ k<<<1, 256>>>(c, c); }}
"""
ASKED = "#pragma unroll"


@pytest.mark.parametrize(
    ("depth", "rows", "columns", "outer", "inner", "made"),
    [
        (8, 4, 4, "", "", (16, False)),
        (32, 4, 4, "", "", (16, False)),  # four copies of the body
        (16, 2, 2, "", "", (16, False)),
        (8, 4, 8, "", "", (4, False)),
        (8, 8, 4, "", "", (4, False)),
        (8, 8, 8, "", "", (4, True)),
        (4, 8, 8, "", "", (4, True)),
        (8, 8, 8, "", ASKED, (4, True)),
        (8, 8, 8, ASKED, "", (16, False)),
        (8, 8, 8, ASKED, ASKED, (16, True)),
        (8, 4, 4, "#pragma unroll 1", ASKED, (4, True)),
        (8, 4, 4, "#pragma unroll 2", ASKED, (8, True)),
    ],
)
def test_what_is_loaded_along_the_outermost_loop(
    tmp_path: Path, depth: int, rows: int, columns: int, outer: str, inner: str, made: tuple[int, bool]
) -> None:
    source = KERNEL.format(depth=depth, rows=rows, columns=columns, outer=outer, inner=inner)
    (load,) = (one for one in instructions(tmp_path, source) if one.written.span.line == 14)
    assert (load.access.bytes, load.access.result.exact) == made
