"""Tiles of a warp whose lanes leave a loop together, since the launch passes a multiple of their size."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
#include <cooperative_groups.h>
__global__ void k(unsigned *out, const int *in, size_t n) {{
    auto tile = cooperative_groups::tiled_partition<{size}>(cooperative_groups::this_thread_block());
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = tile.ballot(in[i] > 3);
    out[n] = 0;
}}
void run(unsigned *o, int *i, size_t n) {{ k<<<80, 256>>>(o, i, {passed}); }}
"""


@pytest.mark.parametrize(
    ("size", "passed", "settled"),
    [
        (16, "n * 16", None),
        (16, "n * 48", None),
        (4, "n * 16", None),
        (32, "n * 64", None),
        (16, "n * 8", "n % 16 == 0"),
        (32, "n * 16", "n % 32 == 0"),
        (8, "n", "n % 8 == 0"),
    ],
)
def test_tiles_leave_a_loop_together_where_the_launch_passes_a_multiple(
    project: Project, size: int, passed: str, settled: str | None
) -> None:
    project.put("k.cu", KERNEL.format(size=size, passed=passed))
    found = [one["message"] for one in project.lint("k.cu").report["diagnostics"] if one["code"] == "COA303"]
    assert len(found) == (settled is not None)
    assert settled is None or f"unless `{settled}`" in found[0]
