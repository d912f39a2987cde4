"""What a program does once before the loop that launches other kernels is no warning."""

from __future__ import annotations

import pytest
from project import Project

KERNELS = """
__global__ void prepare(float *a, int n) { a[999 * (blockIdx.x * 128 + threadIdx.x)] = 1; }
__global__ void step(float *a, const float *b) { int i = blockIdx.x * 256 + threadIdx.x; a[i] = b[8 * i]; }
void steps(float *a, int n) { for (int i = 0; i < n; ++i) step<<<n, 256>>>(a, a); }
"""
PREPARE, STEP = "prepare<<<n, 128>>>(a, n);", "step<<<n, 256>>>(a, a);"


@pytest.mark.parametrize(
    ("function", "body", "severity"),
    [
        ("main", f"{PREPARE} for (int i = 0; i < n; ++i) {STEP}", "info"),
        ("main", f"{PREPARE} steps(a, n);", "info"),
        ("main", f"for (int d = 0; d < n; ++d) {PREPARE} while (n--) for (int d = 0; d < n; ++d) {STEP}", "info"),
        ("main", f"{PREPARE} {STEP}", "warning"),
        ("main", f"{PREPARE} for (int d = 0; d < 2; ++d) {STEP}", "warning"),
        ("main", f"for (int i = 0; i < n; ++i) {{ {PREPARE} for (int j = 0; j < n; ++j) {STEP} }}", "warning"),
        ("main", f"{PREPARE} for (int i = 0; i < n; ++i) {{ {STEP} {PREPARE} }}", "warning"),
        ("run", f"{PREPARE} for (int i = 0; i < n; ++i) {STEP}", "warning"),
    ],
)
def test_what_is_launched_once_beside_a_loop_of_launches_is_an_info(
    project: Project, function: str, body: str, severity: str
) -> None:
    start = 'float *a; int n; scanf("%d", &n); cudaMalloc(&a, n);'
    project.put("k.cu", f"#include <cstdio>\n{KERNELS}\nint {function}() {{ {start} {body} return 0; }}\n")
    found = project.lint("k.cu").report["diagnostics"]
    places = {(at["kernel"], at["severity"]) for one in found for at in one["places"]}
    assert {severity for kernel, severity in places if kernel == "prepare"} == {severity}
    assert ("step", "warning") in places
