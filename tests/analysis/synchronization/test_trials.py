"""Warp primitives under conditions that part lanes each by itself, but not together."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """
__device__ inline int up(int a, int b) {{ return (a + b - 1) / b; }}
__global__ void k(float *a, const int *sizes) {{
    const int n = {size}, m = {bound};
    float v = 0;
    for (int i = threadIdx.x; i < m; i += 32) {{
        if (i < n) {{
            const unsigned mask = {condition} ? 0xffffffffu : (1u << (n % 32)) - 1;
            if (mask == 0xffffffffu && (threadIdx.x == 0 || threadIdx.x == 31))
                v += __shfl_down_sync(0x80000001u, v, 31);
        }}
    }}
    a[threadIdx.x] = v;
}}
void run(float *a, int *n) {{ k<<<9, 32>>>(a, n); }}
"""
WARPS = "up(n, 32) * 32"


@pytest.mark.parametrize(
    ("size", "bound", "condition", "found"),
    [
        ("sizes[0]", WARPS, "i / 32 < n / 32", []),
        ("up(sizes[0], 32)", WARPS, "i / 32 < n / 32", []),
        ("sizes[0]", "n", "i / 32 < n / 32", []),
        ("sizes[0]", WARPS, "i / 32 <= n / 32", ["warning"]),
        ("sizes[0]", WARPS, "n > 20", ["warning"]),
        ("sizes[0]", WARPS, "i / 32 < n", ["warning"]),
    ],
)
def test_what_parts_nobody_for_all_numbers_that_are_tried_is_no_finding(
    project: Project, size: str, bound: str, condition: str, found: list[str]
) -> None:
    project.put("k.cu", KERNEL.format(size=size, bound=bound, condition=condition))
    report = project.lint("k.cu").report["diagnostics"]
    assert [one["severity"] for one in report if one["code"] == "COA303"] == found


@pytest.mark.parametrize("call", ["__shfl_down_sync(0xffffffff, v, 1)", "v; __syncthreads()"])
@pytest.mark.parametrize(("bound", "codes"), [("ceiling_divide(n, 32) * 32", {"COA902"}), ("n", {"COA301", "COA303"})])
def test_a_bound_that_nothing_declares_parts_nobody_for_certain(
    project: Project, call: str, bound: str, codes: set[str]
) -> None:
    loop = f"for (int i = threadIdx.x; i < m; i += 32) {{ v += {call}; }}"
    body = f"float v = 0; const int m = {bound}; {loop} __syncthreads();"
    run = "void run(float *a, int n) { k<<<9, 32>>>(a, n); }"
    project.put("k.cu", f"__global__ void k(float *a, int n) {{ {body} a[threadIdx.x] = v; }}\n{run}\n")
    found = {one["code"] for one in project.lint("k.cu").report["diagnostics"]}
    assert found
    assert found <= codes
