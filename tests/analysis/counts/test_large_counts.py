"""Counts beyond 64 bits: numbers of any size are right, and none wraps around."""

from __future__ import annotations

import json

import pytest
from project import Project

KERNEL = """\
__global__ void k(float *x) {
    for (unsigned long long i = 0; i < (1ull << 50); i++)
        x[threadIdx.x + i] = 1;
}
void run(float *x) { k<<<dim3(1 << 20, 1 << 10), 256>>>(x); }
"""


def test_a_launch_of_more_executions_than_64_bits_hold_is_counted(project: Project) -> None:
    project.put("k.cu", KERNEL)
    done = project.coalint("profile", "k.cu", "--output-format=json")
    ((instruction,),) = (kernel["instructions"] for kernel in json.loads(done.out)["kernels"])
    assert instruction["executed"] == 2**30 * 2**50 * 8
    assert instruction["active_lanes"] == 2**30 * 2**50 * 256


def test_a_multiple_of_two_to_the_64_is_not_zero(project: Project) -> None:
    project.put("k.cu", KERNEL.replace("1ull << 50", "1ull << 62").replace("dim3(1 << 20, 1 << 10)", "16"))
    done = project.coalint("profile", "k.cu", "--output-format=json")
    ((instruction,),) = (kernel["instructions"] for kernel in json.loads(done.out)["kernels"])
    assert instruction["executed"] == 2**62 * 16 * 8


def test_counters_beyond_64_bits_are_tried_within_them(project: Project) -> None:
    project.put(
        "k.cu",
        "__global__ void k(float *x) { x[((int)blockIdx.y * 31 << 5) + threadIdx.x * 2] = 1; }\n"
        "void run(float *x) { k<<<dim3(8, 127ull << 61), dim3(8, 32)>>>(x); }\n",
    )
    done = project.coalint("lint", "k.cu")
    assert "internal error" not in done.out + done.err


@pytest.mark.parametrize(
    ("block", "grid", "body", "requests", "lanes"),
    [
        ("256", "39063", "if (i < 10000001) x[i] = 1;", 312_501, 10_000_001),
        ("256", "1024", "for (int j = i; j < 10000000; j += 1024 * 256) x[j] = 1;", 312_500, 10_000_000),
        ("256", "1024", "for (int j = i; j < 10000033; j += 1024 * 256) x[j] = 1;", 312_502, 10_000_033),
        ("96", "9999", "if (i > 40 && i < 900000 && t != 5) x[i] = 1;", 28_124, 890_585),
        ("dim3(32, 8)", "dim3(126, 376)", "if (i < 4001 && j < 3003) x[j * 4001 + i] = 1;", 126 * 3003, 4001 * 3003),
        ("dim3(8, 8)", "dim3(501, 376)", "if (i < 4001 && j < 3003) x[j * 4001 + i] = 1;", 501 * 751, 4001 * 3003),
    ],
)
def test_guards_that_most_blocks_pass_are_counted_over_large_grids(
    block: str, grid: str, body: str, requests: int, lanes: int, project: Project
) -> None:
    project.put(
        "k.cu",
        "__global__ void k(float *x) {\n"
        "    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, j = blockIdx.y * blockDim.y + threadIdx.y;\n"
        f"    {body}\n}}\nvoid run(float *x) {{ k<<<{grid}, {block}>>>(x); }}\n",
    )
    done = project.coalint("profile", "k.cu", "--output-format=json")
    ((instruction,),) = (kernel["instructions"] for kernel in json.loads(done.out)["kernels"])
    assert (instruction["executed"], instruction["active_lanes"]) == (requests, lanes)
