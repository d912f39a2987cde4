"""Lanes that a mask names and a loop that each group of lanes runs for itself: what is not followed is no error."""

from __future__ import annotations

import pytest
from project import Project

SOURCE = """\
__global__ void k(const int *program, const int *length, float *out) {{
    extern __shared__ int state[];
    unsigned mask = 0xffu << (threadIdx.x % 32 / 8 * 8);
    int *mine = state + threadIdx.x / 8 * 16;
    int count = {count};
    for (int at = 0; at < count;) {{
        int many = program[at] & 7;
        if (threadIdx.x % 8 == many) mine[0] = at;
        __syncwarp(mask);
        at = mine[0] + many;
    }}
    out[threadIdx.x] = count;
}}
void f(int *p, float *o) {{ k<<<8, 64, 1024>>>(p, p, o); }}
"""


@pytest.mark.parametrize("count", ["mine[3]", "length[threadIdx.x / 8]"])
def test_a_loop_of_the_lanes_of_a_mask_is_not_known_to_part_them(project: Project, count: str) -> None:
    project.put("k.cu", SOURCE.format(count=count))
    report = project.lint("k.cu").report
    assert report["coverage"]["analysed"] == 1
    assert "COA303" not in {found["code"] for found in report["diagnostics"]}


def test_a_count_of_each_lane_parts_them(project: Project) -> None:
    source = SOURCE.format(count="length[threadIdx.x]").replace("at = mine[0] + many;", "at = at + 1;")
    project.put("k.cu", source)
    (found,) = (f for f in project.lint("k.cu").report["diagnostics"] if f["code"] == "COA303")
    assert (found["severity"], found["line"]) == ("warning", 9)  # what they have read may be the same for all
