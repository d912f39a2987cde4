"""What of a kernel is not analysed is said in the report, with its place."""

from __future__ import annotations

import pytest
from project import Project

TILE = """\
__global__ void k(float *a) {{
    __shared__ float s[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    s[ty][tx] = a[ty * 16 + tx];
    {body}
}}
{launch}
"""


def said(project: Project, body: str, launch: str = "") -> list[tuple[int, str]]:
    project.put("k.cu", TILE.format(body=body, launch=launch))
    found = project.lint("--select=COA903", "k.cu").report["diagnostics"]
    return [(place["line"], d["message"]) for d in found for place in d["places"]]


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("if (ty == 15 && tx > 0) a[tx] = s[ty][tx - 1];", "passes `ty == 15 && tx > 0`"),
        ("if (ty < 8) return; else a[tx] = s[ty][tx];", "fails `ty < 8`"),
    ],
)
def test_a_branch_that_no_thread_of_an_assumed_block_takes(project: Project, body: str, what: str) -> None:
    message = f"not all of the kernel k was analysed: no thread of the 32x8x1 block that is assumed {what}"
    assert said(project, body) == [(5, message)]
    assert said(project, body) == [(5, message)]  # as it is stored, too
    assert said(project, body, "void run(float *a) { k<<<1, dim3(16, 16)>>>(a); }") == []


def test_branches_without_memory_or_without_threads_are_not_missed(project: Project) -> None:
    body = "if (ty == 15) tx = 3; if (sizeof(float) == 8) a[0] = 1; if (ty < 16) a[tx] = 1;"
    assert said(project, body) == []


def test_inline_ptx_that_reads_what_is_not_followed(project: Project) -> None:
    instruction = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0}, %1, %2, p, 1, 1;"
    asm = f'asm volatile("{instruction}" : "+f"(x) : "l"(d), "l"(d));'
    found = said(project, f"float x = 0; long d = 3; {asm}", "void run(float *a) { k<<<1, dim3(16, 16)>>>(a); }")
    assert [line for line, message in found if message.startswith("not all of the kernel k was analysed: ")] == [5]
