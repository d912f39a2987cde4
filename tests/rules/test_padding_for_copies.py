"""Rows that asynchronous copies write stay multiples of what an instruction writes, even if its lanes are not known."""

from __future__ import annotations

import re

import pytest
from project import Project

SOURCE = """\
#include <cuda_pipeline.h>
__global__ void k(short *out, const short *in, int n) {{
    __shared__ __align__(16) short tile[32][64];
    int i = threadIdx.x;
    const short *from = in + blockIdx.x * 2048 + 8 * i;
    short *to = &tile[i / 8][i % 8 * 8];
    {copy}
    __syncthreads();
    for (int c = i / 32; c < 64; c += 8) out[blockIdx.x * 2048 + c * 32 + i % 32] = tile[i % 32][c];
}}
void f(short *o, short *i, int n) {{ k<<<8, 256>>>(o, i, n); }}
"""
ASSEMBLY = """\
    unsigned at = __cvta_generic_to_shared(to);
    int size = i < n ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;\\n" ::"r"(at), "l"(from), "n"(16), "r"(size));
"""


def rows(project: Project, copy: str) -> int:
    """Bytes of a row of the array that the help declares."""
    project.put("k.cu", SOURCE.format(copy=copy))
    (found,) = project.lint("--select=COA201", "--show-info", "k.cu").report["diagnostics"]
    named = re.search(r"declare `short tile\[32\]\[(\d+)\]`", found["help"])
    assert named is not None, found["help"]
    return 2 * int(named[1])


@pytest.mark.parametrize(
    "copy", [ASSEMBLY, "__pipeline_memcpy_async(to, from, 16, i < n ? 0 : 16);"], ids=["assembly", "pipeline"]
)
def test_rows_stay_aligned_for_copies_of_16_bytes(project: Project, copy: str) -> None:
    assert rows(project, copy) % 16 == 0


def test_rows_of_values_need_no_such_alignment(project: Project) -> None:
    assert rows(project, "for (int e = 0; e < 8; e++) to[e] = from[e];") % 16 != 0
