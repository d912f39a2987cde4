"""Threads do not part by an element of a local array that a loop changes in a way that is not followed."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
__global__ void k(float *out, const int *from, int size) {{
    int n = from[blockIdx.x], stage = 0;
    int held[4] = {{0}};
    for (int p = 0; p < n; p++) {{
        int count = held[stage];
        for (int i = 0; i < count; i++) {{
            __syncthreads();
            held[stage] = {value};
            stage = (stage + 1) % 4;
        }}
    }}
    out[threadIdx.x] = n;
}}
void run(float *o, int *i) {{ k<<<8, 256>>>(o, i, 16); }}
"""


@pytest.mark.parametrize("value", ["size", "p", "from[p]", "p == n - 1 ? from[blockIdx.x + 1] : size"])
def test_a_barrier_under_an_element_that_all_threads_hold(project: Project, value: str) -> None:
    project.put("k.cu", KERNEL.format(value=value))
    assert [one["code"] for one in project.lint("k.cu").report["diagnostics"] if one["code"] == "COA301"] == []


def test_a_barrier_under_an_element_that_threads_hold_different_ones_of(project: Project) -> None:
    held = "int held[4] = {1, 2, 3, 4}; held[n & 3] = threadIdx.x;"
    kernel = (
        f"__global__ void k(int *out, int n) {{ {held} if (held[n & 1] > 2) __syncthreads(); out[n] = held[0]; }}\n"
    )
    project.put("k.cu", kernel + "void run(int *o, int n) { k<<<8, 256>>>(o, n); }\n")
    assert [one["severity"] for one in project.lint("k.cu").report["diagnostics"] if one["code"] == "COA301"] == [
        "error"
    ]
