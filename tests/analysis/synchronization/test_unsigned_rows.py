"""Loops over rows in unsigned arithmetic, whose length the host rounds up: all threads leave them together."""

from __future__ import annotations

import pytest
from project import Project

SOURCE = """\
__global__ void sum(int *x, {type} n, {type} rounded) {{
    __shared__ int s[256];
    {type} part = rounded / 192;
    {type} at = (blockIdx.x * 4 + threadIdx.x / 16) * part;
    {type} end = at + part;
    for (at += {start}; at < end; at += 16) {{
        if (at < n) s[threadIdx.x] += x[at];
        __syncthreads();
    }}
    x[threadIdx.x] = s[threadIdx.x];
}}
void run(int *x, {type} n) {{ {host} sum<<<48, 64>>>(x, n, r); }}
"""


@pytest.mark.parametrize("type_", ["int", "unsigned"])
@pytest.mark.parametrize(
    ("start", "host", "is_found"),
    [
        ("threadIdx.x % 16", "TYPE r = (n + 3071) / 3072 * 3072;", False),
        ("threadIdx.x % 16", "TYPE r; int m = n % 3072; if (m == 0) r = n; else r = n + (3072 - m);", False),
        ("threadIdx.x % 16", "TYPE r = n; if (n % 3072 != 0) r = n + 3072 - n % 3072;", False),
        ("threadIdx.x % 16", "TYPE r; int m = n % 1536; if (m == 0) r = n; else r = n + (1536 - m);", True),
        ("threadIdx.x % 16", "TYPE r; int m = n % 3072; if (m == 1) r = n; else r = n + (3072 - m);", True),
        ("threadIdx.x % 17", "TYPE r = (n + 3071) / 3072 * 3072;", True),
    ],
)
def test_threads_leave_rows_together_whose_length_the_host_rounds_up(
    project: Project, type_: str, start: str, host: str, is_found: bool
) -> None:
    project.put("k.cu", SOURCE.format(type=type_, start=start, host=host.replace("TYPE", type_)))
    found = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA301"]
    assert bool(found) == is_found


def test_a_difference_that_wraps_below_0_parts_the_first_thread(project: Project) -> None:
    text = "__global__ void k(int *x) { if (threadIdx.x - 1u < 1000u) __syncthreads(); x[threadIdx.x] = 1; }\n"
    project.put("k.cu", f"{text}void run(int *x) {{ k<<<48, 64>>>(x); }}\n")
    assert "COA301" in {d["code"] for d in project.lint("k.cu").report["diagnostics"]}
