"""Slight bank conflicts of a kernel that moves more sectors than it has wavefronts are no warnings."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """// coalint: assume(blockDim.x == 256)
__global__ void k(float *out, const float *in, int n, int m) {{
    __shared__ float s[2048];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += gridDim.x * blockDim.x) {{
        {load}
        s[{stride} * threadIdx.x] = a;
        __syncthreads();
        {use}
        __syncthreads();
    }}
}}
"""
LOADS = "float a = in[i] + in[i + 4096];"
USE = "out[i] = s[threadIdx.x];"


@pytest.mark.parametrize(
    ("load", "stride", "use", "severity"),
    [
        (LOADS, 2, USE, "info"),  # 12 sectors, 3 wavefronts
        (LOADS, 8, USE, "warning"),
        ("float a = threadIdx.x;", 2, "a += s[threadIdx.x]; if (i + 999 > m) out[i] = a;", "warning"),
        (
            LOADS,
            2,
            "for (int k = 0; k < 12; ++k) a += s[threadIdx.x + 64 * k]; out[i] = a;",
            "warning",
        ),  # 14 wavefronts
        (LOADS, 2, "for (int k = 0; in[k] > a; ++k) a += s[2 * threadIdx.x + k]; out[i] = a;", "warning"),  # open
    ],
)
def test_a_slight_conflict_beside_more_sectors_is_an_info(
    project: Project, load: str, stride: int, use: str, severity: str
) -> None:
    project.put("k.cu", KERNEL.format(load=load, stride=stride, use=use))
    found = project.lint("k.cu").report["diagnostics"]
    assert {one["severity"] for one in found if one["code"] in ("COA201", "COA202")} == {severity}
