"""Loops that part threads by a number that a launch passes, where the host code is too large to be followed to it."""

from __future__ import annotations

import pytest
from amounts import first
from project import Project

KERNEL = """\
#include <cooperative_groups.h>
__global__ void k(unsigned *out, const int *in, size_t n) {{
    auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = tile.ballot(in[i] > 3);
    out[n] = 0;
}}
size_t next(size_t);
void run(unsigned *o, int *i, size_t n) {{
    {before}
    k<<<80, 256>>>(o, i, n{times});
}}
"""


@pytest.mark.parametrize(
    ("steps", "times", "count"), first([(3, "", 1), (3, " * 16", 0), (5000, "", 0), (5000, " * 16", 0)], 2)
)
def test_what_a_launch_passes_is_not_known_to_part_threads_where_it_is_not_followed(
    project: Project, steps: int, times: str, count: int
) -> None:
    project.put("k.cu", KERNEL.format(before=" n = next(n) + next(n);" * steps, times=times))
    report = project.lint("k.cu").report
    assert sum(one["code"] == "COA303" for one in report["diagnostics"]) == count
    assert report["coverage"]["analysed"] == 1
