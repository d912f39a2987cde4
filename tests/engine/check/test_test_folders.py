"""What kernels of tests cost is no warning; what is wrong in them is."""

from __future__ import annotations

import pytest
from project import Project

SLOW = "__global__ void k(float *p) { p[32 * (blockIdx.x * 256 + threadIdx.x)] = 1; }\n"
WAIT = "__global__ void k(float *p) { atomicExch(&p[blockIdx.x], 1.0f * threadIdx.x); }\n"
RACE = "__global__ void k(float *p) { __shared__ int n; n = threadIdx.x; __syncthreads(); p[threadIdx.x] = n; }\n"
LAUNCH = "void run(float *p) { k<<<64, 256>>>(p); }\n"


@pytest.mark.parametrize(
    ("path", "kernel", "severity"),
    [
        ("tests/k.cu", SLOW, "info"),
        ("lib/unit_tests/scan/k.cu", SLOW, "info"),
        ("tests/k.cu", WAIT, "info"),
        ("tests/k.cu", RACE, "warning"),
        ("lib/k.cu", WAIT, "warning"),
        ("lib/k.cu", SLOW, "warning"),
        ("lib/test.cu", SLOW, "warning"),
        ("attests/k.cu", SLOW, "warning"),
    ],
)
def test_what_a_kernel_of_tests_costs_is_an_info(project: Project, path: str, kernel: str, severity: str) -> None:
    project.put(path, kernel + LAUNCH)
    (finding,) = project.lint(".").report["diagnostics"]
    assert finding["severity"] == severity


@pytest.mark.parametrize(("folder", "severity"), [("testing", "info"), ("app", "warning")])
def test_how_a_struct_of_tests_lies_in_memory_is_an_info(project: Project, folder: str, severity: str) -> None:
    kernel = "template <class T> __global__ void k(float *p, const T *t) { int i = threadIdx.x; p[i] = t[i].first; }\n"
    project.put("lib/k.cuh", "#pragma once\n" + kernel)
    struct = "struct Item { float first, rest[7]; };\n"
    launch = "void run(float *p, Item *t) { k<<<64, 256>>>(p, t); }\n"
    project.put(f"{folder}/main.cu", '#include "../lib/k.cuh"\n' + struct + launch)
    (finding,) = project.lint(".").report["diagnostics"]
    assert (finding["code"], finding["severity"]) == ("COA102", severity)
