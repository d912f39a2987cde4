"""Barriers of the program's own, which count those who arrive in another place."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
#include <cuda/barrier>
__global__ void k(float *out) {{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ float s[128];
    if (threadIdx.x == 0) init(&bar, 128);
    __syncthreads();
    s[threadIdx.x] = out[threadIdx.x];
    if (threadIdx.x < 32) {{ {wait} out[threadIdx.x] = s[127 - threadIdx.x]; }} else {{ (void)bar.arrive(); }}
    out[threadIdx.x + 128] = 1;
}}
void run(float *o) {{ k<<<1, 128>>>(o); }}
"""


@pytest.mark.parametrize("wait", ["bar.arrive_and_wait();", "bar.wait(bar.arrive());"])
def test_a_wait_for_those_who_arrive_in_another_branch_is_no_finding(project: Project, wait: str) -> None:
    project.put("k.cu", KERNEL.format(wait=wait))
    assert [one for one in project.lint("k.cu").report["diagnostics"] if one["code"] == "COA301"] == []
