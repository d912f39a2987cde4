"""Groups of lanes in a warp, each with a mask and a number of iterations of its own."""

from __future__ import annotations

import pytest
from project import Project

HEAD = """\
template <int SIZE>
__global__ void k(const int *order, const int *counts, float *out, int width, int begin, int n) {
    int lane = threadIdx.x & 31, group = lane / SIZE, rank = lane % SIZE;
    unsigned mask = SIZE == 32 ? 0xffffffffu : ((1u << SIZE) - 1u) << (group * SIZE);
    int slot = (blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5)) * (32 / SIZE) + group;
    if (slot >= n) return;
"""
RUN = """\
void run(int *a, float *f, int l, int b, int g, int s) {
    if (s == 8) k<8><<<g, 256>>>(a, a, f, l, b, s); else k<16><<<g, 256>>>(a, a, f, l, b, s);
}
"""


@pytest.mark.parametrize(
    ("count", "is_parted"),
    [
        ("counts[slot]", False),
        ("counts[slot % width]", False),
        ("counts[slot / width + slot % width]", False),
        ("counts[order[begin + slot % width]]", False),
        ("counts[slot * width + rank]", True),
        ("counts[(slot + rank) % width]", True),
        ("counts[threadIdx.x % width]", True),
        ("counts[threadIdx.x / 4]", True),
    ],
)
def test_the_lanes_of_a_group_walk_together(project: Project, count: str, is_parted: bool) -> None:
    body = f"for (int i = 0; i < {count}; ++i) {{ if (rank == 0) out[i] = 1; __syncwarp(mask); }}"
    project.put("k.cu", f"{HEAD}    {body}\n}}\n{RUN}")
    found = [one for one in project.lint("k.cu").report["diagnostics"] if one["code"] == "COA303"]
    assert bool(found) == is_parted
