"""Of a kernel that was read in part, only costs are told as warnings."""

from __future__ import annotations

import pytest
from project import Project

BODY = """
    __shared__ float s[64];
    s[threadIdx.x] = a[9 * threadIdx.x];
    {torn}
    if (threadIdx.x < 16) __syncthreads();
    __syncthreads();
    a[threadIdx.x] = s[63 - threadIdx.x];
"""


@pytest.mark.parametrize(("torn", "severity"), [("", "error"), ("int x = (3 + ;", "info")])
def test_what_parts_threads_in_a_kernel_that_was_read_in_part_is_an_info(
    project: Project, torn: str, severity: str
) -> None:
    body = BODY.format(torn=torn)
    launch = "void run(float *a, int n) { k<<<n, 64>>>(a); }"
    project.put("k.cu", f"__global__ void k(float *a) {{ {body} }}\n{launch}\n")
    found = {one["code"]: one["severity"] for one in project.lint("k.cu").report["diagnostics"]}
    assert found["COA301"] == severity
    assert ("COA902" in found) == bool(torn)
