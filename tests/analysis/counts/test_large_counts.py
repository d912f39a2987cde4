"""Counts beyond 64 bits: numbers of any size are right, and none wraps around."""

from __future__ import annotations

import json

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
