"""Conditions on floating-point numbers: a warp whose lanes read one number does not part at it."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """
__global__ void k(double *out, const double *a, const float *b, const int *at, int n) {{
    const int row = {row};
    double sum = a[threadIdx.x];
    for (int i = row; i < n; i += gridDim.x) {{
        const double limit = {limit};
        if ({condition}) continue;
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    }}
    out[row * 32 + threadIdx.x % 32] = sum;
}}
void run(double *out, double *a, float *b, int *at, int n) {{ k<<<9, dim3({block})>>>(out, a, b, at, n); }}
"""
OF_WARPS = [("threadIdx.y + blockIdx.x * blockDim.y", "32, 8"), ("(threadIdx.x + blockIdx.x * blockDim.x) / 32", "256")]
OF_LANES = [("threadIdx.y + blockIdx.x * blockDim.y", "16, 16"), ("threadIdx.x + blockIdx.x * blockDim.x", "256")]


@pytest.mark.parametrize(
    ("limit", "condition"),
    [
        ("1", "a[i] < limit"),
        ("0.5 * a[i]", "a[at[i]] < limit"),
        ("-sqrt(a[i])", "b[i] < limit"),
        ("i", "a[i] < limit"),
    ],
)
@pytest.mark.parametrize(
    ("row", "block", "found"), [*((*one, []) for one in OF_WARPS), *((*one, ["warning"]) for one in OF_LANES)]
)
def test_lanes_part_at_a_number_only_where_they_read_different_ones(
    project: Project, row: str, block: str, found: list[str], limit: str, condition: str
) -> None:
    project.put("k.cu", KERNEL.format(row=row, block=block, limit=limit, condition=condition))
    report = project.lint("k.cu").report["diagnostics"]
    assert [one["severity"] for one in report if one["code"] == "COA303"] == found


@pytest.mark.parametrize(
    "condition", ["a[i] < a[threadIdx.x]", "a[i] * a[threadIdx.x] < 1", "sqrt(a[threadIdx.x] + i) > 1"]
)
def test_what_each_lane_reads_for_itself_parts_them(project: Project, condition: str) -> None:
    row, block = OF_WARPS[0]
    project.put("k.cu", KERNEL.format(row=row, block=block, limit="1", condition=condition))
    report = project.lint("k.cu").report["diagnostics"]
    assert [one["severity"] for one in report if one["code"] == "COA303"] == ["warning"]
